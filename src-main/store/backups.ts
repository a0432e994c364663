import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { databaseFiles } from './open.ts'

/** Why a copy of the catalogue was kept; each kind is thinned out by itself. */
export type BackupKind = 'automatic' | 'before-restore'

/** One copy of the catalogue in the data folder. */
export interface CatalogueBackup {
  readonly file: string
  readonly at: number
  readonly size: number
}

const kept = 3

/** The copies of one kind, newest first. */
export function catalogueBackups(dataDir: string, kind: BackupKind): CatalogueBackup[] {
  const folder = databaseFiles(dataDir).backups
  return namesIn(folder)
    .filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.sqlite'))
    .map((name) => join(folder, name))
    .flatMap((file) => {
      // Another process may thin them out at this moment.
      const found = statSync(file, { throwIfNoEntry: false })
      return found ? [{ file, at: found.mtimeMs, size: found.size }] : []
    })
    .sort((a, b) => b.at - a.at)
}

/** Where the next copy of a kind goes. */
export function nextCatalogueBackup(dataDir: string, kind: BackupKind, now: number): string {
  const folder = databaseFiles(dataDir).backups
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, `${kind}-${stamp(now)}.sqlite`)
}

/** Drops the oldest copies of a kind; only called after a newer, checked one has been made. */
export function thinOutBackups(dataDir: string, kind: BackupKind): void {
  for (const { file } of catalogueBackups(dataDir, kind).slice(kept)) rmSync(file)
}

/** A moment as part of a file name, on every file system: 2026-01-31T12-30-00-000Z. */
export const stamp = (time: number): string => new Date(time).toISOString().replaceAll(/[:.]/g, '-')

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
