import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { Problem } from '../domain/problem.ts'
import { assertOwnSchema, databaseFaults, databaseFileFaults, schemaVersionInHeader } from './integrity.ts'
import { assertNotNewer, migrate, schemaVersion } from './migrate.ts'
import { listingTable } from './listings.ts'
import { databaseFiles, pageSize, type Db } from './open.ts'

/** Pages copied between two looks at the progress; 8 MiB or so. */
const stepPages = 1024

const allPages = 0x7fffffff

/** How long a copy waits for a writer that holds the database. */
const usualPatienceMs = 30_000
const busyPauseMs = 20

/**
 * Copies a database that may be in use into a file of its own, checked and on the disk for good when this resolves.
 * It is one moment of the source: writers go on and are not in the copy. Nothing is left behind on a failure.
 */
export async function copyDatabase(
  source: string,
  target: string,
  onProgress: (share: number) => void = () => {}
): Promise<void> {
  const part = `${target}.part`
  removeDatabase(part)
  const db = new Database(source, { readonly: true, fileMustExist: true, timeout: usualPatienceMs })
  try {
    // Held open over all steps, so that a change by another process does not start the copy over again.
    db.exec('BEGIN')
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    await db.backup(part, {
      progress: ({ totalPages, remainingPages }) => {
        if (totalPages > 0) onProgress(1 - remainingPages / totalPages)
        return stepPages
      }
    })
    makeSingleFile(part)
    sync(part)
    renameSync(part, target)
    sync(dirname(target))
  } finally {
    db.close()
    removeDatabase(part)
  }
}

/** A copy is worth keeping only if it is sound, and one file only without a write-ahead log beside it. */
function makeSingleFile(file: string): void {
  const copy = new Database(file)
  try {
    copy.pragma('journal_mode = DELETE')
    const [fault] = databaseFaults(copy, 1)
    if (fault) throw new Problem('unavailable', `The catalogue's database is damaged: ${fault}.`)
  } finally {
    copy.close()
  }
}

/** Opens a copy that nobody else uses. */
export function openCopy(file: string): Db {
  const db = new Database(file, { fileMustExist: true })
  db.pragma('trusted_schema = OFF')
  db.pragma('foreign_keys = ON')
  return db
}

/** Makes sure that a database from elsewhere is sound and one of ours, and brings its schema up to date. */
export function adoptCopy(file: string): void {
  // An empty file would pass for a catalogue without anything in it.
  const schema = schemaVersionInHeader(file)
  if (schema === 0) throw new Problem('invalid', 'The database in it is not a catalogue of this program.')
  assertNotNewer('The database in it', schema)
  const [fault] = databaseFileFaults(file)
  if (fault) throw new Problem('invalid', `The database in it is damaged: ${fault}.`)
  const db = openCopy(file)
  try {
    db.pragma('journal_mode = DELETE')
    migrate(db)
    assertOwnSchema(db)
  } finally {
    db.close()
  }
}

/** What a replacement keeps of the old content, and how long it waits for others that write. */
interface ReplaceOptions {
  /** Called when nobody can write to the old content any more; what it writes into the source comes along. */
  readonly takeOver?: (source: Db) => void
  readonly patienceMs?: number
}

/**
 * Puts the whole content of one database into another that may be in use, in one transaction: the connections
 * of every process see the old content or the new, and go on. An interruption leaves the old.
 */
export async function replaceContent(
  source: string,
  live: Db,
  { takeOver = () => {}, patienceMs = usualPatienceMs }: ReplaceOptions = {}
): Promise<void> {
  const db = new Database(source, { fileMustExist: true })
  const until = Date.now() + patienceMs
  try {
    matchPageSize(db, live)
    while (!(await backUpInto(live.name, db, takeOver))) {
      if (Date.now() > until)
        throw new Problem('conflict', 'Another process keeps the catalogue busy; nothing was restored.')
      await setTimeout(busyPauseMs)
    }
    // The copy's own connection does not wait for the disk; this one does.
    live.pragma('wal_checkpoint(FULL)')
  } finally {
    db.close()
  }
}

/** False if another process is writing, and nothing was done. */
async function backUpInto(target: string, db: Db, takeOver: (source: Db) => void): Promise<boolean> {
  // The first step copies no page, but locks the target; all pages then come in the second.
  const { totalPages } = await db.backup(target, {
    progress() {
      takeOver(db)
      return allPages
    }
  })
  return totalPages > 0
}

/** Pages of another size cannot be put into a database that is in use. */
function matchPageSize(db: Db, live: Db): void {
  const wanted = live.pragma('page_size', { simple: true }) as number
  db.pragma('journal_mode = DELETE')
  if (db.pragma('page_size', { simple: true }) === wanted) return
  db.pragma(`page_size = ${wanted}`)
  db.exec('VACUUM')
}

/**
 * Takes every row of a damaged database over into a new one, as far as all of them can be read; false if not.
 * Row by row and past the indexes and what search keeps, which are made anew. The source is only read, and so stays as it was found.
 */
export function salvage(source: string, target: string): boolean {
  removeDatabase(target)
  let whole = false
  try {
    const from = new Database(source, { readonly: true, fileMustExist: true })
    const to = new Database(target)
    try {
      to.pragma(`page_size = ${pageSize}`)
      migrate(to)
      to.pragma('foreign_keys = OFF')
      if (schemaVersion(from) === schemaVersion(to)) {
        to.transaction(() => {
          for (const table of tablesOf(to)) copyRows(from, to, table)
          listingTable(to).rebuildAll()
        })()
        whole = databaseFaults(to, 1).length === 0
      }
    } finally {
      from.close()
      to.close()
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error
    whole = false
  }
  if (!whole) removeDatabase(target)
  return whole
}

/** Tables of search, all of which follows from the catalogue. */
const madeFromOthers = /^(listings|search_)/

const tablesOf = (db: Db): string[] =>
  db
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
    )
    .pluck()
    .all()
    .filter((name) => !madeFromOthers.test(name))

function copyRows(from: Db, to: Db, table: string): void {
  // What a migration put there is in the source too.
  to.exec(`DELETE FROM "${table}"`)
  const rows = from.prepare(`SELECT * FROM "${table}" NOT INDEXED`).raw().safeIntegers()
  const columns = rows.columns().map(({ name }) => `"${name}"`)
  const insert = to.prepare(
    `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  )
  for (const row of rows.iterate()) insert.run(row)
}

/** A database is up to four files. */
export const databaseParts = (file: string): string[] =>
  ['', '-wal', '-shm', '-journal'].map((end) => file + end).filter((part) => existsSync(part))

/** What the catalogue takes, with what was written last and is not in its file yet. */
export const databaseBytes = (dataDir: string): number =>
  databaseParts(databaseFiles(dataDir).catalogue)
    .map((part) => statSync(part, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((all, size) => all + size, 0)

function removeDatabase(file: string): void {
  for (const part of databaseParts(file)) rmSync(part)
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
