import { isPooled, writeBuffers } from './buffer-pool.ts'
import { DirectFile } from './direct-file.ts'

/** A piece that fills more slowly is written as far as it goes, in milliseconds: what has come is not to be lost with the process. */
const patience = 100

/** Writes to an open file in large pieces, one after another, in the thread pool, while its owner goes on. */
export class FileWriter {
  readonly #file: DirectFile
  /** Where the piece that is being filled begins. */
  #position: number
  #piece: Buffer | null = null
  #filled = 0
  #spare: Buffer | null = null
  #tail: Promise<void> = Promise.resolve()
  #writing: Promise<void> = Promise.resolve()
  #failure: { error: unknown } | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(fd: number, position = 0) {
    this.#file = new DirectFile(fd)
    this.#position = position
  }

  /** Resolves once `chunks` may be reused; never rejects, since `close` tells what went wrong. */
  write(chunks: readonly Uint8Array[]): Promise<void> {
    return this.#next(() => this.#gather(chunks))
  }

  get failed(): boolean {
    return this.#failure !== null
  }

  /** Waits until all is written and the file is no longer touched; throws what went wrong. */
  async close(): Promise<void> {
    await this.#next(() => this.#turn())
    await this.#writing
    for (const piece of [this.#piece, this.#spare]) if (piece) writeBuffers.giveBack(piece)
    this.#piece = this.#spare = null
    await this.#file.close().catch((error: unknown) => (this.#failure ??= { error }))
    if (this.#failure) throw this.#failure.error
  }

  async #gather(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      if (this.#isPieceItself(chunk)) {
        await this.#writing
        await this.#file.write(chunk, this.#position)
        this.#position += chunk.length
        continue
      }
      for (let at = 0; at < chunk.length;) {
        this.#piece ??= writeBuffers.take()
        const part = chunk.subarray(at, at + this.#capacity - this.#filled)
        this.#piece.set(part, this.#filled)
        this.#filled += part.length
        at += part.length
        if (this.#filled === this.#capacity) await this.#turn()
      }
    }
    if (this.#filled > 0) this.#timer ??= setTimeout(() => void this.#next(() => this.#turn()), patience)
  }

  /** What comes in the right size at the right place need not be copied. */
  #isPieceItself({ buffer, length }: Uint8Array): boolean {
    return this.#filled === 0 && length === this.#capacity && length === buffer.byteLength && isPooled(buffer)
  }

  /** The first piece is only so large that the others begin at a multiple of their size. */
  get #capacity(): number {
    return writeBuffers.size - (this.#position % writeBuffers.size)
  }

  /** Has a piece written while the other one is filled. */
  async #turn(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#writing
    const piece = this.#piece
    if (!piece || this.#filled === 0) return
    const [bytes, position] = [piece.subarray(0, this.#filled), this.#position]
    this.#writing = this.#unlessFailed(() => this.#file.write(bytes, position))
    this.#position += this.#filled
    this.#filled = 0
    this.#piece = this.#spare
    this.#spare = piece
  }

  #next(work: () => Promise<void>): Promise<void> {
    return (this.#tail = this.#tail.then(() => this.#unlessFailed(work)))
  }

  async #unlessFailed(work: () => Promise<void>): Promise<void> {
    if (this.#failure) return
    try {
      await work()
    } catch (error) {
      this.#failure ??= { error }
    }
  }
}
