import { overlays, show } from '../overlays.svelte.ts'
import { places } from '../places.ts'
import { go } from '../router.svelte.ts'
import { isWriting, pressed, type ShortcutId } from '../shortcuts.ts'
import { sidebar } from '../sidebar.svelte.ts'

/** The search field of the place that is shown, if it has one. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  field?.focus()
  field?.select()
  return field !== null
}

/** While a dialog is open, what lies under it is not to be moved. */
const isCovered = (): boolean =>
  overlays.open !== null || document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null

/** For every key that nobody nearer to the focus made use of. */
export function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isCovered()) return
  const act = actionOf(event)
  if (!act) return
  event.preventDefault()
  act()
}

function actionOf(event: KeyboardEvent): (() => void) | undefined {
  if (pressed(event, 'palette')) return () => show('palette')
  if (pressed(event, 'sidebar')) return sidebar.toggle
  for (const [index, { id }] of places.entries())
    if (pressed(event, `place${index + 1}` as ShortcutId)) return () => go(`/${id}`)
  if (isWriting(event.target)) return undefined
  if (pressed(event, 'search')) return focusSearch
  if (pressed(event, 'shortcuts')) return () => show('shortcuts')
  return undefined
}
