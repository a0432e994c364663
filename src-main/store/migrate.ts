import type { Database } from 'better-sqlite3'
import { Problem } from '../domain/problem.ts'
import { migrations } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'

/**
 * Brings a database up to date, each step in a transaction of its own.
 * A database from a newer program is refused by name and left as it is.
 */
export function migrate(db: Database, steps: readonly Migration[] = migrations): void {
  assertMonotonic(steps)
  assertNotNewer(db.name, schemaVersion(db), steps)
  for (const step of steps) {
    if (step.number <= schemaVersion(db)) continue
    db.transaction(() => {
      // Another process may have done this very step while this one waited for the lock.
      if (step.number <= schemaVersion(db)) return
      db.exec(step.sql)
      db.pragma(`user_version = ${step.number}`)
    }).immediate()
  }
  for (const step of steps) step.finish?.(db)
}

export const schemaVersion = (db: Database): number => db.pragma('user_version', { simple: true }) as number

export function assertNotNewer(file: string, found: number, steps: readonly Migration[] = migrations): void {
  const newest = steps.at(-1)?.number ?? 0
  if (found <= newest) return
  throw new Problem(
    'unavailable',
    `${file} was written by a newer Boxyard (schema ${found}, this program knows ${newest}). ` +
      'It was left untouched; install the newer program to open it.'
  )
}

function assertMonotonic(steps: readonly Migration[]): void {
  steps.forEach((step, i) => {
    if (step.number !== i + 1)
      throw new Error(`migration ${step.name} has number ${step.number}, not ${i + 1}`)
  })
}
