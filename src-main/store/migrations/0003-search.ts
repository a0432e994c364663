import type { Migration } from './index.ts'

export const search: Migration = { number: 3, name: 'search', sql: `` }
