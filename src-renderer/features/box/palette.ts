import CloudUpload from '@lucide/svelte/icons/cloud-upload'
import Copy from '@lucide/svelte/icons/copy'
import FilePlus2 from '@lucide/svelte/icons/file-plus-2'
import GitFork from '@lucide/svelte/icons/git-fork'
import Pencil from '@lucide/svelte/icons/pencil'
import Plus from '@lucide/svelte/icons/plus'
import TextCursorInput from '@lucide/svelte/icons/text-cursor-input'
import Trash2 from '@lucide/svelte/icons/trash-2'
import type { Action } from '../../app/actions.ts'
import { remotes } from '../../app/remotes.svelte.ts'
import { copy, forkBox, removeBox } from './actions.ts'
import { addFile } from './add-file.ts'
import { tagOf } from './consequences.ts'
import type { BoxPage } from './context.ts'

/** What the palette offers to do with the box that is looked at. */
export function boxActions(page: BoxPage): Action[] {
  const tag = tagOf(page.box)
  const copyTag: Action = { id: 'box.copy-tag', label: `Copy ${tag}`, icon: Copy, run: () => copy(tag, tag) }
  const mirror = page.mirrorOf
  if (mirror)
    return [
      copyTag,
      {
        id: 'box.fork',
        label: `Fork ${tag}`,
        icon: GitFork,
        words: ['own', 'change', 'mirror'],
        run: () => forkBox(page.box, mirror.remoteName)
      },
      {
        id: 'box.remove',
        label: `Delete ${tag}`,
        icon: Trash2,
        run: () => removeBox(page.box, mirror.remoteName)
      }
    ]
  return [
    copyTag,
    ...remotes.list.map((remote) => ({
      id: `box.publish.${remote.id}`,
      label: `Publish ${tag} to ${remote.name}`,
      icon: CloudUpload,
      run: () => page.open({ kind: 'sync', remoteId: remote.id, direction: 'publish' as const })
    })),
    {
      id: 'box.add-file',
      label: `Add a file to ${tag}`,
      icon: FilePlus2,
      run: () => addFile(page, { version: null })
    },
    {
      id: 'box.new-version',
      label: `Make a new version of ${tag}`,
      icon: Plus,
      run: () => page.open({ kind: 'new-version', like: null })
    },
    {
      id: 'box.describe',
      label: `Edit the description of ${tag}`,
      icon: Pencil,
      run: () => page.open({ kind: 'describe-box' })
    },
    {
      id: 'box.rename',
      label: `Rename ${tag}`,
      icon: TextCursorInput,
      run: () => page.open({ kind: 'rename' })
    },
    { id: 'box.remove', label: `Delete ${tag}`, icon: Trash2, run: () => removeBox(page.box) }
  ]
}
