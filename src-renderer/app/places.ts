import Boxes from '@lucide/svelte/icons/boxes'
import HardDrive from '@lucide/svelte/icons/hard-drive'
import KeyRound from '@lucide/svelte/icons/key-round'
import Cloud from '@lucide/svelte/icons/cloud'
import ArrowDownUp from '@lucide/svelte/icons/arrow-down-up'
import PackagePlus from '@lucide/svelte/icons/package-plus'
import Settings2 from '@lucide/svelte/icons/settings-2'
import type { Component } from 'svelte'
import Access from '../features/access/Access.svelte'
import Box from '../features/box/Box.svelte'
import Library from '../features/library/Library.svelte'
import Publish from '../features/publish/Publish.svelte'
import Remotes from '../features/remotes/Remotes.svelte'
import Settings from '../features/settings/Settings.svelte'
import Storage from '../features/storage/Storage.svelte'
import Transfers from '../features/transfers/Transfers.svelte'

/** Somewhere the person can be, as the first part of the address. */
export interface Place {
  readonly id: string
  readonly label: string
  readonly icon: Component<{ size?: number }>
  readonly page: Component
}

/** Those in the sidebar; Ctrl or Cmd and the number of its row goes there. */
export const places: readonly Place[] = [
  { id: 'library', label: 'Library', icon: Boxes, page: Library },
  { id: 'publish', label: 'Publish', icon: PackagePlus, page: Publish },
  { id: 'transfers', label: 'Transfers', icon: ArrowDownUp, page: Transfers },
  { id: 'remotes', label: 'Remotes', icon: Cloud, page: Remotes },
  { id: 'storage', label: 'Storage', icon: HardDrive, page: Storage },
  { id: 'access', label: 'Access', icon: KeyRound, page: Access },
  { id: 'settings', label: 'Settings', icon: Settings2, page: Settings }
]

/** A box has a page of its own below the library. */
export const boxPlace: Place = { id: 'box', label: 'Box', icon: Boxes, page: Box }
