import Cloud from '@lucide/svelte/icons/cloud'
import Archive from '@lucide/svelte/icons/archive'
import ArchiveRestore from '@lucide/svelte/icons/archive-restore'
import Copy from '@lucide/svelte/icons/copy'
import KeyRound from '@lucide/svelte/icons/key-round'
import Keyboard from '@lucide/svelte/icons/keyboard'
import PanelLeft from '@lucide/svelte/icons/panel-left'
import Plus from '@lucide/svelte/icons/plus'
import ShieldCheck from '@lucide/svelte/icons/shield-check'
import SunMoon from '@lucide/svelte/icons/sun-moon'
import Trash from '@lucide/svelte/icons/trash-2'
import UserPlus from '@lucide/svelte/icons/user-plus'
import FolderOpen from '@lucide/svelte/icons/folder-open'
import { ask } from '../api.ts'
import { offer } from './actions.ts'
import { copyText } from './clipboard.ts'
import { show } from './overlays.svelte.ts'
import { product } from './product.svelte.ts'
import { go } from './router.svelte.ts'
import { sidebar } from './sidebar.svelte.ts'
import { toggleTheme } from './theme.svelte.ts'
import { attempt, toast } from './toasts.svelte.ts'

/** Puts into the palette what belongs to no place alone. */
export function offerBaseActions(): () => void {
  return offer(
    { id: 'new-box', label: 'New box', icon: Plus, words: ['create', 'make'], run: () => show('new-box') },
    {
      id: 'copy-url',
      label: 'Copy VAGRANT_SERVER_URL',
      icon: Copy,
      words: ['server', 'address', 'export', 'environment'],
      available: () => product.status !== undefined,
      run: async () => {
        const line = `export VAGRANT_SERVER_URL=${product.status?.server.url ?? ''}`
        if (await copyText(line)) toast('success', `Copied: ${line}`)
      }
    },
    {
      id: 'theme',
      label: 'Change between light and dark',
      icon: SunMoon,
      words: ['theme', 'appearance', 'toggle'],
      run: toggleTheme
    },
    {
      id: 'sidebar',
      label: 'Make the sidebar small or wide',
      icon: PanelLeft,
      words: ['collapse', 'toggle'],
      shortcut: 'sidebar',
      run: sidebar.toggle
    },
    {
      id: 'add-remote',
      label: 'Add a remote',
      icon: Cloud,
      words: ['registry', 'folder', 'publish', 'mirror', 'cloud', 'new'],
      run: () => go('/remotes?do=add')
    },
    {
      id: 'clean-up',
      label: 'Clean up storage',
      icon: Trash,
      words: ['garbage', 'free', 'disk', 'space', 'gc'],
      run: () => go('/storage?do=clean-up')
    },
    {
      id: 'verify',
      label: 'Verify every file',
      icon: ShieldCheck,
      words: ['check', 'damaged', 'integrity', 'storage'],
      run: () => go('/storage?do=verify')
    },
    {
      id: 'back-up',
      label: 'Back up everything',
      icon: Archive,
      words: ['backup', 'save', 'export', 'storage'],
      run: () => go('/storage?do=back-up')
    },
    {
      id: 'restore',
      label: 'Restore a backup',
      icon: ArchiveRestore,
      words: ['storage', 'import'],
      run: () => go('/storage?do=restore')
    },
    {
      id: 'issue-token',
      label: 'Issue token',
      icon: KeyRound,
      words: ['access', 'login', 'sign in', 'authentication', 'add'],
      run: () => go('/access/tokens?do=add')
    },
    {
      id: 'add-account',
      label: 'Add account',
      icon: UserPlus,
      words: ['access', 'user', 'person', 'create', 'new'],
      run: () => go('/access/accounts?do=add')
    },
    {
      id: 'data-folder',
      label: 'Show the data folder',
      icon: FolderOpen,
      words: ['files', 'reveal'],
      available: () => product.about?.capabilities.fileManager === true,
      run: () => attempt(() => ask('host.revealDataFolder', {}))
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      icon: Keyboard,
      words: ['keys', 'help'],
      shortcut: 'shortcuts',
      run: () => show('shortcuts')
    }
  )
}
