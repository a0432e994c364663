import type { IncomingMessage } from 'node:http'

/** Who is told of the bytes of an answer. */
export interface BodyListener {
  /** Nobody else holds the chunk; false asks for no more until `resume`. */
  bytes(chunk: Buffer): boolean
  /** All of it has come. */
  end(): void
  /** It broke off. */
  cut(): void
}

/** Where the bytes of an answer come from. */
export interface BodySource {
  /** How many of its chunks may wait to be taken: enough to keep both sides busy. */
  readonly readAhead: number
  /** To be called as soon as the head of the answer is there. */
  start(listener: BodyListener): void
  resume(): void
  destroy(): void
}

/** The bytes as the parser hands them on. */
export class ParsedBody implements BodySource {
  readonly readAhead = 4
  readonly #response: IncomingMessage

  constructor(response: IncomingMessage) {
    this.#response = response
  }

  start(listener: BodyListener): void {
    const response = this.#response
    response.on('data', (chunk: Buffer) => {
      if (!listener.bytes(chunk)) response.pause()
    })
    response.on('end', () => (response.complete ? listener.end() : listener.cut()))
    response.on('error', () => listener.cut())
    response.on('close', () => listener.cut())
    response.pause()
  }

  resume(): void {
    this.#response.resume()
  }

  destroy(): void {
    this.#response.destroy()
  }
}
