import type { Migration } from './migration.ts'

export const catalogue: Migration = {
  number: 2,
  name: 'catalogue',
  sql: `
    CREATE TABLE boxes (
      id INTEGER PRIMARY KEY,
      organization_id INTEGER NOT NULL REFERENCES organizations ON DELETE CASCADE,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      short_description TEXT NOT NULL DEFAULT '',
      description TEXT NOT NULL DEFAULT '',
      description_html TEXT NOT NULL DEFAULT '',
      private INTEGER NOT NULL DEFAULT 1 CHECK (private IN (0, 1)),
      downloads INTEGER NOT NULL DEFAULT 0,
      current_version_id INTEGER REFERENCES versions ON DELETE SET NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (organization_id, name_key)
    ) STRICT;
    CREATE INDEX boxes_by_current_version ON boxes (current_version_id);

    CREATE TABLE versions (
      id INTEGER PRIMARY KEY,
      box_id INTEGER NOT NULL REFERENCES boxes ON DELETE CASCADE,
      number TEXT NOT NULL,
      -- Equal for numbers that compare equal, so 1.0 and 1.0.0 cannot both exist, and sorts in their order.
      number_key TEXT NOT NULL,
      status TEXT NOT NULL DEFAULT 'unreleased' CHECK (status IN ('unreleased', 'active', 'revoked')),
      description TEXT NOT NULL DEFAULT '',
      description_html TEXT NOT NULL DEFAULT '',
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (box_id, number_key)
    ) STRICT;

    -- A row says that the bytes are in the blob store, whole. What no image or upload names is garbage.
    CREATE TABLE blobs (
      sha256 TEXT PRIMARY KEY,
      size INTEGER NOT NULL,
      format TEXT NOT NULL, -- what the inspection found, see blobs/inspect.ts
      facts TEXT NOT NULL DEFAULT '{}',
      created_at INTEGER NOT NULL,
      verified_at INTEGER,
      damaged_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE images (
      id INTEGER PRIMARY KEY,
      version_id INTEGER NOT NULL REFERENCES versions ON DELETE CASCADE,
      provider TEXT NOT NULL,
      architecture TEXT NOT NULL DEFAULT 'unknown',
      is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
      url TEXT,
      blob TEXT REFERENCES blobs,
      checksum_type TEXT, -- what a client asked for; sha256 when nobody asked
      checksum TEXT, -- of the bytes in blob, in that type
      -- Given by a client, in that type, for bytes that have yet to come (others are refused) or lie at the url.
      expected_checksum TEXT,
      hosted_token TEXT,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      UNIQUE (version_id, provider, architecture),
      CHECK (url IS NULL OR blob IS NULL)
    ) STRICT;
    CREATE UNIQUE INDEX images_one_default ON images (version_id, provider) WHERE is_default = 1;
    CREATE INDEX images_by_blob ON images (blob) WHERE blob IS NOT NULL;

    CREATE TABLE uploads (
      id TEXT PRIMARY KEY,
      key_hash TEXT NOT NULL,
      image_id INTEGER NOT NULL REFERENCES images ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('simple', 'direct')),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL, -- for a first byte; an upload that has started may take as long as it needs
      started_at INTEGER,
      -- What a direct upload brought and its callback has yet to publish.
      blob TEXT REFERENCES blobs,
      checksums TEXT NOT NULL DEFAULT '{}', -- those of the bytes that were computed while they came, by type
      finished_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX uploads_by_image ON uploads (image_id);
    CREATE INDEX uploads_by_blob ON uploads (blob) WHERE blob IS NOT NULL;

    -- Sidecars that have to be written again, put here in the transaction that made them stale.
    CREATE TABLE stale_sidecars (
      sha256 TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE downloads_by_day (
      box_id INTEGER NOT NULL REFERENCES boxes ON DELETE CASCADE,
      day TEXT NOT NULL, -- 2026-01-31, UTC
      count INTEGER NOT NULL,
      PRIMARY KEY (box_id, day)
    ) STRICT, WITHOUT ROWID;
  `
}
