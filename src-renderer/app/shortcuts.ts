const apple = /mac|iphone|ipad/i.test(navigator.platform)

/** Keys as people write them, with Mod for Ctrl or Cmd: "Mod+K", "Shift+Space", "/". */
export interface Shortcut {
  readonly keys: readonly string[]
  readonly what: string
  readonly where: 'Everywhere' | 'Library' | 'Window'
}

/** Every shortcut of the interface. Handlers, the overlay and the tooltips read this one table. */
export const shortcuts = {
  palette: { keys: ['Mod+K'], what: 'Go to anything or do anything', where: 'Everywhere' },
  search: { keys: ['/'], what: 'Search here', where: 'Everywhere' },
  shortcuts: { keys: ['?'], what: 'Show these shortcuts', where: 'Everywhere' },
  sidebar: { keys: ['Mod+B'], what: 'Make the sidebar small or wide', where: 'Everywhere' },
  place1: { keys: ['Mod+1'], what: 'Library', where: 'Everywhere' },
  place2: { keys: ['Mod+2'], what: 'Publish', where: 'Everywhere' },
  place3: { keys: ['Mod+3'], what: 'Transfers', where: 'Everywhere' },
  place4: { keys: ['Mod+4'], what: 'Remotes', where: 'Everywhere' },
  place5: { keys: ['Mod+5'], what: 'Storage', where: 'Everywhere' },
  place6: { keys: ['Mod+6'], what: 'Access', where: 'Everywhere' },
  place7: { keys: ['Mod+7'], what: 'Settings', where: 'Everywhere' },
  close: { keys: ['Escape'], what: 'Close what is open', where: 'Everywhere' },
  move: { keys: ['↑', '↓'], what: 'Move a row', where: 'Library' },
  page: { keys: ['PageUp', 'PageDown'], what: 'Move a screen', where: 'Library' },
  ends: { keys: ['Home', 'End'], what: 'First or last row', where: 'Library' },
  open: { keys: ['Enter'], what: 'Open the box', where: 'Library' },
  select: { keys: ['Space'], what: 'Select the row, or not', where: 'Library' },
  extend: { keys: ['Shift+↑', 'Shift+↓'], what: 'Select up to a row', where: 'Library' },
  selectAll: { keys: ['Mod+A'], what: 'Select everything found', where: 'Library' },
  remove: { keys: ['Delete'], what: 'Delete what is selected', where: 'Library' }
} as const satisfies Record<string, Shortcut>
export type ShortcutId = keyof typeof shortcuts

/** What the menu of a window answers to, wherever there is one: told with the others, and not listened for here. */
export const windowShortcuts: readonly Shortcut[] = [
  { keys: ['Mod+O'], what: 'Add box files', where: 'Window' },
  { keys: ['Mod+F'], what: 'Find', where: 'Window' },
  { keys: ['Mod+Plus', 'Mod+-'], what: 'Larger or smaller', where: 'Window' },
  { keys: ['Mod+0'], what: 'Actual size', where: 'Window' },
  { keys: ['Mod+R'], what: 'Reload the window', where: 'Window' }
]

const onApple: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↩', Delete: '⌫' }

/** The caps to press, as this machine names them: ["Ctrl", "K"] or ["⌘", "K"]. */
export const caps = (keys: string): string[] =>
  keys.split('+').map((key) => (apple ? onApple[key] : key === 'Mod' ? 'Ctrl' : undefined) ?? key)

/** Whether the key that was pressed is this shortcut. */
export function pressed(event: KeyboardEvent, id: ShortcutId): boolean {
  return shortcuts[id].keys.some((keys: string) => {
    const parts = keys.split('+')
    const key = parts.at(-1) ?? ''
    const mod = apple ? event.metaKey : event.ctrlKey
    if (event.altKey || mod !== parts.includes('Mod')) return false
    if ((apple ? event.ctrlKey : event.metaKey) && !parts.includes('Mod')) return false
    // What Shift does to a sign differs between keyboards: "?" is what it is, however it was typed.
    return event.key.toLowerCase() === key.toLowerCase()
  })
}

/** Whether the person is writing, so that single keys are text and no shortcuts. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select, [role=combobox]')
}
