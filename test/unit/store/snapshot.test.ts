import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { databaseFaults } from '../../../src-main/store/integrity.ts'
import { databaseFiles, openCatalogue, openCatalogueReadOnly } from '../../../src-main/store/open.ts'
import { adoptCopy, copyDatabase, replaceContent } from '../../../src-main/store/snapshot.ts'
import { laterRefusal } from '../../support/catalog.ts'
import { damageTable } from '../../support/damage.ts'
import { tempDir } from '../../support/temp.ts'

const put = (db: Database.Database, key: string): void =>
  void db.prepare('INSERT INTO settings VALUES (?, 1)').run(key)
const keys = (db: Database.Database): unknown[] =>
  db.prepare('SELECT key FROM settings ORDER BY key').pluck().all()

describe('a copy of a database', () => {
  it('is one moment of it, whole, in one file, while others go on writing', async () => {
    const dataDir = tempDir()
    const db = openCatalogue(dataDir)
    const writer = openCatalogue(dataDir)
    const insert = db.prepare('INSERT INTO settings VALUES (?, ?)')
    db.transaction(() => {
      for (let i = 0; i < 5000; i++) insert.run(`key-${i}`, 'x'.repeat(8000))
    })()
    const target = join(dataDir, 'copy')
    let steps = 0
    await copyDatabase(databaseFiles(dataDir).catalogue, target, () => {
      steps += 1
      put(writer, `written meanwhile ${steps}`)
    })
    expect(steps).toBeGreaterThan(1)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('copy'))).toEqual(['copy'])
    const copy = new Database(target, { readonly: true })
    expect(copy.prepare('SELECT count(*) FROM settings').pluck().get()).toBe(5000)
    expect(databaseFaults(copy)).toEqual([])
    copy.close()
    writer.close()
    db.close()
  })

  it('of a damaged database is refused, and leaves nothing behind', async () => {
    const dataDir = tempDir()
    const db = openCatalogue(dataDir)
    for (let i = 0; i < 2000; i++) put(db, `key-${i}`)
    db.close()
    damageTable(dataDir, 'settings')
    const target = join(dataDir, 'copy')
    await expect(copyDatabase(databaseFiles(dataDir).catalogue, target)).rejects.toThrow(/damaged|malformed/)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('copy'))).toEqual([])
  })
})

describe('new content under open connections', () => {
  it('is what every one of them sees next, with the statements they had prepared', async () => {
    const dataDir = tempDir()
    const live = openCatalogue(dataDir)
    const server = openCatalogue(dataDir)
    const reader = openCatalogueReadOnly(dataDir)
    put(server, 'old')
    const count = reader.prepare("SELECT count(*) FROM settings WHERE key = 'new'").pluck()
    const insert = server.prepare('INSERT INTO settings VALUES (?, 1)')
    expect(count.get()).toBe(0)
    await replaceContent(sourceWith('new'), live)
    expect(count.get()).toBe(1)
    insert.run('after')
    for (const db of [live, server, reader]) expect(keys(db)).toEqual(['after', 'new'])
    expect(databaseFaults(live)).toEqual([])
    expect(live.pragma('journal_mode', { simple: true })).toBe('wal')
    for (const db of [live, server, reader]) db.close()
  })

  it('does not disturb a reader in the middle of its reading', async () => {
    const dataDir = tempDir()
    const live = openCatalogue(dataDir)
    put(live, 'old')
    const reader = openCatalogueReadOnly(dataDir)
    reader.exec('BEGIN')
    expect(keys(reader)).toEqual(['old'])
    await replaceContent(sourceWith('new'), live)
    expect(keys(reader)).toEqual(['old'])
    reader.exec('COMMIT')
    expect(keys(reader)).toEqual(['new'])
    reader.close()
    live.close()
  })

  it('may come with pages of another size', async () => {
    const live = openCatalogue(tempDir())
    const source = join(tempDir(), 'source')
    const db = new Database(source)
    db.pragma('page_size = 1024')
    db.exec('CREATE TABLE settings (key TEXT, value INTEGER)')
    put(db, 'new')
    db.close()
    await replaceContent(source, live)
    expect(keys(live)).toEqual(['new'])
    live.close()
  })

  it('waits for whoever is writing, and comes after that', async () => {
    const dataDir = tempDir()
    const live = openCatalogue(dataDir)
    const writer = openCatalogue(dataDir)
    writer.exec('BEGIN IMMEDIATE')
    put(writer, 'old')
    const timer = setTimeout(() => writer.exec('COMMIT'), 100)
    await replaceContent(sourceWith('new'), live)
    clearTimeout(timer)
    expect(keys(live)).toEqual(['new'])
    writer.close()
    live.close()
  })

  it('is refused, and changes nothing, when the writer does not end', async () => {
    const dataDir = tempDir()
    const live = openCatalogue(dataDir)
    put(live, 'old')
    const writer = openCatalogue(dataDir)
    writer.exec('BEGIN IMMEDIATE')
    await laterRefusal('conflict', replaceContent(sourceWith('new'), live, { patienceMs: 100 }))
    writer.close()
    expect(keys(live)).toEqual(['old'])
    live.close()
  })

  it('keeps what is taken over from the old content up to its last moment', async () => {
    const dataDir = tempDir()
    const live = openCatalogue(dataDir)
    const writer = openCatalogue(dataDir)
    writer.pragma('busy_timeout = 0')
    put(writer, 'old')
    const replaced = replaceContent(sourceWith('new'), live, {
      takeOver(source) {
        expect(() => put(writer, 'too late')).toThrow('locked')
        for (const key of keys(live)) put(source, `${key} taken over`)
      }
    })
    put(writer, 'older')
    await replaced
    expect(keys(live)).toEqual(['new', 'old taken over', 'older taken over'])
    writer.close()
    live.close()
  })

  it('does not come when nothing can be taken over', async () => {
    const live = openCatalogue(tempDir())
    put(live, 'old')
    const takeOver = (): void => {
      throw new Error('nothing')
    }
    await expect(replaceContent(sourceWith('new'), live, { takeOver })).rejects.toThrow('nothing')
    expect(keys(live)).toEqual(['old'])
    put(live, 'after')
    live.close()
  })

  function sourceWith(key: string): string {
    const dataDir = tempDir()
    const db = openCatalogue(dataDir)
    put(db, key)
    db.close()
    return databaseFiles(dataDir).catalogue
  }
})

describe('a database from elsewhere', () => {
  it('is brought up to date', () => {
    const file = catalogueCopy((db) => db.exec('SELECT 1'))
    adoptCopy(file)
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(statSync(file).size).toBeGreaterThan(0)
  })

  it.each([
    ['has a trigger of its own', 'CREATE TRIGGER t AFTER INSERT ON users BEGIN DELETE FROM boxes; END'],
    [
      'has a view in place of a table',
      'DROP TABLE settings; CREATE VIEW settings AS SELECT 1 AS key, 2 AS value'
    ],
    ['lacks a table', 'DROP TABLE stale_sidecars'],
    ['lacks an index', 'DROP INDEX images_one_default'],
    ['has one table more', 'CREATE TABLE more (x)'],
    [
      'has rows that point nowhere',
      'PRAGMA foreign_keys = OFF; INSERT INTO tokens VALUES (1, 99, 0, 0, 0, 0)'
    ],
    ['is from a newer program', 'PRAGMA user_version = 999']
  ])('is refused when it %s', (_, sql) => {
    expect(() => adoptCopy(catalogueCopy((db) => db.exec(sql)))).toThrow(/^The database in it/)
  })

  it.each([
    ['empty', ''],
    ['no database', 'x'.repeat(10_000)]
  ])('is refused when it is %s', (_, content) => {
    const file = join(tempDir(), 'file')
    writeFileSync(file, content)
    expect(() => adoptCopy(file)).toThrow('is not a catalogue')
  })

  function catalogueCopy(change: (db: Database.Database) => void): string {
    const dataDir = tempDir()
    const db = openCatalogue(dataDir)
    change(db)
    db.pragma('journal_mode = DELETE')
    db.close()
    return databaseFiles(dataDir).catalogue
  }
})
