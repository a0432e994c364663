import CloudDownload from '@lucide/svelte/icons/cloud-download'
import CloudUpload from '@lucide/svelte/icons/cloud-upload'
import Copy from '@lucide/svelte/icons/copy'
import SquareArrowOutUpRight from '@lucide/svelte/icons/square-arrow-out-up-right'
import Split from '@lucide/svelte/icons/split'
import Trash2 from '@lucide/svelte/icons/trash-2'
import type { RemoteBox } from '../../../src-main/contract/standings.ts'
import { copyText } from '../../app/clipboard.ts'
import { boxPath, go } from '../../app/router.svelte.ts'
import { toast } from '../../app/toasts.svelte.ts'
import { remediesOf, requestOf, type Remedy } from '../sync/what-to-do.ts'
import type { MenuEntry } from '../../ui/menu.ts'
import { tagOf } from './boxes.svelte.ts'

export const openBox = ({ organization, box }: RemoteBox): void => go(boxPath(organization, box))

const isHere = ({ standing }: RemoteBox): boolean => standing !== 'only-there' && standing !== 'deleted-here'
const isThere = ({ standing }: RemoteBox): boolean => standing !== 'only-here' && standing !== 'deleted-there'

/** What can be done with a box, wherever its standing is shown. */
export function rowMenu(row: RemoteBox, onask: (remedy: Remedy) => void): MenuEntry[] {
  const remedies = remediesOf(row)
  const resolve = remedies.find(({ both }) => both)
  const removal = remedies.find(({ danger }) => danger)
  const way = (direction: 'publish' | 'pull', label: string): MenuEntry => ({
    label,
    icon: direction === 'publish' ? CloudUpload : CloudDownload,
    run: () => onask({ label, request: requestOf(row, direction), both: false, danger: false })
  })
  return [
    ...(resolve ? [{ label: resolve.label, icon: Split, run: () => onask(resolve) }] : []),
    ...(isHere(row) && !row.mirrored ? [way('publish', 'See what publishing would do…')] : []),
    ...(isThere(row) ? [way('pull', 'See what pulling would do…')] : []),
    ...(isHere(row) ? [{ label: 'Open box', icon: SquareArrowOutUpRight, run: () => openBox(row) }] : []),
    {
      label: 'Copy tag',
      icon: Copy,
      run: async () => {
        if (await copyText(tagOf(row))) toast('info', `Copied ${tagOf(row)}.`)
      }
    },
    ...(removal
      ? [null, { label: removal.label, icon: Trash2, danger: true, run: () => onask(removal) }]
      : [])
  ]
}
