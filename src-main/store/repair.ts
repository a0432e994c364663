import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { Problem } from '../domain/problem.ts'
import { catalogueBackups, stamp } from './backups.ts'
import { databaseFileFaults, hasUnreadableLog, schemaVersionInHeader } from './integrity.ts'
import { assertNotNewer, migrate } from './migrate.ts'
import { databaseFiles, openCatalogue, type Db } from './open.ts'
import { databaseParts, salvage } from './snapshot.ts'

/** What a repair did, for people, and where the damaged files lie. */
export interface Repair {
  readonly folder: string
  readonly sentences: readonly string[]
}

/** Notes damage that a running server cannot mend, so that the next start does. */
export function noteDamage(dataDir: string, why: string): void {
  writeFileSync(databaseFiles(dataDir).damageNote, why, { mode: 0o600 })
}

/** The damage has been seen to. */
export function forgetDamage(dataDir: string): void {
  rmSync(databaseFiles(dataDir).damageNote, { force: true })
}

/**
 * Why the catalogue should not even be opened, or null. An empty file would pass for a new catalogue, and a log that
 * cannot be read for one that is not there: `inUse` says whether boxes lie in this folder.
 */
export function damageBeforeOpening(dataDir: string, inUse: boolean): string | null {
  const { catalogue, damageNote, replacement } = databaseFiles(dataDir)
  if (existsSync(damageNote)) return readFileSync(damageNote, 'utf8') || 'an earlier run noted damage'
  const size = statSync(catalogue, { throwIfNoEntry: false })?.size
  if (size !== undefined && size > 0)
    return hasUnreadableLog(catalogue) ? 'its write-ahead log cannot be read' : null
  const expected = inUse || existsSync(replacement) || catalogueBackups(dataDir, 'automatic').length > 0
  if (!expected) return null
  return size === 0 ? 'its file is empty' : 'its file is gone'
}

/**
 * Opens the catalogue and reads the few pages without which nothing works; a damaged one fails as `isDamage` tells.
 * No further: reading a big database through would make each start wait, and `verify` does it.
 */
export function openProbed(dataDir: string, onSlow?: (sql: string, ms: number) => void): Db {
  const db = openCatalogue(dataDir, onSlow)
  try {
    const tables = db
      .prepare<[], string>("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
      .pluck()
      .all()
    for (const name of tables) db.prepare(`SELECT * FROM "${name}" LIMIT 1`).get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Moves a damaged catalogue aside and puts in its place, in this order of preference: all of its own rows where
 * every one can still be read, the newest sound backup, nothing. The damaged files are kept. Only for a process
 * that holds the serve lock. May be interrupted at any point and called again.
 */
export function repairDatabase(dataDir: string, why: string, now = Date.now()): Repair {
  const { catalogue, quarantine, replacement } = databaseFiles(dataDir)
  if (existsSync(catalogue)) assertNotNewer(catalogue, schemaVersionInHeader(catalogue))
  noteDamage(dataDir, why)
  const folder = join(quarantine, stamp(now))
  const sentences = [`The catalogue's database is damaged: ${why.replace(/\.$/, '')}.`]
  // An earlier repair may have been cut off after it moved the damaged files and before it put this one there.
  if (existsSync(catalogue) || !existsSync(replacement)) sentences.push(prepareReplacement(dataDir))
  else sentences.push('An earlier repair was cut off and has been finished.')
  const damaged = databaseParts(catalogue)
  if (damaged.length > 0) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const part of damaged) renameSync(part, join(folder, basename(part)))
    sentences.push(`The damaged files were moved to ${folder}.`)
  }
  if (existsSync(replacement)) renameSync(replacement, catalogue)
  return { folder, sentences }
}

function prepareReplacement(dataDir: string): string {
  const { catalogue, replacement } = databaseFiles(dataDir)
  rmSync(replacement, { force: true })
  if (statSync(catalogue, { throwIfNoEntry: false })?.size && salvage(catalogue, replacement)) {
    if (isUsable(replacement)) return 'Every row in it could still be read and was taken over.'
    rmSync(replacement, { force: true })
  }
  for (const { file, at } of catalogueBackups(dataDir, 'automatic')) {
    copyFileSync(file, replacement)
    if (isUsable(replacement)) return `The backup of ${new Date(at).toISOString()} was put in its place.`
  }
  rmSync(replacement, { force: true })
  return 'There was no backup that could take its place, so it begins anew.'
}

/** Sound, and of a schema this program can bring up to date. */
function isUsable(file: string): boolean {
  if (databaseFileFaults(file).length > 0) return false
  const db = new Database(file)
  try {
    migrate(db)
    db.pragma('journal_mode = DELETE')
    return true
  } catch (error) {
    if (error instanceof Problem || error instanceof Database.SqliteError) return false
    throw error
  } finally {
    db.close()
  }
}
