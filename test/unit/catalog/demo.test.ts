import { describe, expect, it } from 'vitest'
import { Demo } from '../../../src-main/catalog/demo.ts'
import { nameFault } from '../../../src-main/domain/names.ts'
import { shortDescriptionFault } from '../../../src-main/domain/texts.ts'
import { architectureFault } from '../../../src-main/domain/architecture.ts'
import { numberFault, numberKey } from '../../../src-main/domain/version-number.ts'
import { listingSearch } from '../../../src-main/store/listing-search.ts'
import { openCatalogue, type Db } from '../../../src-main/store/open.ts'
import { settingsTable } from '../../../src-main/store/settings.ts'
import { versionTable } from '../../../src-main/store/versions.ts'
import { tempDir } from '../../support/temp.ts'

const tables = [
  'boxes',
  'versions',
  'images',
  'listings',
  'search_terms',
  'search_postings',
  'search_rankings'
]
const contents = (db: Db) => tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all())
const one = <T>(db: Db, sql: string) => db.prepare<[], T>(sql).pluck().get()

async function demo(boxes: number, seed = 1): Promise<Db> {
  const db = openCatalogue(tempDir())
  await new Demo(db).create({ boxes, seed })
  return db
}

describe('the demonstration catalogue', () => {
  it('is the same for the same seed and another for another', async () => {
    const [first, second, other] = [await demo(200), await demo(200), await demo(200, 2)]
    expect(contents(second)).toEqual(contents(first))
    expect(contents(other)).not.toEqual(contents(first))
  })

  it('keeps every rule of the catalogue', async () => {
    const db = await demo(600)
    const all = <T>(sql: string) => db.prepare<[], T>(sql).all()
    for (const { name } of all<{ name: string }>(
      'SELECT name FROM boxes UNION ALL SELECT name FROM organizations'
    ))
      expect(nameFault('The name', name)).toBeNull()
    for (const { text } of all<{ text: string }>('SELECT short_description AS text FROM boxes'))
      expect(shortDescriptionFault(text)).toBeNull()
    for (const { number, key } of all<{ number: string; key: string }>(
      'SELECT number, number_key AS key FROM versions'
    ))
      expect([numberFault(number), key]).toEqual([null, numberKey(number)])
    for (const { architecture } of all<{ architecture: string }>('SELECT DISTINCT architecture FROM images'))
      expect(architectureFault(architecture)).toBeNull()
    const versions = versionTable(db)
    for (const { id, current } of all<{ id: number; current: number | null }>(
      'SELECT id, current_version_id AS current FROM boxes'
    ))
      expect(versions.currentOf(id)).toBe(current)
    expect(
      all('SELECT 1 FROM images GROUP BY version_id, provider HAVING sum(is_default) <> 1'),
      'one default for each provider of a version'
    ).toEqual([])
    expect(all('PRAGMA foreign_key_check')).toEqual([])
    expect(one(db, 'SELECT count(*) FROM boxes WHERE updated_at < created_at')).toBe(0)
  })

  it('has something of everything', async () => {
    const db = await demo(2000)
    for (const [what, sql] of Object.entries({
      private: 'SELECT count(*) FROM boxes WHERE private = 1',
      unreleased: "SELECT count(*) FROM versions WHERE status = 'unreleased'",
      revoked: "SELECT count(*) FROM versions WHERE status = 'revoked'",
      prerelease: "SELECT count(*) FROM versions WHERE number LIKE '%-%'",
      'never downloaded': 'SELECT count(*) FROM boxes WHERE downloads = 0',
      famous: 'SELECT count(*) FROM boxes WHERE downloads > 1000000',
      'without a release': 'SELECT count(*) FROM boxes WHERE current_version_id IS NULL'
    }))
      expect(one<number>(db, sql), what).toBeGreaterThan(0)
    const biggest = one<number>(
      db,
      'SELECT count(*) FROM boxes GROUP BY organization_id ORDER BY 1 DESC LIMIT 1'
    )
    expect(biggest).toBeGreaterThan(200)
  })

  it('can be found at once, and belongs to the owner', async () => {
    const db = openCatalogue(tempDir())
    db.exec("INSERT INTO users (id, name, name_key, created_at, updated_at) VALUES (7, 'Ann', 'ann', 0, 0)")
    settingsTable(db).set('owner', 7)
    await new Demo(db).create({ boxes: 100, seed: 1 })
    const found = listingSearch(db)({
      ...{ q: 'ubuntu', provider: 'virtualbox', architecture: null, privateIn: 'all' },
      ...{ sort: 'downloads', order: 'desc', limit: 100, offset: 0 }
    })
    expect(found.length).toBeGreaterThan(5)
    expect(one(db, "SELECT count(*) FROM members WHERE user_id = 7 AND role = 'admin'")).toBe(
      one(db, 'SELECT count(*) FROM organizations WHERE owner_id = 7')
    )
  })

  it('made a second time adds as many boxes under other names', async () => {
    const db = await demo(150)
    const before = contents(db)[0] as unknown[]
    const summary = await new Demo(db).create({ boxes: 150, seed: 1 })
    expect(summary.boxes).toBe(150)
    const after = contents(db)[0] as unknown[]
    expect(after).toHaveLength(300)
    expect(after.slice(0, 150)).toEqual(before)
  })
})
