import { pressed } from './shortcuts.ts'

/** Rows a person moves over and selects. */
export interface TableModel {
  /** The row the keyboard is on; -1 for none. */
  readonly cursor: number
  readonly total: number
  readonly hasSelection: boolean
  moveTo(index: number): void
  toggle(index: number): void
  /** Selects from where the range began. */
  extendTo(index: number): Promise<void>
  selectAll(): Promise<void>
  clearSelection(): void
}

/** What the table can do for a key; it knows its own height. */
export interface TableMoves {
  readonly rowsInSight: number
  scrollTo(index: number): void
  open(): void
  remove?(): void
}

/** The keys of the table. Those it has no use for are left to the window. */
export function tableKey(event: KeyboardEvent, table: TableModel, moves: TableMoves): void {
  // A key on a button in the head is that button's.
  if (event.target !== event.currentTarget) return
  const act = actionOf(event, table, moves)
  if (!act) return
  event.preventDefault()
  act()
}

function actionOf(event: KeyboardEvent, table: TableModel, moves: TableMoves): (() => void) | undefined {
  if (pressed(event, 'selectAll')) return () => void table.selectAll()
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined
  const to = targetOf(event.key, table, moves.rowsInSight)
  if (to !== null)
    return () => {
      if (event.shiftKey) void table.extendTo(to)
      else table.moveTo(to)
      moves.scrollTo(to)
    }
  switch (event.key) {
    case 'Enter':
      return moves.open
    case ' ':
      return () => (table.cursor < 0 ? undefined : table.toggle(table.cursor))
    case 'Delete':
      return moves.remove
    case 'Escape':
      return table.hasSelection ? () => table.clearSelection() : undefined
  }
  return undefined
}

function targetOf(key: string, { cursor, total }: TableModel, rowsInSight: number): number | null {
  const last = total - 1
  if (last < 0) return null
  const page = Math.max(1, rowsInSight - 1)
  const targets: Record<string, number> = {
    ArrowDown: cursor + 1,
    ArrowUp: cursor < 0 ? 0 : cursor - 1,
    PageDown: cursor + page,
    PageUp: cursor - page,
    Home: 0,
    End: last
  }
  const target = targets[key]
  return target === undefined ? null : Math.min(last, Math.max(0, target))
}
