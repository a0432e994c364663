import { Problem } from '../domain/problem.ts'
import { preferencesTable, type PreferencesTable } from '../store/settings.ts'
import type { Db } from '../store/open.ts'
import { write } from '../store/write.ts'

const mostKeys = 100
const mostBytes = 64 * 1024
/** Reading and sending what is nested goes down into it, and how far that goes depends on who does it. */
const mostDepth = 100

/** What the interface remembers for itself between runs, by key; the product does not look into it. */
export class Preferences {
  readonly #db: Db
  readonly #table: PreferencesTable

  constructor(db: Db) {
    this.#db = db
    this.#table = preferencesTable(db)
  }

  read(): Record<string, unknown> {
    return Object.fromEntries(this.#table.all().map(({ key, value }) => [key, JSON.parse(value) as unknown]))
  }

  /** Null forgets the key. */
  write(key: string, value: unknown): void {
    if (value === null) return this.#table.remove(key)
    if (!isWithin(value, mostDepth))
      throw new Problem('invalid', `"${key}" is nested more than ${mostDepth} times, which no preference is.`)
    const text = JSON.stringify(value)
    if (Buffer.byteLength(text) > mostBytes)
      throw new Problem(
        'invalid',
        `"${key}" is larger than the ${mostBytes / 1024} kB a preference may have.`
      )
    write(this.#db, () => {
      if (!this.#table.has(key) && this.#table.count() >= mostKeys)
        throw new Problem('invalid', `There are ${mostKeys} preferences already, and no more are kept.`)
      this.#table.set(key, text)
    })
  }
}

const isWithin = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1)))
