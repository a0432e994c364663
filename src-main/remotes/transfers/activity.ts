import type { Book } from './book.ts'

/** What runs and waits, in sums. */
export interface TransfersActivity {
  readonly count: number
  readonly done: number
  readonly total: number
  readonly bytesPerSecond: number | null
  /** That need the person. */
  readonly waiting: number
}

/** What goes on in all. Bytes of those whose plan nobody has made yet are not known, and not counted. */
export function activityOf(book: Book): TransfersActivity {
  const counts = book.table.counts()
  const count = (['queued', 'running', 'verifying', 'waiting'] as const).reduce(
    (sum, state) => sum + (counts.get(state) ?? 0),
    0
  )
  const waiting = counts.get('failed') ?? 0
  if (count === 0) return { count, done: 0, total: 0, bytesPerSecond: null, waiting }
  const { unsaved, bytesPerSecond } = book.movement()
  const total = book.table.bytesToGo()
  return { count, done: Math.min(book.steps.doneUnderWay() + unsaved, total), total, bytesPerSecond, waiting }
}
