import { closeSync, openSync, readSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Problem } from '../domain/problem.ts'
import { isDamage } from './failures.ts'
import { migrate } from './migrate.ts'
import type { Db } from './open.ts'

/** What is wrong inside a database, one line each; nothing when it is sound. Reads the whole file. */
export function databaseFaults(db: Db, most = 20): string[] {
  try {
    const found = db.prepare<[], string>(`PRAGMA integrity_check(${most})`).pluck().all()
    const faults = found.flatMap((text) => text.split('\n')).filter((line) => line !== 'ok')
    const dangling = db.prepare<[], ForeignKeyFault>('PRAGMA foreign_key_check').all()
    for (const fault of dangling.slice(0, most))
      faults.push(`a row of ${fault.table} points to a row of ${fault.parent} that does not exist`)
    return faults
  } catch (error) {
    if (!isDamage(error)) throw error
    return [error instanceof Error ? error.message : String(error)]
  }
}

interface ForeignKeyFault {
  readonly table: string
  readonly parent: string
}

/** The same for a file that nobody else is using. */
export function databaseFileFaults(file: string): string[] {
  let db: Db | undefined
  try {
    db = new Database(file, { readonly: true, fileMustExist: true })
    return databaseFaults(db)
  } catch (error) {
    if (!isDamage(error)) throw error
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    db?.close()
  }
}

/**
 * Refuses a database whose tables, indexes, triggers or views are not exactly those this program makes.
 * A stranger's file could otherwise carry triggers that run with the first change made to it.
 */
export function assertOwnSchema(db: Db): void {
  const own = new Database(':memory:')
  try {
    migrate(own)
    const expected = schemaOf(own)
    const found = schemaOf(db)
    for (const name of new Set([...expected.keys(), ...found.keys()]))
      if (expected.get(name) !== found.get(name))
        throw new Problem(
          'invalid',
          `The database in it is not a catalogue of this program: ${name} differs.`
        )
  } finally {
    own.close()
  }
}

function schemaOf(db: Db): Map<string, string> {
  const rows = db
    .prepare<[], { type: string; name: string; sql: string | null }>(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    .all()
  return new Map(rows.map((row) => [`${row.type} ${row.name}`, row.sql ?? '']))
}

/** What the first page says about the schema, read without SQLite; 0 where there is no such page. */
export function schemaVersionInHeader(file: string): number {
  const head = headOf(file, 64)
  return head.toString('latin1', 0, 16) === 'SQLite format 3\0' && head.length === 64
    ? head.readUInt32BE(60)
    : 0
}

const walMagic = new Set([0x377f0682, 0x377f0683])

/**
 * Whether a write-ahead log lies beside the database that SQLite would ignore without a word,
 * and with it every change it held.
 */
export function hasUnreadableLog(databaseFile: string): boolean {
  const log = `${databaseFile}-wal`
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return false
  const head = headOf(log, 4)
  return head.length < 4 || !walMagic.has(head.readUInt32BE())
}

function headOf(file: string, length: number): Buffer {
  const head = Buffer.alloc(length)
  const descriptor = openSync(file, 'r')
  try {
    return head.subarray(0, readSync(descriptor, head))
  } finally {
    closeSync(descriptor)
  }
}
