import type { Migration } from './migration.ts'

export const trash: Migration = {
  number: 5,
  name: 'trash',
  sql: `
    -- What was deleted, until a clean-up; the newest id is the latest deletion.
    CREATE TABLE trash (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      what TEXT NOT NULL,
      deleted_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX trash_by_time ON trash (deleted_at);

    -- Each box, version or image of an entry, as the rows it consisted of.
    CREATE TABLE trash_items (
      id INTEGER PRIMARY KEY,
      trash_id INTEGER NOT NULL REFERENCES trash ON DELETE CASCADE,
      organization_id INTEGER NOT NULL, -- of the box it is, or belonged to
      content TEXT NOT NULL
    ) STRICT;
    CREATE INDEX trash_items_by_entry ON trash_items (trash_id);
    CREATE INDEX trash_items_by_organization ON trash_items (organization_id, trash_id);

    -- Bytes that have to stay while an entry does.
    CREATE TABLE trash_blobs (
      sha256 TEXT NOT NULL REFERENCES blobs,
      trash_id INTEGER NOT NULL REFERENCES trash ON DELETE CASCADE,
      PRIMARY KEY (sha256, trash_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX trash_blobs_by_entry ON trash_blobs (trash_id);
  `
}
