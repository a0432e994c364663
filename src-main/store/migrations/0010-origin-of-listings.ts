import { finishListing } from '../listing-backlog.ts'
import type { Migration } from './migration.ts'

/** The library can ask whose a box is, so every box is listed anew. */
export const originOfListings: Migration = {
  number: 10,
  name: 'origin-of-listings',
  sql: `
    -- 0 an own box, 1 a mirrored one, 2 one with images whose bytes are at the remote alone
    ALTER TABLE listings ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
    DELETE FROM listings;
    DELETE FROM search_postings;
    DELETE FROM search_terms;
    DELETE FROM search_rankings;
    UPDATE search_stamps SET stamp = random() >> 12;
    INSERT INTO search_backlog
      SELECT unixepoch() WHERE EXISTS (SELECT 1 FROM boxes) AND NOT EXISTS (SELECT 1 FROM search_backlog);
  `,
  finish: finishListing
}
