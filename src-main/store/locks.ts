import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Problem } from '../domain/problem.ts'
import { databaseFiles } from './open.ts'

/** Who holds a lock: what a person needs to find that process. */
export interface LockHolder {
  readonly pid: number
  readonly what: string
  readonly since: number
  readonly url?: string
}

/** Held until it is released or its process ends in any way, a kill or a power cut included. */
export interface Lock {
  /** Adds what became known after the lock was taken. */
  describe(more: { readonly url: string }): void
  release(): void
}

/** Long enough to outlast `servingProcess` having a look, far too short for a person to notice. */
const patienceMs = 200

/** Keeps the databases of held locks from being collected as garbage, which would close them and free the locks. */
const held = new Set<Database.Database>()

/** One process serves a data folder. */
export function takeServeLock(dataDir: string): Lock {
  return (
    take(dataDir, databaseFiles(dataDir).serveLock, 'serve') ??
    refuse(databaseFiles(dataDir).serveLock, (holder) => [
      `Boxyard is already serving this folder: ${nameOf(holder)}.`,
      'Use that one, stop it first, or choose another folder.'
    ])
  )
}

/** Jobs that walk or replace the whole store (gc, verify, backup, …) run one at a time, in whichever process. */
export function takeUpkeepLock(dataDir: string, what: string): Lock {
  return (
    take(dataDir, databaseFiles(dataDir).upkeepLock, what) ??
    refuse(databaseFiles(dataDir).upkeepLock, (holder) => [
      `Another job is at work on this folder: ${holder?.what ?? 'unknown'}${holder ? ` (process ${holder.pid})` : ''}.`,
      'Wait until it has ended, then try again.'
    ])
  )
}

/** One process carries out a folder's transfers; null while another one does. */
export const takeTransfersLock = (dataDir: string): Lock | null =>
  take(dataDir, databaseFiles(dataDir).transfersLock, 'transfers')

/** The process that serves the folder now, if there is one. */
export function servingProcess(dataDir: string): LockHolder | null {
  const file = databaseFiles(dataDir).serveLock
  const db = openLockFile(dataDir, file)
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return null
  } catch (error) {
    if (!isBusy(error)) throw error
    return readHolder(file) ?? { pid: 0, what: 'serve', since: 0 }
  } finally {
    db.close()
  }
}

/**
 * The operating system keeps the lock, on a database that stays empty: an exclusive transaction that is never
 * committed. A file's mere existence would outlive a killed process. Nothing else may open the file in this process
 * by other means, because closing any descriptor of it would free the lock.
 */
function take(dataDir: string, file: string, what: string): Lock | null {
  const db = openLockFile(dataDir, file)
  try {
    db.pragma('journal_mode = DELETE')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (isBusy(error)) return null
    throw error
  }
  held.add(db)
  let holder: LockHolder = { pid: process.pid, what, since: Date.now() }
  writeHolder(file, holder)
  return {
    describe(more) {
      holder = { ...holder, ...more }
      writeHolder(file, holder)
    },
    release() {
      if (!db.open) return
      rmSync(holderFile(file), { force: true })
      db.close()
      held.delete(db)
    }
  }
}

function openLockFile(dataDir: string, file: string): Database.Database {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return new Database(file, { timeout: patienceMs })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Problem('unavailable', `The data folder ${dataDir} cannot be used: ${why}.`)
  }
}

function refuse(file: string, sentences: (holder: LockHolder | null) => string[]): never {
  throw new Problem('conflict', ...sentences(readHolder(file)))
}

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

const nameOf = (holder: LockHolder | null): string =>
  holder
    ? `${holder.url ?? 'starting'} (process ${holder.pid})`
    : 'by a process that has not said its name yet'

const holderFile = (file: string): string => `${file}.json`

function writeHolder(file: string, holder: LockHolder): void {
  const temporary = `${holderFile(file)}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(holder), { mode: 0o600 })
  renameSync(temporary, holderFile(file))
}

function readHolder(file: string): LockHolder | null {
  try {
    return JSON.parse(readFileSync(holderFile(file), 'utf8')) as LockHolder
  } catch {
    return null // Written an instant after the lock is taken, and only for the message.
  }
}
