import type { Arrival, ArrivalState } from '../../contract/arrivals.ts'
import type { BoxFacts } from '../../blobs/driver.ts'
import { Problem } from '../../domain/problem.ts'
import { TransferSpeed } from '../../domain/transfer-speed.ts'
import type { Log } from '../../log.ts'
import { arrivalTable, type ArrivalTable, type StoredArrival } from '../../store/arrivals.ts'
import type { Db } from '../../store/open.ts'
import { write } from '../../store/write.ts'
import type { Events } from '../events.ts'

/** How many that have ended are remembered. */
const endedKept = 200
/** Before saving is tried again. */
const pause = 5000

/** What goes on with arrivals in all. */
export interface ArrivalsActivity {
  /** Those that wait, are read or are published. */
  readonly count: number
  readonly done: number
  readonly total: number
  readonly bytesPerSecond: number | null
  /** Those that wait for the person. */
  readonly waiting: number
}

interface Progress {
  readonly speed: TransferSpeed
  bytes: number
}

export const hasEnded = (state: ArrivalState): boolean =>
  state === 'published' || state === 'failed' || state === 'cancelled'

/** Arrivals as they are kept, how far those are that are being read, and the telling of whatever changes. */
export class Ledger {
  readonly table: ArrivalTable
  readonly #db: Db
  readonly #events: Events
  readonly #now: () => number
  readonly #log: Log
  readonly #progress = new Map<string, Progress>()
  /** Of those that have been read since nothing was under way. */
  #bytesBefore = 0
  readonly #unsaved = new Map<string, NodeJS.Timeout>()

  constructor({ db, events, log, now }: { db: Db; events: Events; log: Log; now: () => number }) {
    this.#db = db
    this.#events = events
    this.#log = log
    this.#now = now
    this.table = arrivalTable(db)
  }

  existing(id: string): StoredArrival {
    const arrival = this.table.get(id)
    if (!arrival)
      throw new Problem('missing', 'This file is not in the list any more; it was removed from there.')
    return arrival
  }

  /** Adds all of them or none. */
  add(arrivals: readonly StoredArrival[]): void {
    if (arrivals.length === 0) return
    write(this.#db, () => {
      for (const arrival of arrivals) this.table.put(arrival)
    })
    this.tell(arrivals.map(({ id }) => id))
  }

  /** Changes one that is still there; `change` answers null to leave it. Tells what it is now, or null. */
  update(
    id: string,
    change: (arrival: StoredArrival) => Partial<StoredArrival> | null
  ): StoredArrival | null {
    return this.updateAll([id], change)[0] ?? null
  }

  /** The same for many, in one transaction; those that were left are left out. */
  updateAll(
    ids: readonly string[],
    change: (arrival: StoredArrival) => Partial<StoredArrival> | null
  ): StoredArrival[] {
    const gone: string[] = []
    const changed = write(this.#db, () => {
      const changed: StoredArrival[] = []
      for (const id of ids) {
        const arrival = this.table.get(id)
        const changes = arrival && change(arrival)
        if (!arrival || !changes) continue
        const after = this.#settled({ ...arrival, ...changes })
        this.table.put(after)
        changed.push(after)
      }
      gone.push(...this.#forgetSurplus(changed))
      return changed
    })
    this.tell([...changed.map(({ id }) => id), ...gone])
    return changed
  }

  /** The same as update(), for what has happened already: when it cannot be saved now, it is tried again until it can. */
  note(id: string, change: (arrival: StoredArrival) => Partial<StoredArrival> | null): void {
    clearTimeout(this.#unsaved.get(id))
    this.#unsaved.delete(id)
    try {
      this.update(id, change)
    } catch (error) {
      this.#log.error(`what became of the arrival ${id} could not be saved; it is tried again`, error)
      this.#unsaved.set(id, setTimeout(() => this.note(id, change), pause).unref())
    }
  }

  /** Leaves what could not be saved to the next start, which finds out again. */
  close(): void {
    for (const timer of this.#unsaved.values()) clearTimeout(timer)
  }

  /**
   * To be called within a transaction of somebody else's, so that nobody ever sees what was published without its arrival
   * being so. Answers the ids to tell of once it is saved.
   */
  published(id: string): string[] {
    const arrival = this.table.get(id)
    if (!arrival) return []
    const after = this.#settled({ ...arrival, state: 'published', stagedId: null, problem: null })
    this.table.put(after)
    return [id, ...this.#forgetSurplus([after])]
  }

  remove(ids: readonly string[]): void {
    write(this.#db, () => {
      for (const id of ids) this.table.remove(id)
    })
    this.tell(ids)
  }

  begin(id: string): void {
    this.#progress.set(id, { speed: new TransferSpeed(this.#now()), bytes: 0 })
  }

  progress(id: string, bytes: number): void {
    const progress = this.#progress.get(id)
    if (!progress) return
    progress.bytes = bytes
    progress.speed.note(bytes, this.#now())
    this.tell([id])
  }

  end(id: string): void {
    this.#bytesBefore += this.#progress.get(id)?.bytes ?? 0
    this.#progress.delete(id)
  }

  /** What goes on in all. What was read of the same lot counts as done, so that the sums never go back. */
  activity(): ArrivalsActivity {
    let [count, done, total, waiting] = [0, this.#bytesBefore, this.#bytesBefore, 0]
    let bytesPerSecond: number | null = null
    for (const arrival of this.table.underWay()) {
      const { id, state, confirmed, size } = arrival
      if (state === 'ready' && !confirmed) waiting += 1
      else count += 1
      if (state !== 'waiting' && state !== 'reading') continue
      const bytes = this.bytesRead(arrival)
      done += bytes
      total += Math.max(size ?? 0, bytes)
      const speed = this.bytesPerSecond(id)
      if (speed !== null) bytesPerSecond = (bytesPerSecond ?? 0) + speed
    }
    if (count > 0) return { count, done, total, bytesPerSecond, waiting }
    this.#bytesBefore = 0
    return { count, done: 0, total: 0, bytesPerSecond, waiting }
  }

  bytesRead({ id, digest, state }: StoredArrival): number {
    if (state !== 'reading') return digest?.size ?? 0
    return this.#progress.get(id)?.bytes ?? 0
  }

  bytesPerSecond(id: string): number | null {
    return this.#progress.get(id)?.speed.at(this.#now()) ?? null
  }

  tell(ids: readonly string[]): void {
    for (const id of ids) this.#events.emit('arrival-changed', { id })
  }

  shown(arrival: StoredArrival): Arrival {
    const { id, kind, fileName, origin, state, position, size, confirmed, draft } = arrival
    const { digest, problem, createdAt, finishedAt } = arrival
    const facts = digest && factsOf(digest.facts)
    return {
      ...{ id, kind, fileName, origin, state, position, confirmed, draft, problem, createdAt, finishedAt },
      size: kind === 'url' ? null : size,
      bytesRead: this.bytesRead(arrival),
      bytesPerSecond: this.bytesPerSecond(id),
      found: digest &&
        facts && {
          format: facts.format,
          provider: facts.provider,
          architecture: facts.architecture,
          sha256: digest.sha256
        },
      note: facts?.note ?? null,
      canRetry: (state === 'failed' || state === 'cancelled') && kind !== 'stream'
    }
  }

  #settled(arrival: StoredArrival): StoredArrival {
    if (!hasEnded(arrival.state)) return { ...arrival, finishedAt: null }
    return { ...arrival, finishedAt: arrival.finishedAt ?? this.#now() }
  }

  #forgetSurplus(changed: readonly StoredArrival[]): string[] {
    if (!changed.some(({ state }) => hasEnded(state))) return []
    const surplus = this.table.surplus(endedKept)
    for (const id of surplus) this.table.remove(id)
    return surplus
  }
}

export const factsOf = (json: string): BoxFacts => JSON.parse(json) as BoxFacts
