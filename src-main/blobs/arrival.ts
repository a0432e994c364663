import type { Readable } from 'node:stream'
import { Problem } from '../domain/problem.ts'
import type { Body, ReceiveOptions } from './driver.ts'

/** Refuses what cannot be the file that was announced. */
export class TooManyBytes extends Problem {
  constructor(announced: number) {
    super('invalid', `More bytes arrived than the ${announced} that were announced.`)
  }
}

/** A stream that is coming in, held against what was announced. Every driver refuses the same in the same words. */
export class Arrival {
  #body: Readable | null = null
  readonly #length: number | null
  readonly #signal: AbortSignal | undefined
  readonly #open: () => Promise<Readable>
  readonly #onProgress: (bytes: number) => void
  readonly #calledOff = (): void => void this.#body?.destroy(this.#reason())
  #bytes = 0

  constructor(
    body: Body,
    { length = null, signal, onProgress = () => {}, continueFrom = 0 }: ReceiveOptions
  ) {
    this.#length = length
    this.#signal = signal
    this.#onProgress = onProgress
    this.#bytes = continueFrom
    signal?.addEventListener('abort', this.#calledOff, { once: true })
    if (typeof body !== 'function') this.#watch(body)
    this.#open = typeof body === 'function' ? body : () => Promise.resolve(body)
  }

  async open(): Promise<Readable> {
    this.#signal?.throwIfAborted()
    return this.#watch(await this.#open())
  }

  /** From here on a failure of the stream is ours to tell, also one that comes before the first byte is read. */
  #watch(body: Readable): Readable {
    if (this.#body === body) return body
    this.#body = body
    body.on('error', () => {})
    if (this.#signal?.aborted) this.#calledOff()
    return body
  }

  arrived(bytes: number): void {
    this.#bytes = bytes
    if (this.#length !== null && bytes > this.#length) throw new TooManyBytes(this.#length)
    this.#onProgress(bytes)
  }

  checkComplete(): void {
    if (this.#length !== null && this.#bytes < this.#length)
      throw new Problem(
        'invalid',
        `Only ${this.#bytes} of ${this.#length} bytes arrived; send the file again.`
      )
  }

  leave(): void {
    this.#signal?.removeEventListener('abort', this.#calledOff)
  }

  /** What a failure tells; a line that broke is nobody's fault here. */
  explain(error: unknown): unknown {
    if (this.#signal?.aborted) return this.#signal.reason
    if (!isCut(error)) return error
    return new Problem('invalid', `The upload broke off after ${this.#bytes} bytes; send the file again.`)
  }

  #reason(): Error {
    const reason: unknown = this.#signal?.reason
    return reason instanceof Error ? reason : new Error('called off')
  }
}

const isCut = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
