import { listingTable } from './listings.ts'
import type { Db } from './open.ts'

/**
 * Lists what a change of the schema has left unlisted, a part in each transaction: other processes get their turns
 * meanwhile, and a start that was cut off is followed by one that goes on. Costs one look where nothing is left.
 */
export function finishListing(db: Db): void {
  const isLeft = db.prepare<[], number>('SELECT 1 FROM search_backlog').pluck()
  if (isLeft.get() === undefined) return
  const listings = listingTable(db)
  const part = db.transaction((after: number): number | null => {
    if (isLeft.get() === undefined) return null
    const last = listings.addUnlisted(after)
    if (last === null) db.exec('DELETE FROM search_backlog')
    return last
  })
  for (let after: number | null = 0; after !== null;) after = part.immediate(after)
}
