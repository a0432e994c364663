import Ban from '@lucide/svelte/icons/ban'
import Box from '@lucide/svelte/icons/box'
import FilePen from '@lucide/svelte/icons/file-pen'
import FilePlus from '@lucide/svelte/icons/file-plus'
import PenLine from '@lucide/svelte/icons/pen-line'
import Rocket from '@lucide/svelte/icons/rocket'
import Tag from '@lucide/svelte/icons/tag'
import Trash2 from '@lucide/svelte/icons/trash-2'
import ArrowUpDown from '@lucide/svelte/icons/arrow-up-down'
import type { Component } from 'svelte'
import type { SyncStepKind } from '../../../src-main/contract/sync.ts'

/** How a step of a plan looks; beside it stands its sentence, so that none is a colour alone. */
export const stepLooks: Record<SyncStepKind, { icon: Component<{ size?: number }>; colour: string }> = {
  'create-box': { icon: Box, colour: 'text-accent' },
  'change-box': { icon: PenLine, colour: 'text-accent' },
  'create-version': { icon: Tag, colour: 'text-accent' },
  'change-version': { icon: PenLine, colour: 'text-accent' },
  'create-image': { icon: FilePlus, colour: 'text-accent' },
  'change-image': { icon: FilePen, colour: 'text-accent' },
  'put-bytes': { icon: ArrowUpDown, colour: 'text-accent' },
  release: { icon: Rocket, colour: 'text-green' },
  revoke: { icon: Ban, colour: 'text-red' },
  'remove-image': { icon: Trash2, colour: 'text-red' },
  'remove-version': { icon: Trash2, colour: 'text-red' },
  'remove-box': { icon: Trash2, colour: 'text-red' }
}
