import { Problem } from '../domain/problem.ts'

/** What has arrived of a stream, held against what was announced. Both drivers refuse the same in the same words. */
export class Arrival {
  readonly #length: number | null
  readonly #onProgress: (bytes: number) => void
  #bytes = 0

  constructor(length: number | null | undefined, onProgress: ((bytes: number) => void) | undefined) {
    this.#length = length ?? null
    this.#onProgress = onProgress ?? (() => {})
  }

  arrived(bytes: number): void {
    this.#bytes = bytes
    if (this.#length !== null && bytes > this.#length)
      throw new Problem('invalid', `More bytes arrived than the ${this.#length} that were announced.`)
    this.#onProgress(bytes)
  }

  checkComplete(): void {
    if (this.#length !== null && this.#bytes < this.#length)
      throw new Problem(
        'invalid',
        `Only ${this.#bytes} of ${this.#length} bytes arrived; send the file again.`
      )
  }

  /** What a failed stream tells; a line that broke is nobody's fault here. */
  explain(error: unknown): unknown {
    const broken =
      error instanceof Error &&
      'code' in error &&
      (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
    if (!broken) return error
    return new Problem('invalid', `The upload broke off after ${this.#bytes} bytes; send the file again.`)
  }
}
