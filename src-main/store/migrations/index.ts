import { accounts } from './0001-accounts.ts'
import { catalogue } from './0002-catalogue.ts'
import { search } from './0003-search.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [accounts, catalogue, search]
