import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openCatalogue, openCatalogueReadOnly } from '../../../src-main/store/open.ts'
import { tempDir } from '../../support/temp.ts'

describe('the catalogue database', () => {
  it('keeps acknowledged changes through a power cut and enforces references', () => {
    const db = openCatalogue(tempDir())
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(db.pragma('synchronous', { simple: true })).toBe(2)
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
    expect(db.pragma('busy_timeout', { simple: true })).toBe(10_000)
    db.close()
  })

  it('runs on a SQLite without the write-ahead log reset fault', () => {
    const version = new Database(':memory:').prepare('SELECT sqlite_version()').pluck().get() as string
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003)
  })

  it('makes a data folder that only its owner can read', () => {
    const dataDir = join(tempDir(), 'new')
    openCatalogue(dataDir).close()
    expect(statSync(dataDir).mode & 0o077).toBe(0)
  })

  it('reports a statement that takes long, and returns what it returned', () => {
    const slow: string[] = []
    const db = openCatalogue(tempDir(), (sql) => slow.push(sql))
    const count =
      'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3000000) SELECT max(x) FROM n'
    expect(db.prepare(count).pluck().get()).toBe(3_000_000)
    expect(db.prepare('SELECT 1').pluck().get()).toBe(1)
    expect(slow).toEqual([count])
    db.close()
  })

  it('cannot be changed through a reading connection', () => {
    const dataDir = tempDir()
    const writer = openCatalogue(dataDir)
    const reader = openCatalogueReadOnly(dataDir)
    expect(() => reader.exec("INSERT INTO settings VALUES ('a', 'b')")).toThrow('readonly')
    reader.close()
    writer.close()
  })
})
