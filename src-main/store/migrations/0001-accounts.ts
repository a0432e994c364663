import type { Migration } from './migration.ts'

/** `*_key` columns hold the lower-case form: names are unique without regard to case and shown as written. */
export const accounts: Migration = {
  number: 1,
  name: 'accounts',
  sql: `
    CREATE TABLE users (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      email TEXT,
      email_key TEXT UNIQUE,
      password_hash TEXT,
      totp_secret TEXT, -- sealed, see vault/
      totp_last_step INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;

    -- The six digits shown on this machine instead of sent by text message, and wrong answers to either second factor.
    CREATE TABLE sign_in_codes (
      user_id INTEGER PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      code_mac TEXT, -- keyed, see vault/
      expires_at INTEGER,
      wrong_tries INTEGER NOT NULL DEFAULT 0,
      last_wrong_at INTEGER
    ) STRICT;

    CREATE TABLE organizations (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      owner_id INTEGER REFERENCES users ON DELETE SET NULL,
      profile_markdown TEXT NOT NULL DEFAULT '',
      profile_html TEXT NOT NULL DEFAULT '',
      -- Grows with every change to the organization or anything in it: what ETags of its listing are made of.
      revision INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE members (
      organization_id INTEGER NOT NULL REFERENCES organizations ON DELETE CASCADE,
      user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('viewer', 'contributor', 'admin')),
      PRIMARY KEY (organization_id, user_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX members_by_user ON members (user_id);

    CREATE TABLE tokens (
      -- Never used again, so that whoever revokes by an id they saw a while ago hits nobody else.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
      hash TEXT NOT NULL UNIQUE,
      description TEXT NOT NULL DEFAULT '',
      created_at INTEGER NOT NULL,
      last_used_at INTEGER
    ) STRICT;
    CREATE INDEX tokens_by_user ON tokens (user_id);

    CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `
}
