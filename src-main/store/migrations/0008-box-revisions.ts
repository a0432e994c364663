import type { Migration } from './migration.ts'

/** A number that grows with every change to a box: two changes may come within one millisecond. */
export const boxRevisions: Migration = {
  number: 8,
  name: 'box-revisions',
  sql: `
    ALTER TABLE boxes ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  `
}
