import type { RemoteBox, RemoteBoxQuery } from '../../../src-main/contract/standings.ts'
import { ask } from '../../api.ts'
import { PagedRows } from '../../app/paged-rows.svelte.ts'
import type { TableModel } from '../../app/table-keys.ts'
import { attempt } from '../../app/toasts.svelte.ts'

type Query = Omit<RemoteBoxQuery, 'offset' | 'limit'>

const pageSize = 500
/** As many as can be put into the queue at once. */
export const mostSelected = 1000

export const tagOf = ({ organization, box }: Pick<RemoteBox, 'organization' | 'box'>): string =>
  `${organization}/${box}`

/** The boxes of one remote that a person looks at, and those of them they have selected. */
export class RemoteBoxes implements TableModel {
  readonly found = new PagedRows<Query, RemoteBox>((query, offset, limit) =>
    ask('remotes.boxes', { ...query, offset, limit })
  )
  cursor = $state(-1)
  /** Called when another query's rows took the place of those shown. */
  onQuery: () => void = () => undefined

  #query = $state.raw<Query>({ remoteId: 0, standing: null, q: '' })
  #selected = $state.raw<ReadonlyMap<string, RemoteBox>>(new Map())
  /** What was selected before the range that is being drawn. */
  #before: ReadonlyMap<string, RemoteBox> | null = null
  #anchor = -1
  #turn = 0

  constructor(remoteId: number) {
    this.#query = { ...this.#query, remoteId }
    this.found.onQuery = () => {
      this.cursor = this.#anchor = -1
      this.onQuery()
    }
    this.found.onRows = () => {
      this.cursor = Math.min(this.cursor, this.total - 1)
      this.#followSelected()
    }
    this.found.find(this.#query)
  }

  get query(): Query {
    return this.#query
  }

  change(changes: Partial<Query>): void {
    this.#query = { ...this.#query, ...changes }
    this.clearSelection()
    this.found.find(this.#query)
  }

  get total(): number {
    return this.found.total ?? 0
  }

  get row(): RemoteBox | undefined {
    return this.cursor < 0 ? undefined : this.found.row(this.cursor)
  }

  get selected(): readonly RemoteBox[] {
    return [...this.#selected.values()]
  }

  get hasSelection(): boolean {
    return this.#selected.size > 0
  }

  isSelected(row: RemoteBox): boolean {
    return this.#selected.has(tagOf(row))
  }

  clearSelection(): void {
    this.#turn += 1
    this.#selected = new Map()
    this.#before = null
  }

  moveTo(index: number): void {
    this.cursor = this.#anchor = index
    this.#before = null
  }

  toggle(index: number): void {
    const row = this.found.row(index)
    if (!row) return
    const next = new Map(this.#selected)
    if (!next.delete(tagOf(row)) && next.size < mostSelected) next.set(tagOf(row), row)
    this.#selected = next
    this.moveTo(index)
  }

  async extendTo(index: number): Promise<void> {
    if (this.#anchor < 0) this.#anchor = index
    this.cursor = index
    const from = Math.min(this.#anchor, index)
    await this.#select(from, Math.abs(this.#anchor - index) + 1)
  }

  async selectAll(): Promise<void> {
    this.#before = null
    await this.#select(0, this.total)
  }

  async #select(from: number, count: number): Promise<void> {
    const turn = (this.#turn += 1)
    const query = this.#query
    const before = (this.#before ??= this.#selected)
    const rows: RemoteBox[] = []
    const end = from + Math.min(count, mostSelected)
    const done = await attempt(async () => {
      for (let offset = from; offset < end; offset += pageSize) {
        const limit = Math.min(pageSize, end - offset)
        rows.push(...(await ask('remotes.boxes', { ...query, offset, limit })).rows)
      }
      return true
    })
    if (!done || turn !== this.#turn) return
    this.#selected = new Map(
      [...before, ...rows.map((row) => [tagOf(row), row] as const)].slice(0, mostSelected)
    )
  }

  /** Rows are read again: what is selected is what they are now. */
  #followSelected(): void {
    if (this.#selected.size === 0) return
    const next = new Map(this.#selected)
    for (let index = 0; index < Math.min(this.total, mostSelected); index += 1) {
      const row = this.found.row(index)
      if (row && next.has(tagOf(row))) next.set(tagOf(row), row)
    }
    this.#selected = next
  }
}
