import FilePlus from '@lucide/svelte/icons/file-plus'
import FolderPlus from '@lucide/svelte/icons/folder-plus'
import { offer } from '../../app/actions.ts'
import { chooseFiles, chooseFolder } from './add.ts'

/** Puts into the palette how files are added. Returns what takes it out again. */
export const offerAdding = (): (() => void) =>
  offer(
    {
      id: 'add-files',
      label: 'Add box files…',
      icon: FilePlus,
      words: ['publish', 'upload', 'import', 'browse', 'open'],
      run: () => chooseFiles()
    },
    {
      id: 'add-folder',
      label: 'Add a folder of box files…',
      icon: FolderPlus,
      words: ['publish', 'upload', 'import', 'browse', 'directory'],
      run: () => chooseFolder()
    }
  )
