import { setTimeout } from 'node:timers/promises'

/** Of the time that reading took, so much more passes before the next one begins. */
const restPerWork = 9
const longestRestMs = 60_000

/**
 * Something that takes long to read, read anew whenever somebody asks, but for a tenth of the time at most: who asks
 * while it rests waits, and shares one reading with all others who do. What is answered was read after it was asked for.
 */
export class Paced<T> {
  readonly #read: () => Promise<T>
  #next: Promise<T> | null = null
  #running: Promise<unknown> = Promise.resolve()
  #restUntil = -Infinity

  constructor(read: () => Promise<T>) {
    this.#read = read
  }

  read(): Promise<T> {
    return (this.#next ??= this.#readInTurn())
  }

  async #readInTurn(): Promise<T> {
    await this.#running
    const rest = this.#restUntil - performance.now()
    if (rest > 0) await setTimeout(rest, undefined, { ref: false })
    this.#next = null
    const start = performance.now()
    const reading = this.#read()
    this.#running = reading
      .catch(() => {})
      .then(() => {
        const end = performance.now()
        this.#restUntil = end + Math.min(restPerWork * (end - start), longestRestMs)
      })
    return reading
  }
}
