import type { RemoteHealth } from '../contract/remotes.ts'
import {
  afterAnswer,
  afterFailure,
  afterIntroduction,
  afterRateLimit,
  closedBreaker,
  pausedUntil,
  whenAsked,
  whenUrged,
  type Breaker
} from '../domain/sync/breaker.ts'
import type { Log } from '../log.ts'
import type { RemoteRow, RemoteRowChanges, RemoteTable } from '../store/remotes.ts'
import { RemoteFailure, type FailureKind } from './failure.ts'

/** What a failure says of how its remote does; null for what is about a box and not about the remote. */
const healthByKind: Readonly<Record<FailureKind, RemoteHealth | null>> = {
  offline: 'unreachable',
  busy: 'unreachable',
  unauthorized: 'refused',
  billing: 'billing',
  odd: 'odd',
  untrusted: 'odd',
  another: 'another',
  // It is there and takes the token.
  'rate-limited': null,
  damaged: null,
  expired: null,
  forbidden: null,
  missing: null,
  refused: null,
  'no-room': null
}

/** That it still does well is noted so often at most. */
const noteWellEvery = 60_000

/** How remotes do, as work with them shows: kept in their rows, and by it they are asked or left alone. */
export class RemoteHealths {
  readonly #rows: RemoteTable
  readonly #log: Log
  readonly #now: () => number
  readonly #onChange: (id: number) => void
  readonly #breakers = new Map<number, Breaker>()
  /** Those that were noted when they happened, or are no news. */
  readonly #noted = new WeakSet<RemoteFailure>()

  constructor(parts: {
    readonly rows: RemoteTable
    readonly log: Log
    readonly now: () => number
    readonly onChange: (id: number) => void
  }) {
    this.#rows = parts.rows
    this.#log = parts.log
    this.#now = parts.now
    this.#onChange = parts.onChange
  }

  pausedUntil(id: number): number | null {
    return pausedUntil(this.#breaker(id), this.#now())
  }

  /** A person says that it may be asked again. */
  urged(id: number): void {
    this.#breakers.set(id, whenUrged(this.#breaker(id), this.#now()))
  }

  /** Somebody is about to ask it. Throws a RemoteFailure while it is to be left alone. */
  asking({ id, name, healthNote }: RemoteRow): void {
    const until = this.pausedUntil(id)
    if (until !== null)
      throw this.noNews(
        new RemoteFailure(
          'offline',
          [
            healthNote ?? `${name} did not answer.`,
            'It failed several times in a row, so it is left alone for a moment and then tried again by itself.'
          ],
          { retryAfter: until - this.#now() }
        )
      )
    this.#breakers.set(id, whenAsked(this.#breaker(id), this.#now()))
  }

  /** It said who it is, and is the one it was. */
  introduced(id: number, as: RemoteRowChanges): void {
    this.#breakers.set(id, afterIntroduction(this.#breaker(id)))
    this.#note(id, 'fine', null, as)
  }

  answered(id: number): void {
    this.#breakers.set(id, afterAnswer())
    this.#note(id, 'fine', null)
  }

  /** Whether that changes how it does. */
  failed(id: number, failure: RemoteFailure): boolean {
    if (this.#noted.has(failure)) return false
    this.#noted.add(failure)
    this.#breakers.set(id, this.#breakerAfter(this.#breaker(id), failure))
    const health = healthByKind[failure.kind]
    if (health !== null) this.#note(id, health, failure.sentences.join(' '))
    return health !== null
  }

  /** Marks a failure that says nothing of the remote. */
  noNews(failure: RemoteFailure): RemoteFailure {
    this.#noted.add(failure)
    return failure
  }

  /** What was is nothing to go by any more. */
  forget(id: number): void {
    this.#breakers.delete(id)
  }

  #breaker(id: number): Breaker {
    return this.#breakers.get(id) ?? closedBreaker
  }

  #breakerAfter(before: Breaker, { kind, retryAfter }: RemoteFailure): Breaker {
    if (kind === 'offline' || kind === 'busy') return afterFailure(before, this.#now(), retryAfter)
    return kind === 'rate-limited' ? afterRateLimit(before, this.#now(), retryAfter) : afterAnswer()
  }

  #note(id: number, health: RemoteHealth, healthNote: string | null, more: RemoteRowChanges = {}): void {
    const row = this.#rows.find(id)
    if (!row) return
    const now = this.#now()
    const isNews = !isAlready(row, { ...more, health, healthNote })
    if (!isNews && row.checkedAt !== null && now - row.checkedAt < noteWellEvery) return
    this.#rows.change(id, { ...more, health, healthNote, checkedAt: now })
    if (!isNews) return
    if (health !== 'fine' && health !== row.health) this.#log.warn(`remote ${row.name} is now ${health}`)
    this.#onChange(id)
  }
}

const isAlready = (row: RemoteRow, changes: RemoteRowChanges): boolean =>
  Object.entries(changes).every(
    ([key, value]) => JSON.stringify(row[key as keyof RemoteRow]) === JSON.stringify(value)
  )
