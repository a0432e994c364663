import type { Db } from './open.ts'

/**
 * A text that is another one whenever anything in the database has changed, through this connection or any other,
 * in this process or not. What was read under one revision stays true for as long as it is answered again.
 * Costs about a microsecond.
 */
export function revisionOf(db: Db): () => string {
  const here = db.prepare<[], number>('SELECT total_changes()').pluck()
  const elsewhere = db.prepare<[], number>('PRAGMA data_version').pluck()
  let asked = 0
  return () => {
    // What is seen inside a transaction may yet be rolled back, so nothing kept under this revision is found again.
    if (db.inTransaction) return `transaction ${(asked += 1)}`
    return `${elsewhere.get()}.${here.get()}`
  }
}
