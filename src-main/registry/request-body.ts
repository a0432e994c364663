import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Problem } from '../domain/problem.ts'

const buffered = 1024 * 1024

/**
 * The body of a request as a stream its reader may give up, without the connection going with it: whoever sent too
 * much must still be able to read why it was refused. It breaks, rather than ends, when the client leaves in the middle.
 */
export class RequestBody extends Readable {
  readonly #request: IncomingMessage
  readonly #onFirstRead: () => void
  #asked = false

  constructor(request: IncomingMessage, onFirstRead: () => void) {
    super({ highWaterMark: buffered })
    this.#request = request
    this.#onFirstRead = onFirstRead
    request.on('error', this.#onBroken).on('close', this.#onBroken)
    // A client that leaves before anybody reads must not bring the process down.
    this.on('error', () => {})
  }

  override _read(): void {
    if (this.#asked) return void this.#request.resume()
    this.#asked = true
    this.#onFirstRead()
    this.#request.on('data', this.#onData).on('end', this.#onEnd)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const request = this.#request.off('data', this.#onData).off('end', this.#onEnd)
    request.off('close', this.#onBroken)
    callback(error)
  }

  #onData = (chunk: Buffer): void => {
    if (!this.push(chunk)) this.#request.pause()
  }

  #onEnd = (): void => void this.push(null)

  #onBroken = (): void => {
    if (!this.#request.readableEnded)
      this.destroy(new Problem('invalid', 'The upload broke off before its end; send it again.'))
  }
}
