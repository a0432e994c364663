import type { Migration } from './migration.ts'

/** What search reads. All of it follows from the catalogue and can be made again from it. */
export const search: Migration = {
  number: 3,
  name: 'search',
  sql: `
    -- The boxes search can find. No cascade: whoever deletes a box has to take it out of the tables below first.
    CREATE TABLE listings (
      box_id INTEGER PRIMARY KEY REFERENCES boxes,
      organization_id INTEGER NOT NULL,
      private INTEGER NOT NULL,
      tag_key TEXT NOT NULL,
      description TEXT NOT NULL, -- the short one, folded
      images TEXT NOT NULL, -- libvirt/amd64,virtualbox/amd64: of its active versions; names hold neither "/" nor ","
      downloads INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;

    -- For each term the set of the listings that have it, in chunks of 65,536 box ids, see box-set.ts and postings.ts.
    -- The id is the chunk and the term in one number, chunk first: the terms of a new box then lie close together.
    CREATE TABLE search_terms (
      id INTEGER PRIMARY KEY,
      term TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE search_postings (
      id INTEGER PRIMARY KEY,
      boxes BLOB NOT NULL
    ) STRICT;

    -- Tell readers whether what they kept of the tables above and below still holds, see search-stamps.ts.
    CREATE TABLE search_stamps (
      part INTEGER PRIMARY KEY,
      stamp INTEGER NOT NULL
    ) STRICT;

    -- The ids of all listings in each order people may ask for, cut into blocks, see rankings.ts.
    -- (value, tag_key) is not above any key in its block, and above every key in the blocks before it.
    CREATE TABLE search_rankings (
      id INTEGER PRIMARY KEY,
      ranking INTEGER NOT NULL,
      value INTEGER NOT NULL,
      tag_key TEXT NOT NULL,
      boxes BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX search_rankings_in_order ON search_rankings (ranking, value, tag_key);
  `
}
