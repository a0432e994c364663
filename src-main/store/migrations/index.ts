import { accounts } from './0001-accounts.ts'
import { catalogue } from './0002-catalogue.ts'
import { search } from './0003-search.ts'

/** One numbered step of the schema. A step that has been released is never edited; a later one mends it. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
}

export const migrations: readonly Migration[] = [accounts, catalogue, search]
