import { pressed } from '../../app/shortcuts.ts'
import { view } from './view.svelte.ts'

/** What the table can do for a key; it knows its own height. */
export interface TableMoves {
  readonly rowsInSight: number
  scrollTo(index: number): void
  open(): void
  remove(): void
}

/** The keys of the table. Those it has no use for are left to the window. */
export function tableKey(event: KeyboardEvent, moves: TableMoves): void {
  // A key on a button in the head is that button's.
  if (event.target !== event.currentTarget) return
  const act = actionOf(event, moves)
  if (!act) return
  event.preventDefault()
  act()
}

function actionOf(event: KeyboardEvent, moves: TableMoves): (() => void) | undefined {
  if (pressed(event, 'selectAll')) return () => void view.selectAll()
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined
  const to = targetOf(event.key, moves.rowsInSight)
  if (to !== null)
    return () => {
      if (event.shiftKey) void view.extendTo(to)
      else view.moveTo(to)
      moves.scrollTo(to)
    }
  switch (event.key) {
    case 'Enter':
      return moves.open
    case ' ':
      return () => (view.cursor < 0 ? undefined : view.toggle(view.cursor))
    case 'Delete':
      return moves.remove
    case 'Escape':
      return view.selection.count > 0 ? () => view.selection.clear() : undefined
  }
  return undefined
}

function targetOf(key: string, rowsInSight: number): number | null {
  const last = (view.found.total ?? 0) - 1
  if (last < 0) return null
  const page = Math.max(1, rowsInSight - 1)
  const targets: Record<string, number> = {
    ArrowDown: view.cursor + 1,
    ArrowUp: view.cursor < 0 ? 0 : view.cursor - 1,
    PageDown: view.cursor + page,
    PageUp: view.cursor - page,
    Home: 0,
    End: last
  }
  const target = targets[key]
  return target === undefined ? null : Math.min(last, Math.max(0, target))
}
