import type { Book } from './book.ts'

/** A clock that is set right by less is of no account. */
const clockSlack = 2000

/**
 * Notices transfers that nobody would come back to: what became of one may have been saved long after it happened, timers
 * do not count the time a computer sleeps, and a clock may be set back.
 */
export class Overdue {
  readonly #book: Book
  #lookedAt = -Infinity
  #unsaved = 0

  constructor(book: Book) {
    this.#book = book
  }

  /** Whether something may go on that could not at the last look. */
  look(): boolean {
    const isMoved = this.#noticeClock()
    const unsaved = this.#book.unsaved().length
    const isSaved = unsaved < this.#unsaved
    this.#unsaved = unsaved
    return isMoved || isSaved || (this.#book.table.firstDue() ?? Infinity) <= this.#book.now()
  }

  /** What waits for a moment is not to wait for as much longer as the clock was set back by. */
  #noticeClock(): boolean {
    const now = this.#book.now()
    const back = this.#lookedAt - now
    this.#lookedAt = now
    if (back < clockSlack) return false
    this.#book.updateAll(this.#book.table.idsIn('waiting'), ({ nextAttemptAt }) => ({
      nextAttemptAt: nextAttemptAt && nextAttemptAt - back
    }))
    return true
  }
}
