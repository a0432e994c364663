import type { Log } from '../../log.ts'
import { RunStopped, type StopReason } from './stopping.ts'

/** What can be carried out next. */
export interface Candidate {
  readonly id: string
  readonly remoteId: number
  /** The same for the same box here. */
  readonly tag: string
}

/** What is going on, as far as the next choice depends on it. */
export interface Busy {
  /** Remotes that have as many as they get, or must not be asked now. */
  readonly isFull: (remoteId: number) => boolean
  readonly tags: readonly string[]
  readonly ids: readonly string[]
}

/** Time as the engine sees it; of the test's own in tests. */
export interface EngineClock {
  readonly now: () => number
  readonly setTimeout: (work: () => void, ms: number) => unknown
  readonly clearTimeout: (timer: unknown) => void
}

interface Parts {
  /** How many may run at the same time; asked whenever there is room for more. */
  readonly parallel: () => number
  readonly perRemote: number
  /** The first in the order that may go now; null when there is none. */
  readonly next: (busy: Busy) => Candidate | null
  /** When one may go that may not go now; null when nothing but a kick changes that. */
  readonly nextAt: () => number | null
  /** Until when a remote must not be asked. */
  readonly pausedUntil: (remoteId: number) => number | null
  /** Resolves once it has ended in whatever way, which is noted; a rejection is a fault. */
  readonly run: (candidate: Candidate, signal: AbortSignal) => Promise<void>
  /** One that could not even be worked on is put where it stops nobody. */
  readonly park: (id: string, error: unknown) => void
  readonly clock: EngineClock
  readonly log: Log
}

interface Running extends Candidate {
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** Nobody waits longer for a run to stop: a remote that hangs must not hang the person. */
const stopPatience = 3000
/** Timers know no longer times. */
const longestTimer = 2 ** 31 - 1

/**
 * Decides which transfer goes next, and keeps those that run within their bounds: so many in all, so many for each remote,
 * and one at a time for a box here. What carries them out, and what there is, it is given.
 */
export class Engine {
  readonly #parts: Parts
  readonly #running = new Map<string, Running>()
  #open = false
  #timer: unknown = null
  #kicking = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get isOpen(): boolean {
    return this.#open
  }

  start(): void {
    this.#open = true
    this.kick()
  }

  /** To be called whenever something may have come to wait, or may go that could not. */
  kick(): void {
    if (!this.#open || this.#kicking) return
    this.#kicking = true
    try {
      while (this.#running.size < this.#parts.parallel()) {
        const candidate = this.#parts.next(this.#busy())
        if (!candidate) break
        this.#begin(candidate)
      }
    } catch (error) {
      this.#parts.log.error('which transfer goes next could not be found out', error)
    } finally {
      this.#kicking = false
    }
    this.#setTimer()
  }

  isRunning(id: string): boolean {
    return this.#running.has(id)
  }

  runningIds(): string[] {
    return [...this.#running.keys()]
  }

  /** Resolves once it no longer runs, or after some seconds of a run that does not listen; tells whether it did run. */
  async stop(id: string, why: StopReason): Promise<boolean> {
    const running = this.#running.get(id)
    if (!running) return false
    running.abort.abort(new RunStopped(why))
    let timer: unknown
    const patience = new Promise<void>((resolve) => {
      timer = this.#parts.clock.setTimeout(resolve, stopPatience)
    })
    await Promise.race([running.done, patience])
    this.#parts.clock.clearTimeout(timer)
    return true
  }

  async stopAll(why: StopReason): Promise<void> {
    await Promise.all(this.runningIds().map((id) => this.stop(id, why)))
  }

  /** Resolves once nothing runs any more, and nothing begins again. */
  async close(): Promise<void> {
    this.#open = false
    this.#parts.clock.clearTimeout(this.#timer)
    await this.stopAll('parked')
  }

  #busy(): Busy {
    const running = [...this.#running.values()]
    const { perRemote, pausedUntil } = this.#parts
    return {
      isFull: (remoteId) =>
        pausedUntil(remoteId) !== null ||
        running.filter((one) => one.remoteId === remoteId).length >= perRemote,
      tags: running.map(({ tag }) => tag),
      ids: running.map(({ id }) => id)
    }
  }

  #begin(candidate: Candidate): void {
    const { run, park, log } = this.#parts
    const abort = new AbortController()
    const done = Promise.resolve()
      .then(() => run(candidate, abort.signal))
      .catch((error: unknown) => {
        log.error(`the transfer ${candidate.id} could not be worked on`, error)
        park(candidate.id, error)
      })
      .catch((error: unknown) => log.error(`the transfer ${candidate.id} could not be put aside`, error))
      .finally(() => {
        this.#running.delete(candidate.id)
        this.kick()
      })
    this.#running.set(candidate.id, { ...candidate, abort, done })
  }

  #setTimer(): void {
    const { clock, nextAt, log } = this.#parts
    clock.clearTimeout(this.#timer)
    this.#timer = null
    if (!this.#open) return
    try {
      const at = nextAt()
      if (at === null) return
      const wait = Math.min(Math.max(at - clock.now(), 1), longestTimer)
      this.#timer = clock.setTimeout(() => this.kick(), wait)
    } catch (error) {
      log.error('when the next transfer may go could not be found out', error)
    }
  }
}
