import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { migrate, schemaVersion } from '../../../src-main/store/migrate.ts'
import { migrations } from '../../../src-main/store/migrations/index.ts'

const step = (number: number, sql: string) => ({ number, name: `step ${number}`, sql })
const tables = (db: Database.Database) =>
  db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all()

describe('migrate', () => {
  it('brings an empty database to the newest schema, and does nothing the second time', () => {
    const db = new Database(':memory:')
    migrate(db)
    expect(schemaVersion(db)).toBe(migrations.length)
    const before = db.serialize()
    migrate(db)
    expect(db.serialize().equals(before)).toBe(true)
  })

  it('runs only the steps a database has not seen', () => {
    const db = new Database(':memory:')
    migrate(db, [step(1, 'CREATE TABLE a (x)')])
    migrate(db, [step(1, 'CREATE TABLE a (x)'), step(2, 'CREATE TABLE b (x)')])
    expect(tables(db)).toEqual(['a', 'b'])
  })

  it('leaves a failed step undone and the ones before it done', () => {
    const db = new Database(':memory:')
    const steps = [step(1, 'CREATE TABLE a (x)'), step(2, 'CREATE TABLE b (x); CREATE TABLE a (x)')]
    expect(() => migrate(db, steps)).toThrow('already exists')
    expect(tables(db)).toEqual(['a'])
    expect(schemaVersion(db)).toBe(1)
  })

  it('refuses a database from a newer program by name and leaves it untouched', () => {
    const db = new Database(':memory:')
    db.pragma('user_version = 4711')
    const before = db.serialize()
    expect(() => migrate(db)).toThrow(/written by a newer Boxyard \(schema 4711/)
    expect(db.serialize().equals(before)).toBe(true)
  })

  it('refuses steps whose numbers do not follow one another', () => {
    expect(() => migrate(new Database(':memory:'), [step(1, ''), step(3, '')])).toThrow('has number 3, not 2')
  })
})
