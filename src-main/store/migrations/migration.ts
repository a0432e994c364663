import type { Db } from '../open.ts'

/** One numbered step of the schema. A step that has been released is never edited; a later one mends it. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  /**
   * Work that is too much for one transaction, called after the newest step at each opening: it knows for itself
   * whether any is left, and goes on where an earlier one was cut off.
   */
  readonly finish?: (db: Db) => void
}
