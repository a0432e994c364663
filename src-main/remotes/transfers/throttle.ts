import type { Readable } from 'node:stream'

/** A pause in the traffic is made up for later by so many milliseconds' worth of bytes, and no more. */
const burstMs = 250
/** Waits are cut into pieces, so that another limit takes effect soon. */
const longestWait = 1000

/** What a throttle goes by, in milliseconds; of the test's own in tests. */
export interface ThrottleClock {
  readonly now: () => number
  readonly setTimeout: (work: () => void, ms: number) => { unref(): unknown }
}

const realClock: ThrottleClock = {
  now: () => performance.now(),
  setTimeout: (work, ms) => setTimeout(work, ms)
}

/**
 * Keeps all streams of one direction together below so many bytes a second: a bucket of allowed bytes, from which each
 * chunk is taken as it comes, and while it is overdrawn nobody reads on. Another limit is in force at once, also for
 * streams under way. Without a limit a stream is only counted, and passes through nothing that it would not pass anyway.
 */
export class Throttle {
  readonly #limit: () => number | null
  readonly #clock: ThrottleClock
  readonly #waiting: (() => void)[] = []
  #allowed = 0
  #at: number
  #sleeping = false

  constructor(limit: () => number | null, clock: ThrottleClock = realClock) {
    this.#limit = limit
    this.#clock = clock
    this.#at = clock.now()
  }

  /**
   * The same stream, whose source is asked for more no sooner than is allowed. That is where a stream is held back
   * anyway when its reader is slow, so one more stream in between, and its copying, is saved.
   */
  over<T extends Readable>(body: T): T {
    const read = body._read.bind(body)
    const push = body.push.bind(body)
    body._read = (size) => {
      if (!this.#isOverdrawn()) return read(size)
      this.#waiting.push(() => {
        if (!body.destroyed) body._read(size)
      })
      this.#sleep()
    }
    body.push = (chunk: unknown, encoding?: BufferEncoding) => {
      const more = push(chunk, encoding)
      if (chunk === null || this.#limit() === null) return more
      this.#take((chunk as Uint8Array).length)
      // Sources that go on as long as they may have to be told to wait to be asked.
      return more && this.#allowed >= 0
    }
    return body
  }

  /** To be called when the limit is another one. */
  changed(): void {
    this.#refill()
    // Whoever sleeps does so for as long as the limit before asked for; that it wakes later as well does no harm.
    this.#sleeping = false
    this.#wake()
  }

  #take(bytes: number): void {
    this.#refill()
    this.#allowed -= bytes
  }

  #isOverdrawn(): boolean {
    if (this.#limit() === null) {
      this.#allowed = 0
      return false
    }
    this.#refill()
    return this.#allowed < 0
  }

  #refill(): void {
    const limit = this.#limit()
    const now = this.#clock.now()
    const passed = now - this.#at
    this.#at = now
    if (limit === null) this.#allowed = 0
    else {
      this.#allowed = Math.min(this.#allowed + (limit * passed) / 1000, (limit * burstMs) / 1000)
      // What went over under a higher limit is not waited for as if it had been under this one.
      this.#allowed = Math.max(this.#allowed, -Math.max(limit, largestChunk))
    }
  }

  #sleep(): void {
    if (this.#sleeping) return
    const limit = this.#limit()
    const wait = limit === null ? 0 : Math.ceil((-this.#allowed * 1000) / limit)
    this.#sleeping = true
    this.#clock
      .setTimeout(
        () => {
          this.#sleeping = false
          this.#wake()
        },
        Math.min(Math.max(wait, 1), longestWait)
      )
      .unref()
  }

  /** In their order, so that each gets its turn. */
  #wake(): void {
    while (!this.#isOverdrawn()) {
      const next = this.#waiting.shift()
      if (!next) return
      next()
    }
    if (this.#waiting.length > 0) this.#sleep()
  }
}

/** As streams here read at most at a time. */
const largestChunk = 1024 * 1024
