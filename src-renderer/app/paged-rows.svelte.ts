import type { Refusal } from '../../src-main/contract/desk.ts'
import { refusalOf } from './live.svelte.ts'

const pageSize = 100
const mostPages = 40
const mostAtOnce = 3

interface Page<Row> {
  readonly rows: readonly Row[]
  /** The state of the database it was read in, counted by what this window was told. */
  readonly epoch: number
}

/** Reads a part of what a query finds. */
export type ReadPage<Query, Row> = (
  query: Query,
  offset: number,
  limit: number
) => Promise<{ readonly total: number; readonly rows: readonly Row[] }>

/** What one query finds: how much in all, and the pages of it that were read. */
class Answer<Query, Row> {
  readonly query: Query
  total = 0
  readonly pages = new Map<number, Page<Row>>()

  constructor(query: Query) {
    this.query = query
  }
}

/**
 * The rows a query finds, read page by page as they come into sight. What is shown stays until what replaces it is here:
 * neither another query nor a change in the database makes anything flicker.
 */
export class PagedRows<Query, Row> {
  /** Called when another query's rows took the place of those shown. */
  onQuery: () => void = () => undefined
  /** Called when rows shown were read again. */
  onRows: () => void = () => undefined

  readonly #readPage: ReadPage<Query, Row>
  #shown: Answer<Query, Row> | null = null
  /** Asked for, and not here yet. */
  #next: Answer<Query, Row> | null = null
  #first = 0
  #last = 0
  #epoch = 0
  readonly #asked = new Set<string>()
  #failed = new Set<string>()
  /** Everything above is followed by this alone: it counts what is seen of it. */
  #version = $state(0)
  #problem = $state.raw<Refusal | null>(null)

  constructor(readPage: ReadPage<Query, Row>) {
    this.#readPage = readPage
  }

  /** Null until something was found, if only nothing. */
  get total(): number | null {
    void this.#version
    return this.#shown?.total ?? null
  }

  /** The query whose rows are shown. */
  get query(): Query | null {
    void this.#version
    return this.#shown?.query ?? null
  }

  get problem(): Refusal | null {
    return this.#problem
  }

  /** Undefined while it is being read. */
  row(index: number): Row | undefined {
    void this.#version
    return this.#shown?.pages.get(Math.floor(index / pageSize))?.rows[index % pageSize]
  }

  /** Where the first such row is among those that were read; -1 if it is not. */
  indexOf(isWanted: (row: Row) => boolean): number {
    for (const [number, { rows }] of this.#shown?.pages ?? []) {
      const place = rows.findIndex(isWanted)
      if (place >= 0) return number * pageSize + place
    }
    return -1
  }

  /** Those that were read. */
  *read(): Iterable<Row> {
    for (const { rows } of this.#shown?.pages.values() ?? []) yield* rows
  }

  find(query: Query): void {
    const current = this.#next ?? this.#shown
    if (current && JSON.stringify(current.query) === JSON.stringify(query)) return
    this.#next =
      this.#shown && JSON.stringify(this.#shown.query) === JSON.stringify(query) ? null : new Answer(query)
    this.#failed.clear()
    this.#read()
  }

  /** Rows `first` to `last` are in sight. */
  show(first: number, last: number): void {
    this.#first = first
    this.#last = last
    this.#read()
  }

  /** Something changed: what is in sight is read again now, the rest when it comes into sight. */
  refresh(): void {
    this.#epoch += 1
    this.#failed.clear()
    this.#read()
  }

  #read(): void {
    if (this.#next) {
      this.#ask(this.#next, 0)
      return
    }
    const answer = this.#shown
    if (!answer) return
    const end = Math.max(0, Math.ceil(answer.total / pageSize) - 1)
    const from = Math.min(Math.floor(this.#first / pageSize), end)
    const to = Math.min(Math.floor(this.#last / pageSize), end)
    for (let number = from; number <= to; number += 1)
      if (answer.pages.get(number)?.epoch !== this.#epoch) this.#ask(answer, number)
    // Neighbours, so that slow scrolling never meets an empty row.
    for (const number of [to + 1, from - 1])
      if (number >= 0 && number <= end && !answer.pages.has(number)) this.#ask(answer, number)
  }

  #ask(answer: Answer<Query, Row>, number: number): void {
    const epoch = this.#epoch
    const key = `${JSON.stringify(answer.query)} ${number} ${epoch}`
    // Another query is always asked for at once; for scrolling, what is in sight when one has come is what counts.
    if (this.#asked.has(key) || this.#failed.has(key)) return
    if (answer !== this.#next && this.#asked.size >= mostAtOnce) return
    this.#asked.add(key)
    this.#readPage(answer.query, number * pageSize, pageSize)
      .then(
        ({ total, rows }) => this.#take(answer, number, { rows, epoch }, total),
        (error: unknown) => {
          this.#failed.add(key)
          if (answer === this.#next || answer === this.#shown) this.#problem = refusalOf(error)
        }
      )
      .finally(() => {
        this.#asked.delete(key)
        this.#read()
      })
  }

  #take(answer: Answer<Query, Row>, number: number, page: Page<Row>, total: number): void {
    const isNew = answer === this.#next
    if (!isNew && answer !== this.#shown) return
    if ((answer.pages.get(number)?.epoch ?? -1) > page.epoch) return
    answer.pages.set(number, page)
    answer.total = total
    this.#problem = null
    if (isNew) {
      this.#shown = answer
      this.#next = null
    }
    this.#forgetFar(answer)
    this.#version += 1
    if (isNew) this.onQuery()
    else this.onRows()
  }

  /** Memory is bounded: the pages farthest from what is in sight go first. */
  #forgetFar({ pages }: Answer<Query, Row>): void {
    const middle = (this.#first + this.#last) / 2 / pageSize
    while (pages.size > mostPages) {
      const farthest = [...pages.keys()].reduce((a, b) =>
        Math.abs(a - middle) > Math.abs(b - middle) ? a : b
      )
      pages.delete(farthest)
    }
  }
}
