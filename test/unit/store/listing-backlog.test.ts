import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LibraryQuery } from '../../../src-main/contract/library.ts'
import { libraryReader } from '../../../src-main/store/library-reader.ts'
import { listingSearch, searchReaders } from '../../../src-main/store/listing-search.ts'
import { listingTable } from '../../../src-main/store/listings.ts'
import { migrate } from '../../../src-main/store/migrate.ts'
import { migrations } from '../../../src-main/store/migrations/index.ts'
import type { Db } from '../../../src-main/store/open.ts'
import { smallCatalogue } from '../../support/small-catalogue.ts'

const query: LibraryQuery = {
  ...{ q: '', provider: null, architecture: null, organization: null },
  ...{ visibility: 'any', state: 'any', origin: 'any', sort: 'name', order: 'asc' }
}

/** The schema before every box was listed, with boxes, and one of them listed as it was then. */
function oldCatalogue(): Db {
  const db = new Database(':memory:')
  onTestFinished(() => void db.close())
  migrate(db, migrations.slice(0, 3))
  const catalogue = smallCatalogue(db)
  for (let id = 1; id <= 5; id++)
    catalogue.put({
      ...{ id, organization: 'acme', name: `box-${id}`, shortDescription: 'old', private: false },
      ...{ downloads: id, createdAt: id, updatedAt: id },
      versions: [{ status: id === 3 ? 'unreleased' : 'active', images: [['virtualbox', 'amd64']] }]
    })
  db.exec(`
    INSERT INTO listings VALUES (1, 1, 0, 'acme/box-1', 'old', 'virtualbox/amd64', 1, 1, 1);
    INSERT INTO search_terms VALUES (1, '+');
    INSERT INTO search_postings VALUES (1, x'0100');
    INSERT INTO search_stamps VALUES (0, 7);
    INSERT INTO search_rankings VALUES (1, 0, 1, 'acme/box-1', x'01000000')
  `)
  return db
}

/** Brings it to the newest schema as a start does that is cut off right after. */
const migrateAndStop = (db: Db): void => {
  migrate(
    db,
    migrations.map(({ number, name, sql }) => ({ number, name, sql }))
  )
}

function expectAllListed(db: Db): void {
  const readers = searchReaders(db)
  const found = libraryReader(db, readers).find({ query, offset: 0, limit: 10 })
  expect(found.rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  const inRegistry = listingSearch(
    db,
    undefined,
    readers
  )({
    ...{ q: 'old box', provider: 'virtualbox', architecture: 'amd64', privateIn: 'all' },
    ...{ sort: 'downloads', order: 'desc', limit: 10, offset: 0 }
  })
  expect(inRegistry).toEqual([5, 4, 2, 1])
}

describe('a catalogue from before every box was listed', () => {
  it('is listed whole when it is brought up to date', () => {
    const db = oldCatalogue()
    migrate(db)
    expectAllListed(db)
  })

  it('is listed by the next start when the first was cut off, with what was changed in between', () => {
    const db = oldCatalogue()
    migrateAndStop(db)
    listingTable(db).refresh(4)
    expect(db.prepare('SELECT box_id FROM listings').pluck().all()).toEqual([4])
    migrate(db)
    expectAllListed(db)
  })

  it('is looked through once', () => {
    const db = oldCatalogue()
    migrate(db)
    const changes = db.prepare('SELECT total_changes()').pluck()
    const before = changes.get()
    migrate(db)
    expect(changes.get()).toBe(before)
    expect(db.prepare('SELECT count(*) FROM search_backlog').pluck().get()).toBe(0)
  })

  it('holds nothing to do for a new catalogue', () => {
    const db = new Database(':memory:')
    onTestFinished(() => void db.close())
    migrateAndStop(db)
    expect(db.prepare('SELECT count(*) FROM search_backlog').pluck().get()).toBe(0)
  })
})
