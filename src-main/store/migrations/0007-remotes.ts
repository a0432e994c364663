import type { Migration } from './migration.ts'

/** Remote registries and folders: what is known of them, what is mirrored, and what is on its way. */
export const remotes: Migration = {
  number: 7,
  name: 'remotes',
  sql: `
    CREATE TABLE remotes (
      -- Never given again: a draft that still names one that was removed must not go to the next.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL CHECK (kind IN ('http', 'folder')),
      location TEXT NOT NULL,
      api TEXT CHECK (api IN ('v1', 'v2')),
      identity TEXT NOT NULL, -- what tells it from another one at the same place; compared at each run
      account TEXT,
      organizations TEXT NOT NULL DEFAULT '[]', -- as JSON
      organization_map TEXT NOT NULL DEFAULT '{}', -- from names here to names there, as JSON
      allow_plain_http INTEGER NOT NULL DEFAULT 0 CHECK (allow_plain_http IN (0, 1)),
      certificates TEXT, -- PEM
      -- What the keychain knows its token by; null when none was given. The token itself is in no database.
      token_name TEXT,
      check_minutes INTEGER,
      health TEXT NOT NULL DEFAULT 'unknown',
      health_note TEXT,
      checked_at INTEGER,
      cursor TEXT, -- where the last look at its listing ended, as JSON
      created_at INTEGER NOT NULL
    ) STRICT;

    -- How each box stands at each remote, and what both last agreed on.
    CREATE TABLE remote_boxes (
      remote_id INTEGER NOT NULL REFERENCES remotes ON DELETE CASCADE,
      tag_key TEXT NOT NULL, -- of the tag here
      organization TEXT NOT NULL,
      name TEXT NOT NULL,
      base TEXT, -- the snapshot both last agreed on, as JSON; null when there never was one
      -- As each side told when it was last looked at: while both are the same, nothing has to be read.
      remote_stamp TEXT,
      local_stamp TEXT,
      standing TEXT NOT NULL,
      differences TEXT NOT NULL DEFAULT '[]', -- sentences, as JSON
      checked_at INTEGER NOT NULL,
      PRIMARY KEY (remote_id, tag_key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX remote_boxes_by_tag ON remote_boxes (tag_key);
    CREATE INDEX remote_boxes_by_standing ON remote_boxes (remote_id, standing, tag_key);

    -- Boxes that are kept as a remote has them.
    CREATE TABLE mirrored_boxes (
      box_id INTEGER PRIMARY KEY REFERENCES boxes ON DELETE CASCADE,
      remote_id INTEGER NOT NULL REFERENCES remotes ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX mirrored_boxes_by_remote ON mirrored_boxes (remote_id);

    -- Images of mirrored boxes whose bytes are at the remote alone.
    CREATE TABLE known_images (
      image_id INTEGER PRIMARY KEY REFERENCES images ON DELETE CASCADE,
      remote_id INTEGER NOT NULL REFERENCES remotes ON DELETE CASCADE,
      size INTEGER,
      checksums TEXT NOT NULL DEFAULT '{}' -- by type, as JSON
    ) STRICT;
    CREATE INDEX known_images_by_remote ON known_images (remote_id);

    CREATE TABLE mirror_rules (
      id INTEGER PRIMARY KEY AUTOINCREMENT, -- scripts name it
      remote_id INTEGER NOT NULL REFERENCES remotes ON DELETE CASCADE,
      rule TEXT NOT NULL, -- as JSON
      created_at INTEGER NOT NULL,
      last_run_at INTEGER,
      last_note TEXT,
      last_failed INTEGER NOT NULL DEFAULT 0 CHECK (last_failed IN (0, 1))
    ) STRICT;
    CREATE INDEX mirror_rules_by_remote ON mirror_rules (remote_id);

    CREATE TABLE transfers (
      id TEXT PRIMARY KEY,
      remote_id INTEGER REFERENCES remotes ON DELETE SET NULL,
      remote_name TEXT NOT NULL,
      direction TEXT NOT NULL CHECK (direction IN ('publish', 'pull')),
      organization TEXT NOT NULL,
      name TEXT NOT NULL,
      tag_key TEXT NOT NULL,
      request TEXT NOT NULL, -- as JSON
      state TEXT NOT NULL CHECK (state IN
        ('queued', 'running', 'verifying', 'paused', 'waiting', 'done', 'failed', 'cancelled')),
      position INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      waiting_for TEXT,
      next_attempt_at INTEGER,
      problem TEXT, -- sentences, as a JSON array
      conflicts TEXT NOT NULL DEFAULT '[]', -- as JSON
      bytes_total INTEGER,
      by_mirror INTEGER NOT NULL DEFAULT 0 CHECK (by_mirror IN (0, 1)),
      created_at INTEGER NOT NULL,
      finished_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX transfers_by_state ON transfers (state, position);
    CREATE INDEX transfers_by_turn ON transfers (state, remote_id, position);
    CREATE INDEX transfers_by_position ON transfers (position);
    CREATE INDEX transfers_by_time ON transfers (next_attempt_at) WHERE state = 'waiting';
    CREATE INDEX transfers_with_bytes ON transfers (state, bytes_total) WHERE bytes_total IS NOT NULL;
    CREATE INDEX transfers_by_tag ON transfers (remote_id, tag_key);

    CREATE TABLE transfer_steps (
      transfer_id TEXT NOT NULL REFERENCES transfers ON DELETE CASCADE,
      ordinal INTEGER NOT NULL,
      key TEXT NOT NULL,
      step TEXT NOT NULL, -- as JSON
      state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'verifying', 'done', 'left-out')),
      bytes_done INTEGER NOT NULL DEFAULT 0,
      -- What the end needs to go on after a crash: the id of staged bytes, the callback of an upload. As JSON.
      memo TEXT,
      staged_id TEXT, -- so that nobody takes those bytes for a leftover
      PRIMARY KEY (transfer_id, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX transfer_steps_by_staged_id ON transfer_steps (staged_id) WHERE staged_id IS NOT NULL;
  `
}
