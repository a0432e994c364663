import ArrowDownToLine from '@lucide/svelte/icons/arrow-down-to-line'
import CloudDownload from '@lucide/svelte/icons/cloud-download'
import FileUp from '@lucide/svelte/icons/file-up'
import FolderOpen from '@lucide/svelte/icons/folder-open'
import Pencil from '@lucide/svelte/icons/pencil'
import ShieldCheck from '@lucide/svelte/icons/shield-check'
import Star from '@lucide/svelte/icons/star'
import Trash2 from '@lucide/svelte/icons/trash-2'
import type { ImageDetails, VersionDetails } from '../../../src-main/contract/boxes.ts'
import { ask } from '../../api.ts'
import { attempt } from '../../app/toasts.svelte.ts'
import type { MenuEntry } from '../../ui/menu.ts'
import { copy, imageAddress, makeDefault, removeImage } from './actions.ts'
import { addFile } from './add-file.ts'
import { imageRefOf, type BoxPage } from './context.ts'
import { fetchImages } from './fetch.ts'

/** What can be done with an image, wherever it is shown. */
export function imageMenu(
  page: BoxPage,
  version: VersionDetails,
  image: ImageDetails,
  verify: () => Promise<void>
): MenuEntry[] {
  const { provider, architecture, state } = image
  const ref = imageRefOf(page.box, version, image)
  const here = state === 'here'
  const reveal = here && (page.about?.capabilities.fileManager ?? false)
  const changes: MenuEntry[] = [
    ...(image.isDefault
      ? []
      : [{ label: `Make default for ${provider}`, icon: Star, run: () => makeDefault(ref) }]),
    {
      label: 'Edit image…',
      icon: Pencil,
      run: () => page.open({ kind: 'edit-image', version: version.number, provider, architecture })
    },
    {
      label: state === 'empty' ? 'Add file…' : 'Replace file…',
      icon: FileUp,
      run: () => addFile(page, { version: version.number, provider, architecture })
    }
  ]
  const own = !page.mirrorOf
  return [
    ...(own ? changes : []),
    ...(state === 'known'
      ? [{ label: 'Fetch', icon: CloudDownload, run: () => fetchImages(page.box, version, [image]) }]
      : []),
    ...(here || state === 'damaged' ? [{ label: 'Verify', icon: ShieldCheck, run: verify }] : []),
    ...(own ? [null] : []),
    ...(state === 'empty' || state === 'known'
      ? []
      : [
          {
            label: 'Copy download address',
            icon: ArrowDownToLine,
            run: () => copy(imageAddress(page.serverUrl, page.box, version, image), 'the download address')
          }
        ]),
    ...(reveal
      ? [
          {
            label: 'Show in file manager',
            icon: FolderOpen,
            run: async () => void (await attempt(() => ask('host.revealImage', ref)))
          }
        ]
      : []),
    ...(own ? [{ label: 'Delete image', icon: Trash2, danger: true, run: () => removeImage(ref) }] : [])
  ]
}
