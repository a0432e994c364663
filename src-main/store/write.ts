import { Problem } from '../domain/problem.ts'
import type { Db } from './open.ts'

/** Carries out all of `work` or nothing, having waited for its turn to write before it reads. */
export function write<T>(db: Db, work: () => T): T {
  try {
    return db.transaction(work).immediate()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL')
      throw new Problem('no-room', 'The disk is full, so nothing was changed; make room and try again.')
    throw error
  }
}

/**
 * The same for notes that can be made anew: the disk is not waited for, and a power cut may take back the last of them, though
 * the end of a process does not.
 */
export function writeLightly<T>(db: Db, work: () => T): T {
  if (db.inTransaction) return write(db, work)
  const usual = db.pragma('synchronous', { simple: true }) as number
  db.pragma('synchronous = NORMAL')
  try {
    return write(db, work)
  } finally {
    db.pragma(`synchronous = ${usual}`)
  }
}
