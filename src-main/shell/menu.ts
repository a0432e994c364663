import type { MenuItemConstructorOptions } from 'electron'
import type { DeskEvents } from '../contract/desk.ts'
import type { Settings } from '../contract/settings.ts'

/** What a menu can do. */
export interface MenuActs {
  go(place: string): void
  command(name: DeskEvents['command']['name']): void
  addFiles(): void
  appearance(to: Settings['appearance']): void
  revealDataFolder(): void
  revealLog(): void
}

/** In the order of the sidebar, whose numbers they share. */
const places = [
  ['Library', '/library'],
  ['Publish', '/publish'],
  ['Transfers', '/transfers'],
  ['Remotes', '/remotes'],
  ['Storage', '/storage'],
  ['Access', '/access'],
  ['Settings', '/settings']
] as const

const appearances = [
  ['As the system', 'system'],
  ['Light', 'light'],
  ['Dark', 'dark']
] as const

interface Surroundings {
  readonly platform: NodeJS.Platform
  readonly appearance: Settings['appearance']
}

/**
 * The application's menu. Keys that the interface itself answers are shown and not taken from it (`registerAccelerator`):
 * it knows whether a dialog is open or a text is being written.
 */
export function menuTemplate(
  acts: MenuActs,
  { platform, appearance }: Surroundings
): MenuItemConstructorOptions[] {
  const apple = platform === 'darwin'
  const shown = { registerAccelerator: false }
  const settings: MenuItemConstructorOptions = {
    label: apple ? 'Settings…' : 'Settings',
    ...(apple && { accelerator: 'Cmd+,' }),
    click: () => acts.go('/settings')
  }
  return [
    ...(apple
      ? [
          {
            role: 'appMenu' as const,
            submenu: [
              { role: 'about' as const },
              separator,
              settings,
              separator,
              { role: 'services' as const },
              separator,
              { role: 'hide' as const },
              { role: 'hideOthers' as const },
              { role: 'unhide' as const },
              separator,
              { role: 'quit' as const }
            ]
          }
        ]
      : []),
    {
      label: '&File',
      submenu: [
        { label: 'Add box files…', accelerator: 'CmdOrCtrl+O', click: () => acts.addFiles() },
        separator,
        { label: 'Show the data folder', click: () => acts.revealDataFolder() },
        ...(apple ? [] : [settings]),
        separator,
        apple ? { role: 'close' as const } : { role: 'quit' as const, label: 'Quit' }
      ]
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        ...places.map(([label, place], index) => ({
          label,
          accelerator: `CmdOrCtrl+${index + 1}`,
          ...shown,
          click: () => acts.go(place)
        })),
        separator,
        {
          label: 'Go to anything…',
          accelerator: 'CmdOrCtrl+K',
          ...shown,
          click: () => acts.command('palette')
        },
        { label: 'Find', accelerator: 'CmdOrCtrl+F', click: () => acts.command('search') },
        separator,
        {
          label: 'Appearance',
          submenu: appearances.map(([label, to]) => ({
            label,
            type: 'radio' as const,
            checked: appearance === to,
            click: () => acts.appearance(to)
          }))
        },
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
        { role: 'reload', label: 'Reload the window' }
      ]
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: 'Keyboard shortcuts', click: () => acts.command('shortcuts') },
        { label: 'Show the log', click: () => acts.revealLog() },
        { role: 'toggleDevTools', label: 'Developer tools' }
      ]
    }
  ]
}

const separator = { type: 'separator' } as const
