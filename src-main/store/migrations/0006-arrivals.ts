import type { Migration } from './migration.ts'

export const arrivals: Migration = {
  number: 6,
  name: 'arrivals',
  sql: ''
}
