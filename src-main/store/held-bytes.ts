import { arrivalTable } from './arrivals.ts'
import type { Db } from './open.ts'

/** Which bytes somebody on their way still needs, though no image is made of them yet: arrivals, and files being pulled. */
export function heldBytes(db: Db) {
  const arrivals = arrivalTable(db)
  const stepHolds = db.prepare<[string], number>('SELECT 1 FROM transfer_steps WHERE staged_id = ?').pluck()
  // Of a file that has been committed and not attached, the step remembers what it is.
  const stepHoldsStored = db
    .prepare<[string], number>(
      `SELECT 1 FROM transfer_steps WHERE staged_id IS NOT NULL AND iif(json_valid(memo), memo ->> '$.arrived.sha256', NULL) = ?`
    )
    .pluck()

  return {
    /** Whether staged bytes belong to somebody, and are therefore no leftover, however old they are. */
    staged: (stagedId: string) => arrivals.holdsStaged(stagedId) || stepHolds.get(stagedId) === 1,
    /** Whether stored bytes are still to be made an image of. */
    stored: (sha256: string) => arrivals.holdsBytes(sha256) || stepHoldsStored.get(sha256) === 1
  }
}

export type HeldBytes = ReturnType<typeof heldBytes>
