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
