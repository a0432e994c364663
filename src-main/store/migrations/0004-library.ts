import { finishListing } from '../listing-backlog.ts'
import type { Migration } from './migration.ts'

/** Every box is listed now, with what the library shows and asks for; the registry's search leaves out what it did before. */
export const library: Migration = {
  number: 4,
  name: 'library',
  sql: `
    DROP TABLE listings;
    -- Every box. No cascade: whoever deletes a box has to take it out of the tables of search first.
    CREATE TABLE listings (
      box_id INTEGER PRIMARY KEY REFERENCES boxes,
      organization_id INTEGER NOT NULL,
      private INTEGER NOT NULL,
      released INTEGER NOT NULL, -- has an active version; others the registry's search does not find
      unreleased INTEGER NOT NULL, -- has an unreleased one
      bytes INTEGER NOT NULL, -- of its images: 0 there are none, 1 no bytes are here, 2 some, 3 all
      downloads INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      size INTEGER NOT NULL, -- of the bytes that are here, each file once
      versions INTEGER NOT NULL,
      current_version TEXT,
      tag_key TEXT NOT NULL,
      images TEXT NOT NULL, -- libvirt/amd64,virtualbox/amd64: of its active versions; names hold neither "/" nor ","
      other_images TEXT NOT NULL, -- those that only its other versions have
      description TEXT NOT NULL -- the short one, folded
    ) STRICT;

    DELETE FROM search_postings;
    DELETE FROM search_terms;
    DELETE FROM search_rankings;
    UPDATE search_stamps SET stamp = random() >> 12;

    -- Has a row until every box there was is listed, see listing-backlog.ts.
    CREATE TABLE search_backlog (
      since INTEGER NOT NULL
    ) STRICT;
    INSERT INTO search_backlog SELECT unixepoch() WHERE EXISTS (SELECT 1 FROM boxes);
  `,
  finish: finishListing
}
