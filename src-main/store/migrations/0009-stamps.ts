import type { Migration } from './migration.ts'

/**
 * All that tells whether a box has changed, here and as it was last seen at a remote. A look goes through the stamps of
 * every box; the rows themselves hold descriptions, and what was agreed on, which are a hundred times as long.
 */
export const stamps: Migration = {
  number: 9,
  name: 'stamps',
  sql: `
    CREATE INDEX boxes_by_stamps ON boxes (organization_id, name_key, private, name, updated_at, revision);
    CREATE INDEX remote_boxes_by_stamps
      ON remote_boxes (remote_id, tag_key, standing, remote_stamp, local_stamp, checked_at);
  `
}
