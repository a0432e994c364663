import { Readable } from 'node:stream'
import { RemoteFailure } from '../../failure.ts'
import type { BodyListener, BodySource } from './body-source.ts'
import { tooSlow } from './broken.ts'
import type { HttpLimits } from './limits.ts'

/**
 * The body of an answer. It breaks with a RemoteFailure when it ends too early, when too little comes while somebody
 * wants more, or when it takes longer than it may; with the signal's reason when that is given.
 */
export class ReceivedBody extends Readable implements BodyListener {
  /** Nobody else holds the chunks, see blobs/ingest.ts. */
  readonly givesAway = true
  readonly #source: BodySource
  readonly #host: string
  readonly #limits: HttpLimits
  readonly #stop: () => void
  #timer: NodeJS.Timeout | null = null
  #sinceArmed = 0
  #ended = false

  constructor(source: BodySource, host: string, limits: HttpLimits, signal: AbortSignal) {
    // As objects: chunks that wait would otherwise be copied into one.
    super({ objectMode: true, highWaterMark: source.readAhead })
    this.#source = source
    this.#host = host
    this.#limits = limits
    const abort = (): void => void this.destroy(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    this.#stop = () => signal.removeEventListener('abort', abort)
    source.start(this)
    if (signal.aborted) abort()
  }

  override _read(): void {
    if (this.#ended) return
    this.#timer ??= setTimeout(() => this.#silent(), this.#limits.idleTime)
    this.#source.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stop()
    this.#disarm()
    if (!this.#ended) this.#source.destroy()
    done(error)
  }

  bytes(chunk: Buffer): boolean {
    this.#sinceArmed += chunk.length
    const more = this.push(chunk)
    if (!more) {
      this.#disarm()
    } else if (this.#sinceArmed >= this.#limits.leastBytes) {
      this.#sinceArmed = 0
      this.#timer?.refresh()
    }
    return more
  }

  end(): void {
    this.#ended = true
    this.#disarm()
    this.push(null)
  }

  cut(): void {
    if (this.#ended || this.destroyed) return
    this.destroy(
      new RemoteFailure('offline', [`The connection to ${this.#host} broke off in the middle of its answer.`])
    )
  }

  #silent(): void {
    const seconds = Math.round(this.#limits.idleTime / 1000)
    const sentence = `${this.#host} stopped in the middle of its answer: next to nothing came for ${seconds} seconds.`
    this.destroy(tooSlow(sentence, { sent: true, changes: false }))
  }

  #disarm(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#sinceArmed = 0
  }
}
