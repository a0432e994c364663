import { fdatasync, writev } from 'node:fs'
import { promisify } from 'node:util'

const writeAll = promisify(writev)
const sync = promisify(fdatasync)

/**
 * After so many bytes the disk is asked to begin. Whoever syncs a gigabyte only at its end waits for the disk alone,
 * with nothing else left to do meanwhile.
 */
const syncEvery = 32 * 1024 * 1024

/** Writes pieces to an open file one after another, in the thread pool, while its owner goes on. */
export class FileWriter {
  readonly #fd: number
  #position: number
  #tail: Promise<void> = Promise.resolve()
  #unsynced = 0
  #syncing: Promise<void> | null = null
  #failure: { error: unknown } | null = null

  constructor(fd: number, position = 0) {
    this.#fd = fd
    this.#position = position
  }

  /** Resolves once `chunks` are written and may be reused; never rejects, since `close` tells what went wrong. */
  write(chunks: readonly Uint8Array[]): Promise<void> {
    this.#tail = this.#tail.then(async () => {
      if (this.#failure) return
      try {
        await this.#put(chunks)
      } catch (error) {
        this.#failure = { error }
      }
    })
    return this.#tail
  }

  get failed(): boolean {
    return this.#failure !== null
  }

  /** Waits until the file is no longer touched; throws what went wrong. */
  async close(): Promise<void> {
    await this.#tail
    await this.#syncing
    if (this.#failure) throw this.#failure.error
  }

  async #put(chunks: readonly Uint8Array[]): Promise<void> {
    let rest = chunks
    while (rest.length > 0) {
      const { bytesWritten } = await writeAll(this.#fd, rest, this.#position)
      this.#position += bytesWritten
      this.#unsynced += bytesWritten
      rest = after(rest, bytesWritten)
    }
    if (this.#unsynced >= syncEvery && this.#syncing === null) {
      this.#unsynced = 0
      this.#syncing = sync(this.#fd)
        .catch((error: unknown) => void (this.#failure ??= { error }))
        .finally(() => (this.#syncing = null))
    }
  }
}

function after(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  const rest: Uint8Array[] = []
  let skip = bytes
  for (const chunk of chunks) {
    if (skip < chunk.length) rest.push(chunk.subarray(skip))
    skip = Math.max(0, skip - chunk.length)
  }
  return rest
}
