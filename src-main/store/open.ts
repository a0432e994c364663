import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Problem } from '../domain/problem.ts'
import { migrate } from './migrate.ts'

export type Db = Database.Database

/** Older ones can lose committed pages when a write-ahead log is reset while another process reads. */
const oldestSafeSqlite = [3, 51, 3]

/** Of every catalogue: copies can be put into one that is in use only if theirs is the same. */
export const pageSize = 8192

const slowStatementMs = 50

/** The only place that knows where a data folder keeps its databases. */
export const databaseFiles = (dataDir: string) => ({
  catalogue: join(dataDir, 'catalogue.sqlite'),
  /** Says that damage was found in the catalogue, until a start has repaired it. */
  damageNote: join(dataDir, 'catalogue.damaged'),
  /** What is to take a damaged catalogue's place. */
  replacement: join(dataDir, 'catalogue.replacement'),
  /** Copies on their way into or out of a backup file. */
  temporary: join(dataDir, 'catalogue.copy'),
  serveLock: join(dataDir, 'serve.lock'),
  upkeepLock: join(dataDir, 'upkeep.lock'),
  transfersLock: join(dataDir, 'transfers.lock'),
  backups: join(dataDir, 'backups'),
  quarantine: join(dataDir, 'quarantine')
})

/** Opens the catalogue for reading and writing, made or brought up to date as needed. */
export function openCatalogue(dataDir: string, onSlow?: (sql: string, ms: number) => void): Db {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const db = openDatabase(databaseFiles(dataDir).catalogue, onSlow)
  try {
    migrate(db)
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/** Opens a catalogue that exists and is up to date, for reading alone (search, listings, backups). */
export function openCatalogueReadOnly(dataDir: string): Db {
  const db = new Database(databaseFiles(dataDir).catalogue, { readonly: true, fileMustExist: true })
  db.pragma('busy_timeout = 10000')
  db.pragma('query_only = ON')
  return db
}

/** Opens one database file with the settings every writer here needs. */
function openDatabase(file: string, onSlow?: (sql: string, ms: number) => void): Db {
  const fresh = !existsSync(file)
  const db = new Database(file)
  try {
    // First of all: the statements after it may already have to wait for another process.
    db.pragma('busy_timeout = 10000')
    assertSafeSqlite(db)
    if (fresh) db.pragma(`page_size = ${pageSize}`)
    db.pragma('journal_mode = WAL')
    // An acknowledged change must survive a power cut, which NORMAL does not promise in WAL mode.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    db.pragma('journal_size_limit = 67108864')
    db.pragma('cache_size = -65536')
    db.pragma('temp_store = MEMORY')
  } catch (error) {
    db.close()
    throw error
  }
  return onSlow ? reportSlow(db, onSlow) : db
}

function assertSafeSqlite(db: Db): void {
  const version = db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '0'
  const parts = version.split('.').map(Number)
  for (const [i, least] of oldestSafeSqlite.entries()) {
    const part = parts[i] ?? 0
    if (part > least) return
    if (part < least)
      throw new Problem(
        'unavailable',
        `SQLite ${version} is too old; ${oldestSafeSqlite.join('.')} is needed.`
      )
  }
}

/** Wraps prepare, so that every statement of a service reports when it took longer than anybody would want to wait. */
function reportSlow(db: Db, onSlow: (sql: string, ms: number) => void): Db {
  const prepare = db.prepare.bind(db)
  db.prepare = ((sql: string) => {
    const statement = prepare(sql)
    for (const verb of ['run', 'get', 'all'] as const) {
      const call = statement[verb].bind(statement) as (...args: unknown[]) => unknown
      Object.defineProperty(statement, verb, {
        value: (...args: unknown[]) => {
          const start = performance.now()
          try {
            return call(...args)
          } finally {
            const took = performance.now() - start
            if (took > slowStatementMs) onSlow(sql, took)
          }
        }
      })
    }
    return statement
  }) as typeof db.prepare
  return db
}
