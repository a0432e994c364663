import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { missing } from '../domain/problem.ts'
import { readBuffers } from './buffer-pool.ts'
import { alignment, DirectFile } from './direct-file.ts'
import { openRegular } from './regular-file.ts'

/** The bytes of a file from one on; the file is closed with the stream. */
export async function openFile(path: string, from: number): Promise<FileReader> {
  const file = await openRegular(path)
  if (!file) throw missing()
  return new FileReader(file, from)
}

/**
 * A file as a stream of large pieces. Whoever is done with a piece may give it back, and a later one is read into it: making
 * buffers takes longer than filling them, and leaves more garbage than a whole transfer needs otherwise.
 */
export class FileReader extends Readable {
  readonly #handle: FileHandle
  readonly #file: DirectFile
  /** Weak: most readers never give anything back. */
  readonly #lent = new WeakMap<ArrayBufferLike, Buffer>()
  #position: number
  #reading: Promise<void> = Promise.resolve()

  constructor(handle: FileHandle, from: number) {
    super({ highWaterMark: readBuffers.size })
    this.#handle = handle
    this.#file = new DirectFile(handle.fd)
    this.#position = from
  }

  /** To be called once nobody looks at a piece any more, nor at a part of it. */
  giveBack({ buffer }: Uint8Array): void {
    const lent = this.#lent.get(buffer)
    if (lent && this.#lent.delete(buffer)) readBuffers.giveBack(lent)
  }

  override _read(): void {
    this.#reading = this.#readPiece()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Not while it is read: the number of a closed file may be another file's by then.
    void this.#reading
      .then(() => this.#file.close().finally(() => this.#handle.close()))
      .then(
        () => done(error),
        (failure: unknown) => done(error ?? (failure as Error))
      )
  }

  async #readPiece(): Promise<void> {
    const buffer = readBuffers.take()
    try {
      // A first piece may have to be smaller, so that the others begin where the disk's own pieces do.
      const piece = buffer.subarray(0, readBuffers.size - (this.#position % alignment))
      const bytesRead = await this.#file.read(piece, this.#position)
      this.#position += bytesRead
      if (bytesRead > 0) this.#lent.set(buffer.buffer, buffer)
      else readBuffers.giveBack(buffer)
      this.push(bytesRead > 0 ? buffer.subarray(0, bytesRead) : null)
    } catch (error) {
      this.destroy(error as Error)
    }
  }
}
