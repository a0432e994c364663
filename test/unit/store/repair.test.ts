import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { nextCatalogueBackup } from '../../../src-main/store/backups.ts'
import { isDamage } from '../../../src-main/store/failures.ts'
import { databaseFaults } from '../../../src-main/store/integrity.ts'
import { listingTable } from '../../../src-main/store/listings.ts'
import { databaseFiles, openCatalogue } from '../../../src-main/store/open.ts'
import {
  damageBeforeOpening,
  forgetDamage,
  noteDamage,
  openProbed,
  repairDatabase
} from '../../../src-main/store/repair.ts'
import { copyDatabase } from '../../../src-main/store/snapshot.ts'
import { damages, damageTable, overwrite } from '../../support/damage.ts'
import { tempDir } from '../../support/temp.ts'

/** A catalogue with enough in it to have pages worth damaging. */
function filled(dataDir = tempDir(), users = 2000): string {
  const db = openCatalogue(dataDir)
  const insert = db.prepare('INSERT INTO users (name, name_key, created_at, updated_at) VALUES (?, ?, 1, 1)')
  db.transaction(() => {
    for (let i = 0; i < users; i++) insert.run(`user-${i}-${'x'.repeat(60)}`, `user-${i}`)
  })()
  db.close()
  return dataDir
}

const usersIn = (dataDir: string): number => {
  const db = openProbed(dataDir)
  const count = db.prepare('SELECT count(*) FROM users').pluck().get() as number
  expect(databaseFaults(db)).toEqual([])
  db.close()
  return count
}

/** As a start finds out: before opening, or by opening. */
function damageOf(dataDir: string): string | null {
  const before = damageBeforeOpening(dataDir, true)
  if (before !== null) return before
  try {
    openProbed(dataDir).close()
    return null
  } catch (error) {
    if (isDamage(error)) return (error as Error).message
    throw error
  }
}

describe('a sound catalogue', () => {
  it('is not taken for a damaged one', () => {
    expect(damageOf(filled())).toBeNull()
  })

  it('is not one after a kill either, with its last changes in the log', () => {
    const dataDir = filled()
    const db = openCatalogue(dataDir)
    db.exec("INSERT INTO settings VALUES ('a', '1')")
    const copy = tempDir()
    const { catalogue } = databaseFiles(dataDir)
    for (const end of ['', '-wal'])
      writeFileSync(databaseFiles(copy).catalogue + end, readFileSync(catalogue + end))
    db.close()
    expect(damageOf(copy)).toBeNull()
    const again = openCatalogue(copy)
    expect(again.prepare('SELECT value FROM settings').pluck().get()).toBe('1')
    again.close()
  })

  it('may be missing where nothing was kept yet', () => {
    expect(damageBeforeOpening(tempDir(), false)).toBeNull()
  })

  it('that this account may not read is not taken for a damaged one, nor is a folder in its place', () => {
    const dataDir = tempDir()
    mkdirSync(databaseFiles(dataDir).catalogue)
    expect(() => damageOf(dataDir)).toThrow()
    expect(readdirSync(dataDir)).toEqual(['catalogue.sqlite'])
    chmodSync(dataDir, 0o700)
  })
})

describe.each(Object.entries(damages))('a catalogue with %s', (_, damage) => {
  it('is found out, kept aside, and replaced by the newest backup', async () => {
    const dataDir = filled()
    await copyDatabase(databaseFiles(dataDir).catalogue, nextCatalogueBackup(dataDir, 'automatic', 1))
    const file = databaseFiles(dataDir).catalogue
    damage(file)
    const damaged = existsSync(file) ? readFileSync(file) : null
    const why = damageOf(dataDir)
    expect(why).not.toBeNull()
    const { folder, sentences } = repairDatabase(dataDir, why ?? '')
    expect(usersIn(dataDir)).toBe(2000)
    expect(sentences.join(' ')).toMatch(/The backup of .* was put in its place/)
    if (damaged) expect(readFileSync(join(folder, 'catalogue.sqlite')).equals(damaged)).toBe(true)
  })

  it('begins anew without a backup', () => {
    const dataDir = filled()
    damage(databaseFiles(dataDir).catalogue)
    const { sentences } = repairDatabase(dataDir, damageOf(dataDir) ?? '')
    expect(usersIn(dataDir)).toBe(0)
    expect(sentences.join(' ')).toContain('begins anew')
  })
})

describe('a repair', () => {
  it('takes over every row where only an index is damaged', async () => {
    const dataDir = filled()
    await copyDatabase(databaseFiles(dataDir).catalogue, nextCatalogueBackup(dataDir, 'automatic', 1))
    filled(dataDir, 0)
    damageTable(dataDir, 'sqlite_autoindex_users_1')
    const { sentences } = repairDatabase(dataDir, 'an index is damaged')
    expect(sentences.join(' ')).toContain('Every row in it could still be read')
    expect(usersIn(dataDir)).toBe(2000)
  })

  it('makes anew what search keeps, where that is damaged', () => {
    const dataDir = filled()
    const db = openCatalogue(dataDir)
    const listings = listingTable(db)
    db.exec(`
      INSERT INTO organizations (id, name, name_key, created_at, updated_at) VALUES (1, 'acme', 'acme', 1, 1);
      INSERT INTO boxes (id, organization_id, name, name_key, created_at, updated_at) VALUES (1, 1, 'box', 'box', 1, 1);
      INSERT INTO versions (box_id, number, number_key, status, created_at, updated_at)
        VALUES (1, '1', '1', 'active', 1, 1);
    `)
    listings.refresh(1)
    const search = 'SELECT term FROM search_terms ORDER BY term'
    const terms = db.prepare(search).pluck().all()
    expect(terms).not.toEqual([])
    db.close()
    for (const table of ['listings', 'search_terms', 'search_postings', 'search_rankings'])
      damageTable(dataDir, table)
    const { sentences } = repairDatabase(dataDir, 'test')
    expect(sentences.join(' ')).toContain('Every row in it could still be read')
    const repaired = openProbed(dataDir)
    expect(repaired.prepare(search).pluck().all()).toEqual(terms)
    repaired.close()
  })

  it('does not pass lost rows off as all of them', () => {
    const dataDir = filled()
    damageTable(dataDir, 'users')
    repairDatabase(dataDir, 'a table is damaged')
    expect(usersIn(dataDir)).toBe(0)
  })

  it('passes over backups that are damaged themselves', async () => {
    const dataDir = filled()
    const { catalogue } = databaseFiles(dataDir)
    const good = nextCatalogueBackup(dataDir, 'automatic', 1)
    const bad = nextCatalogueBackup(dataDir, 'automatic', 2)
    await copyDatabase(catalogue, good)
    writeFileSync(bad, readFileSync(good).subarray(0, 30_000))
    utimesSync(good, 1, 1)
    overwrite(catalogue, 0, Buffer.alloc(200))
    repairDatabase(dataDir, 'test')
    expect(usersIn(dataDir)).toBe(2000)
  })

  it('is done again after a start that was cut off, and loses nothing by it', () => {
    const dataDir = filled()
    noteDamage(dataDir, 'found by verify')
    repairDatabase(dataDir, 'found by verify', 1)
    expect(damageOf(dataDir)).toBe('found by verify')
    repairDatabase(dataDir, 'found by verify', 2)
    forgetDamage(dataDir)
    expect(damageOf(dataDir)).toBeNull()
    expect(usersIn(dataDir)).toBe(2000)
  })

  it('that was cut off between moving the old file away and putting the new one there is finished', () => {
    const dataDir = filled()
    const { catalogue, replacement } = databaseFiles(dataDir)
    writeFileSync(replacement, readFileSync(catalogue))
    damages['its file gone']?.(catalogue)
    expect(damageOf(dataDir)).toBe('its file is gone')
    repairDatabase(dataDir, 'test')
    expect(usersIn(dataDir)).toBe(2000)
  })

  it('keeps what is in the database when only its log cannot be read', () => {
    const dataDir = filled()
    const log = `${databaseFiles(dataDir).catalogue}-wal`
    writeFileSync(log, Buffer.alloc(20_000, 3))
    const why = damageOf(dataDir)
    expect(why).toContain('log cannot be read')
    const { folder } = repairDatabase(dataDir, why ?? '')
    expect(usersIn(dataDir)).toBe(2000)
    expect(readFileSync(join(folder, 'catalogue.sqlite-wal'))).toHaveLength(20_000)
  })

  it('refuses a database from a newer program and leaves it alone, damaged or not', () => {
    const dataDir = filled()
    const { catalogue } = databaseFiles(dataDir)
    const db = new Database(catalogue)
    db.pragma('user_version = 999')
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
    const before = readFileSync(catalogue)
    expect(() => damageOf(dataDir)).toThrow('newer Boxyard')
    expect(() => repairDatabase(dataDir, 'test')).toThrow('newer Boxyard')
    expect(readFileSync(catalogue).equals(before)).toBe(true)
    expect(existsSync(databaseFiles(dataDir).quarantine)).toBe(false)
  })
})
