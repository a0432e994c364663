import type { Migration } from './migration.ts'

export const search: Migration = { number: 3, name: 'search', sql: `` }
