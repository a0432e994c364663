import { PagedRows, type ReadPage } from './paged-rows.svelte.ts'
import { Selection } from './selection.ts'
import type { TableModel } from './table-keys.ts'
import { attempt } from './toasts.svelte.ts'

/** Where the rows of a grid come from. */
export interface RowSource<Query, Row, Key, Value> {
  readonly read: ReadPage<Query, Row>
  /** What tells a row from others, and what is kept of it while it is selected. */
  readonly entryOf: (row: Row) => readonly [Key, Value]
  /** The same of the rows from a place to before another, whether they were read or not. */
  readonly readRange: (query: Query, from: number, to: number) => Promise<Iterable<readonly [Key, Value]>>
  /** No more are selected than these. */
  readonly mostSelected?: number
}

/** What a grid shows and a person moves over: rows read as they come into sight, the one the keyboard is on, those selected. */
export class GridRows<Query, Row, Key, Value> implements TableModel {
  readonly found: PagedRows<Query, Row>
  /** The row the keyboard is on; -1 for none. */
  cursor = $state(-1)
  /** How far the grid is scrolled, in pixels; told by the grid, and told to it by `onScrollTo`. */
  top = 0
  onScrollTo: (top: number) => void = () => undefined

  readonly #source: RowSource<Query, Row, Key, Value>
  readonly #selection: Selection<Key, Value>
  /** Counts what is seen of the selection. */
  #version = $state(0)
  #cursorKey: Key | null = null
  /** Where a range begins; -1 where the next one ends. */
  #anchor = -1
  /** A range that is read while another is asked for is not selected any more. */
  #turn = 0

  constructor(source: RowSource<Query, Row, Key, Value>) {
    this.#source = source
    this.#selection = new Selection(source.mostSelected)
    this.found = new PagedRows(source.read)
    this.found.onQuery = () => {
      this.moveTo(-1)
      this.top = 0
      this.onScrollTo(0)
    }
    this.found.onRows = () => {
      this.#followCursor()
      this.#followSelected()
    }
  }

  get total(): number {
    return this.found.total ?? 0
  }

  get row(): Row | undefined {
    return this.cursor < 0 ? undefined : this.found.row(this.cursor)
  }

  get selectedCount(): number {
    void this.#version
    return this.#selection.count
  }

  get hasSelection(): boolean {
    return this.selectedCount > 0
  }

  get selectedKeys(): Key[] {
    void this.#version
    return this.#selection.keys
  }

  get selectedValues(): Value[] {
    void this.#version
    return this.#selection.values
  }

  isSelected(row: Row): boolean {
    void this.#version
    return this.#selection.has(this.#keyOf(row))
  }

  clearSelection(): void {
    this.#turn += 1
    this.#change(() => this.#selection.clear())
  }

  moveTo(index: number): void {
    this.#putCursor(index)
    this.#anchor = index
    this.#selection.endRange()
  }

  toggle(index: number): void {
    const row = this.found.row(index)
    if (!row) return
    this.#change(() => this.#selection.toggle(...this.#source.entryOf(row)))
    this.moveTo(index)
  }

  /** Selects from where the range began to `index`, also rows that were never read. */
  async extendTo(index: number): Promise<void> {
    if (this.#anchor < 0) this.#anchor = index
    this.#putCursor(index)
    await this.#select(Math.min(this.#anchor, index), Math.max(this.#anchor, index) + 1)
  }

  async selectAll(): Promise<void> {
    this.#selection.endRange()
    if (this.total > 0) await this.#select(0, this.total)
  }

  async #select(from: number, to: number): Promise<void> {
    const turn = (this.#turn += 1)
    const { query } = this.found
    if (!query) return
    const end = Math.min(to, from + (this.#source.mostSelected ?? Infinity))
    const range = await attempt(() => this.#source.readRange(query, from, end))
    if (range && turn === this.#turn && query === this.found.query)
      this.#change(() => this.#selection.extend(range))
  }

  #change(work: () => void): void {
    work()
    this.#version += 1
  }

  #keyOf(row: Row): Key {
    return this.#source.entryOf(row)[0]
  }

  #putCursor(index: number): void {
    this.cursor = index
    this.#cursorKey = this.row === undefined ? null : this.#keyOf(this.row)
  }

  /** Rows may have moved: the cursor stays on its row, or where that was. */
  #followCursor(): void {
    if (this.cursor < 0) return
    const key = this.#cursorKey
    if (key !== null && (this.row === undefined || this.#keyOf(this.row) !== key)) {
      const index = this.found.indexOf((row) => this.#keyOf(row) === key)
      if (index >= 0) {
        this.cursor = this.#anchor = index
        return
      }
    }
    this.#putCursor(Math.min(this.cursor, this.total - 1))
  }

  /** What is kept of selected rows is what they are now. */
  #followSelected(): void {
    if (!this.#selection.count) return
    this.#change(() => {
      for (const row of this.found.read()) this.#selection.update(...this.#source.entryOf(row))
    })
  }
}
