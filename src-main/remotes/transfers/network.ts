import { interfacesNow } from '../interfaces.ts'
import type { Book } from './book.ts'

/** How often is looked at the network while something waits for it. */
const lookEvery = 5000
/** That one remote answers says little of others, so those are not asked again for it more often than this. */
const hopeEvery = 30_000

/** What seems to have been in the time to come was before the clock was set back, nobody knows how long. */
const isWithin = (time: number, since: number, now: number): boolean => now >= since && now - since < time

interface Parts {
  readonly book: Book
  /** A text that is another one when this machine is on another network, or on one again. */
  readonly fingerprint?: () => string
}

/** Has what waits for the network tried again as soon as there are signs of it, instead of when its time is over. */
export class NetworkWatch {
  readonly #book: Book
  readonly #fingerprint: () => string
  readonly #lost = new Set<number>()
  #seen: string | null = null
  #lookedAt = -Infinity
  #hopedAt = -Infinity

  constructor({ book, fingerprint = interfacesNow }: Parts) {
    this.#book = book
    this.#fingerprint = fingerprint
  }

  /** A remote did not answer. */
  lost(remoteId: number): void {
    this.#lost.add(remoteId)
    this.#seen ??= this.#fingerprint()
  }

  /** A remote answered. Tells whether something may go on now. */
  reached(remoteId: number): boolean {
    if (!this.#lost.delete(remoteId)) return false
    const own = this.bringForward((of) => of === remoteId)
    const now = this.#book.now()
    if (isWithin(hopeEvery, this.#hopedAt, now)) return own
    this.#hopedAt = now
    return this.bringForward(() => true) || own
  }

  /** To be called once a second or so. Tells whether something may go on now. */
  look(): boolean {
    const now = this.#book.now()
    if (isWithin(lookEvery, this.#lookedAt, now)) return false
    this.#lookedAt = now
    if (this.#book.table.waitingFor('network').length === 0) {
      this.#seen = null
      return false
    }
    const before = this.#seen
    this.#seen = this.#fingerprint()
    return before !== null && before !== this.#seen && this.bringForward(() => true)
  }

  /** Those that wait for the network, of some remotes, are tried now. */
  bringForward(isMeant: (remoteId: number) => boolean): boolean {
    const ids = (['network', 'remote'] as const)
      .flatMap((what) => this.#book.table.waitingFor(what))
      .filter(({ remoteId }) => remoteId !== null && isMeant(remoteId))
      .map(({ id }) => id)
    const changed = this.#book.updateAll(ids, ({ state }) =>
      state === 'waiting' ? { state: 'queued', waitingFor: null, nextAttemptAt: null } : null
    )
    return changed.length > 0
  }
}
