import type { BoxRow, LibraryQuery } from '../../../src-main/contract/library.ts'
import { ask } from '../../api.ts'
import { GridRows } from '../../app/grid-rows.svelte.ts'
import { preferences } from '../../app/preferences.svelte.ts'
import { go, route } from '../../app/router.svelte.ts'
import { everything, isNarrowed, queryOf, queryText } from './query.ts'

const remembered = 'library.query'
const settleMs = 250

/** What the person sees of the library. It outlives the page, so that who comes back finds everything as it was. */
class LibraryView extends GridRows<LibraryQuery, BoxRow, number, number> {
  /** Of all images of what is selected, on this disk. */
  readonly selectedBytes = $derived(this.selectedValues.reduce((sum, size) => sum + size, 0))

  #query = $state.raw(everything)
  #started = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super({
      read: (query, offset, limit) => ask('library.find', { query, offset, limit }),
      entryOf: ({ id, size }) => [id, size],
      readRange: async (query, from, to) => {
        const { ids, sizes } = await ask('library.range', { query, from, to })
        return ids.map((id, place) => [id, sizes[place] ?? 0] as const)
      }
    })
  }

  get query(): LibraryQuery {
    return this.#query
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

  #ask(query: LibraryQuery): void {
    const before = this.#query
    this.#query = query
    // What is selected is in sight of the person; another order of the same boxes leaves them selected.
    const sorted = { ...query, sort: before.sort, order: before.order }
    if (queryText(sorted) !== queryText(before)) this.clearSelection()
    this.found.find(query)
  }

  #write(): void {
    const text = queryText(this.#query)
    preferences.set(remembered, text)
    if (route.current.place !== 'library' && route.current.place !== '') return
    const to = text === '' ? '/library' : `/library?${text}`
    if (location.hash !== `#${to}`) go(to, { replace: true })
  }
}

export const view = new LibraryView()
