import Ban from '@lucide/svelte/icons/ban'
import CircleCheck from '@lucide/svelte/icons/circle-check'
import CloudDownload from '@lucide/svelte/icons/cloud-download'
import Copy from '@lucide/svelte/icons/copy'
import CopyPlus from '@lucide/svelte/icons/copy-plus'
import FilePlus2 from '@lucide/svelte/icons/file-plus-2'
import Hash from '@lucide/svelte/icons/hash'
import Pencil from '@lucide/svelte/icons/pencil'
import Trash2 from '@lucide/svelte/icons/trash-2'
import type { VersionDetails } from '../../../src-main/contract/boxes.ts'
import { counted } from '../../app/format.ts'
import { attempt } from '../../app/toasts.svelte.ts'
import type { MenuEntry } from '../../ui/menu.ts'
import { copy, release, removeVersion, revoke } from './actions.ts'
import { isReleasable } from './consequences.ts'
import type { BoxPage } from './context.ts'
import { fetchImages, knownImages } from './fetch.ts'

/** What can be done with a version, wherever it is shown. */
export function versionMenu(page: BoxPage, version: VersionDetails): MenuEntry[] {
  const { number, status } = version
  const copyNumber: MenuEntry = { label: 'Copy number', icon: Copy, run: () => copy(number, number) }
  const known = knownImages(version)
  const fetching: MenuEntry[] =
    known.length === 0
      ? []
      : [
          {
            label: `Fetch ${counted(known.length, 'image')}`,
            icon: CloudDownload,
            run: () => fetchImages(page.box, version, known)
          }
        ]
  if (page.mirrorOf) return [...fetching, copyNumber]
  const changeOfState: MenuEntry[] =
    status === 'unreleased' && isReleasable(version)
      ? [
          {
            label: `Release ${number}…`,
            icon: CircleCheck,
            run: () => attempt(() => release(page.box, number))
          }
        ]
      : status === 'active'
        ? [
            {
              label: `Revoke ${number}…`,
              icon: Ban,
              danger: true,
              run: () => attempt(() => revoke(page.box, number))
            }
          ]
        : []
  return [
    ...changeOfState,
    { label: 'Add image…', icon: FilePlus2, run: () => page.open({ kind: 'add-image', version: number }) },
    {
      label: 'New version like this…',
      icon: CopyPlus,
      run: () => page.open({ kind: 'new-version', like: number })
    },
    null,
    {
      label: 'Edit description…',
      icon: Pencil,
      run: () => page.open({ kind: 'describe-version', version: number })
    },
    { label: 'Change number…', icon: Hash, run: () => page.open({ kind: 'number', version: number }) },
    copyNumber,
    null,
    { label: `Delete ${number}…`, icon: Trash2, danger: true, run: () => removeVersion(page.box, version) }
  ]
}
