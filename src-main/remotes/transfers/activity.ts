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
  const { unsaved, bytesPerSecond } = book.movement()
  let [count, total] = [0, 0]
  for (const state of ['queued', 'running', 'verifying', 'waiting'] as const) {
    count += counts.get(state)?.count ?? 0
    total += counts.get(state)?.total ?? 0
  }
  const done = count === 0 ? 0 : Math.min(book.steps.doneUnderWay() + unsaved, total)
  return { count, done, total, bytesPerSecond, waiting: counts.get('failed')?.count ?? 0 }
}
