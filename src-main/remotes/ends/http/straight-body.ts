import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { writeBuffers } from '../../../blobs/buffer-pool.ts'
import { takeOver, type Taker } from './agents.ts'
import { ParsedBody, type BodyListener, type BodySource } from './body-source.ts'
import type { HttpLimits } from './limits.ts'

/** A piece that fills more slowly is handed on as far as it goes, in milliseconds. */
const patience = 100

const nothing = new Uint8Array(0)
const nowhere = new Uint8Array(1)

/** To be asked for as soon as the head of an answer is there, whose body begins at byte `from` of a file. */
export function bodyOfFile(
  response: IncomingMessage,
  from: number,
  { straightBytes }: Pick<HttpLimits, 'straightBytes'>
): BodySource {
  const length = lengthOf(response)
  if (length === 0 || length < straightBytes) return new ParsedBody(response)
  const body = new StraightBody(response, from, length)
  return takeOver(response.socket, body) ? body : new ParsedBody(response)
}

/** 0 where the connection may bring something else next, or where nobody knows. */
function lengthOf({ statusCode, headers }: IncomingMessage): number {
  const hasBody = (statusCode === 200 || statusCode === 206) && headers['transfer-encoding'] === undefined
  return hasBody ? Number(headers['content-length'] ?? 0) : 0
}

/**
 * The bytes straight from the connection, read into the pieces of memory that they are digested in and written from. The
 * parser would copy them into memory that is new each time, which takes longer than all else that is done with them here.
 */
class StraightBody implements BodySource, Taker {
  readonly readAhead = 2
  readonly #response: IncomingMessage
  readonly #connection: Socket
  #listener: BodyListener | null = null
  #missing: number
  /** Where in the file the current piece begins: pieces are cut so that they can be written as they are. */
  #position: number
  #piece: Buffer | null = null
  #filled = 0
  /** So much of the current piece was handed on already. */
  #told = 0
  #timer: NodeJS.Timeout | undefined
  #waits = true
  #parsed = false

  constructor(response: IncomingMessage, from: number, length: number) {
    this.#response = response
    this.#connection = response.socket
    this.#position = from
    this.#missing = length
  }

  start(listener: BodyListener): void {
    this.#listener = listener
    this.#response.on('error', () => this.#cut())
    this.#response.on('close', () => this.#cut())
  }

  resume(): void {
    if (!this.#waits) return
    this.#waits = false
    // The parser may have stopped the connection without telling it.
    this.#connection.pause().resume()
  }

  destroy(): void {
    this.#listener = null
    clearTimeout(this.#timer)
    this.#response.destroy()
  }

  room(): Uint8Array {
    if (!this.#parsed) this.#takeParsed()
    return this.#room()
  }

  came(length: number): boolean {
    const bytes = Math.min(length, this.#missing)
    this.#missing -= bytes
    this.#filled += bytes
    if (this.#missing === 0) {
      this.#handOn()
      const listener = this.#listener
      this.destroy()
      listener?.end()
    } else if (this.#filled === this.#capacity) this.#waits = !this.#handOn()
    else this.#timer ??= setTimeout(() => this.#handOn(), patience)
    return !this.#waits
  }

  /** What came with the head has been through the parser, and goes before all else. */
  #takeParsed(): void {
    this.#parsed = true
    const parsed = (this.#response.read() ?? nothing) as Uint8Array
    for (let at = 0; at < parsed.length;) {
      const room = this.#room()
      const part = parsed.subarray(at, at + room.length)
      room.set(part)
      at += part.length
      this.came(part.length)
    }
  }

  #room(): Uint8Array {
    if (this.#missing === 0) return nowhere
    this.#piece ??= writeBuffers.take()
    return this.#piece.subarray(this.#filled, this.#capacity)
  }

  get #capacity(): number {
    return writeBuffers.size - (this.#position % writeBuffers.size)
  }

  /** A whole piece goes as it is; of others, a copy. */
  #handOn(): boolean {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const piece = this.#piece
    if (!piece || this.#told === this.#filled) return true
    const isWhole = this.#told === 0 && this.#filled === piece.length
    const chunk = isWhole ? piece : Buffer.from(piece.subarray(this.#told, this.#filled))
    this.#told = this.#filled
    if (isWhole) this.#piece = null
    if (this.#filled === this.#capacity) {
      this.#position += this.#filled
      this.#filled = this.#told = 0
    }
    return this.#listener?.bytes(chunk) ?? false
  }

  /** What had come is taken first: it need not come again. */
  #cut(): void {
    this.#handOn()
    setImmediate(() => this.#listener?.cut())
  }
}
