import type { BoxRow, LibraryQuery } from '../../../src-main/contract/library.ts'
import { ask } from '../../api.ts'
import { preferences } from '../../app/preferences.svelte.ts'
import type { TableModel } from '../../app/table-keys.ts'
import { go, route } from '../../app/router.svelte.ts'
import { attempt } from '../../app/toasts.svelte.ts'
import { foundBoxes } from './found.svelte.ts'
import { everything, isNarrowed, queryOf, queryText } from './query.ts'
import { Selection } from './selection.svelte.ts'

const remembered = 'library.query'
const settleMs = 250

/** What the person sees of the library. It outlives the page, so that who comes back finds everything as it was. */
class LibraryView implements TableModel {
  readonly found = foundBoxes()
  readonly selection = new Selection()
  /** The row the keyboard is on; -1 for none. */
  cursor = $state(-1)
  /** How far the table is scrolled, in pixels; told by the table, and told to it by `onScrollTo`. */
  top = 0
  onScrollTo: (top: number) => void = () => undefined

  #query = $state.raw(everything)
  #cursorId: number | null = null
  #anchor = -1
  #rangeTurn = 0
  #started = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    this.found.onQuery = () => {
      this.moveTo(-1)
      this.top = 0
      this.onScrollTo(0)
    }
    this.found.onRows = () => this.#followCursor()
  }

  get query(): LibraryQuery {
    return this.#query
  }

  get total(): number {
    return this.found.total ?? 0
  }

  get hasSelection(): boolean {
    return this.selection.count > 0
  }

  clearSelection(): void {
    this.selection.clear()
  }

  get row(): BoxRow | undefined {
    return this.cursor < 0 ? undefined : this.found.row(this.cursor)
  }

  /** Called when the page opens and whenever the address changes under it. */
  arrive(): void {
    const params = route.current.query
    const last = preferences.get(remembered)
    if (params.size > 0) this.#ask(queryOf(params))
    else if (!this.#started && typeof last === 'string') this.#ask(queryOf(new URLSearchParams(last)))
    else this.#ask(this.#query)
    this.#started = true
    this.#write()
  }

  /** Looks for something else, at once; the address follows when the typing rests. */
  change(changes: Partial<LibraryQuery>): void {
    this.#ask({ ...this.#query, ...changes })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#write(), settleMs)
  }

  clear(): void {
    const { sort, order } = this.#query
    this.change({ ...everything, sort, order })
  }

  get isNarrowed(): boolean {
    return isNarrowed(this.#query)
  }

  moveTo(index: number): void {
    this.cursor = index
    this.#cursorId = this.row?.id ?? null
    this.#anchor = index
  }

  toggle(index: number): void {
    const row = this.found.row(index)
    if (!row) return
    this.selection.toggle(row.id, row.size)
    this.moveTo(index)
  }

  /** Selects from where the range began to `index`, also rows that were never read. */
  async extendTo(index: number): Promise<void> {
    const anchor = this.#anchor < 0 ? index : this.#anchor
    const query = this.found.query
    const turn = (this.#rangeTurn += 1)
    this.cursor = index
    this.#cursorId = this.row?.id ?? null
    this.#anchor = anchor
    if (!query) return
    const [from, to] = anchor < index ? [anchor, index] : [index, anchor]
    const range = await attempt(() => ask('library.range', { query, from, to: to + 1 }))
    if (range && turn === this.#rangeTurn && query === this.found.query) this.selection.extend(range)
  }

  async selectAll(): Promise<void> {
    const { query, total } = this.found
    if (!query || !total) return
    const turn = (this.#rangeTurn += 1)
    const range = await attempt(() => ask('library.range', { query, from: 0, to: total }))
    if (range && turn === this.#rangeTurn && query === this.found.query) this.selection.extend(range)
  }

  #ask(query: LibraryQuery): void {
    const before = this.#query
    this.#query = query
    // What is selected is in sight of the person; another order of the same boxes leaves them selected.
    const sorted = { ...query, sort: before.sort, order: before.order }
    if (queryText(sorted) !== queryText(before)) {
      this.#rangeTurn += 1
      this.selection.clear()
    }
    this.found.find(query)
  }

  #write(): void {
    const text = queryText(this.#query)
    preferences.set(remembered, text)
    if (route.current.place !== 'library' && route.current.place !== '') return
    const to = text === '' ? '/library' : `/library?${text}`
    if (location.hash !== `#${to}`) go(to, { replace: true })
  }

  /** Rows may have moved: the cursor stays on its box, or where that was. */
  #followCursor(): void {
    if (this.cursor < 0) return
    const total = this.found.total ?? 0
    if (this.#cursorId !== null && this.row?.id !== this.#cursorId) {
      const index = this.found.indexOf(({ id }) => id === this.#cursorId)
      if (index >= 0) {
        this.cursor = this.#anchor = index
        return
      }
    }
    this.cursor = Math.min(this.cursor, total - 1)
    this.#cursorId = this.row?.id ?? null
  }
}

export const view = new LibraryView()
