import type { Log } from '../../log.ts'

/** Why work is to stop: the person does not want it, or the program ends and it is to go on after the next start. */
export class Stopped extends Error {
  readonly why: 'cancelled' | 'closing'

  constructor(why: 'cancelled' | 'closing') {
    super(why)
    this.why = why
  }
}

/** What cannot even be begun (the disk is full, say) is tried again after this time. */
const pause = 5000

interface Running {
  readonly abort: AbortController
  readonly done: Promise<void>
}

interface Parts {
  /** How many may run at the same time; asked whenever there is room for more. */
  readonly parallel: () => number
  /** The next one in the order, which `run` takes out of it at once; null when there is none. */
  readonly next: () => string | null
  readonly run: (id: string, signal: AbortSignal) => Promise<void>
  readonly log: Log
}

/** Runs what waits, some at a time, in the order it has at that moment. One that fails keeps no other from its turn. */
export class Queue {
  readonly #parts: Parts
  readonly #running = new Map<string, Running>()
  #open = false
  #retry: NodeJS.Timeout | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  start(): void {
    this.#open = true
    this.kick()
  }

  /** To be called whenever something may have come to wait. */
  kick(): void {
    while (this.#open && this.#running.size < this.#parts.parallel()) {
      const id = this.#parts.next()
      if (id === null || this.#running.has(id)) return
      this.#begin(id)
    }
  }

  /** Resolves once it no longer runs, with whether it did. */
  async stop(id: string, why: Stopped['why'] = 'cancelled'): Promise<boolean> {
    const running = this.#running.get(id)
    if (!running) return false
    running.abort.abort(new Stopped(why))
    await running.done
    return true
  }

  /** Resolves once nothing runs any more, and nothing begins again. */
  async close(): Promise<void> {
    this.#open = false
    clearTimeout(this.#retry)
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id, 'closing')))
  }

  #begin(id: string): void {
    const abort = new AbortController()
    const done = this.#parts
      .run(id, abort.signal)
      .finally(() => this.#running.delete(id))
      .then(
        () => this.kick(),
        (error: unknown) => this.#failed(id, error)
      )
    this.#running.set(id, { abort, done })
  }

  #failed(id: string, error: unknown): void {
    this.#parts.log.error(`the arrival ${id} could not be worked on`, error)
    clearTimeout(this.#retry)
    if (this.#open) this.#retry = setTimeout(() => this.kick(), pause).unref()
  }
}
