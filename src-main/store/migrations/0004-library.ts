import type { Migration } from './migration.ts'

export const library: Migration = {
  number: 4,
  name: 'library',
  sql: ''
}
