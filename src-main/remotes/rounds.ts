import type { Log } from '../log.ts'

/** How often is looked what is due: a timer of hours would be late by all the time a laptop sleeps. */
const lookEvery = 5_000
/** Of an interval, so much at most is added by chance, so that not everything is asked at the same moments. */
const jitter = 0.1

/** Work that comes round again and again. */
export interface RoundsParts {
  /** Which are due, by what keeps them. */
  readonly due: (now: number) => readonly number[]
  /** Does it; what it throws is logged. */
  readonly work: (id: number, signal: AbortSignal) => Promise<void>
  readonly what: string
  readonly log: Log
  readonly now: () => number
}

/** Does what is due, never the same twice at once; who asks for what is being done already waits for its end. */
export class Rounds {
  readonly #parts: RoundsParts
  readonly #running = new Map<number, Promise<void>>()
  readonly #ending = new AbortController()
  #timer: NodeJS.Timeout | null = null

  constructor(parts: RoundsParts) {
    this.#parts = parts
  }

  start(): void {
    this.#timer ??= setInterval(() => this.look(), lookEvery).unref()
  }

  /** Starts what is due. */
  look(): void {
    const { due, log, what, now } = this.#parts
    if (this.#ending.signal.aborted) return
    try {
      for (const id of due(now())) if (!this.#running.has(id)) void this.run(id)
    } catch (error) {
      log.error(`${what}: what is due could not be found out`, error)
    }
  }

  isRunning(id: number): boolean {
    return this.#running.has(id)
  }

  /** Resolves when it is done, whatever came of it; rejects only when `signal` ends the waiting. */
  async run(id: number, signal?: AbortSignal): Promise<void> {
    const running = this.#running.get(id) ?? this.#begin(id)
    if (!signal) return running
    signal.throwIfAborted()
    let abort = (): void => {}
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason as Error)
      signal.addEventListener('abort', abort, { once: true })
    })
    await Promise.race([running, aborted]).finally(() => signal.removeEventListener('abort', abort))
  }

  #begin(id: number): Promise<void> {
    const { work, log, what } = this.#parts
    const { signal } = this.#ending
    const running = (async () => {
      try {
        if (!signal.aborted) await work(id, signal)
      } catch (error) {
        if (!signal.aborted) log.error(`${what} failed`, error)
      } finally {
        this.#running.delete(id)
      }
    })()
    this.#running.set(id, running)
    return running
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  /** Stops what runs, and waits for it. */
  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#ending.abort(new Error('the program ends'))
    await this.idle()
  }
}

const luck = Math.random()

/** An interval with its part of chance: the same for the same thing as long as the program runs. */
export const jittered = (interval: number, id: number): number =>
  Math.round(interval * (1 + jitter * ((luck + id * 0.618034) % 1)))
