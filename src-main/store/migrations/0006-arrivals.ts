import type { Migration } from './migration.ts'

/** Box files on their way in, from the moment they are dropped until they are published. */
export const arrivals: Migration = {
  number: 6,
  name: 'arrivals',
  sql: `
    CREATE TABLE arrivals (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('path', 'stream', 'url')),
      file_name TEXT NOT NULL,
      origin TEXT NOT NULL,
      state TEXT NOT NULL
        CHECK (state IN ('waiting', 'reading', 'ready', 'publishing', 'published', 'failed', 'cancelled')),
      position INTEGER NOT NULL, -- those that wait are read in this order
      size INTEGER,
      confirmed INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)),
      draft TEXT NOT NULL, -- as JSON
      touched TEXT NOT NULL, -- the fields of the draft that the person has given, as a JSON array
      -- The name of its bytes in the staging area. It is there before they are, so that nobody takes them for a leftover.
      staged_id TEXT,
      -- What reading the bytes told; their sha256 keeps them in the store between their commit and their image.
      sha256 TEXT,
      checksums TEXT, -- by type, as JSON
      facts TEXT, -- as JSON
      problem TEXT, -- sentences, as a JSON array
      created_at INTEGER NOT NULL,
      finished_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX arrivals_by_state ON arrivals (state, position);
    CREATE INDEX arrivals_by_staged_id ON arrivals (staged_id) WHERE staged_id IS NOT NULL;
    CREATE INDEX arrivals_by_sha256 ON arrivals (sha256) WHERE sha256 IS NOT NULL;
  `
}
