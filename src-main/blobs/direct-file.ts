import { close, constants, fdatasync, openSync, write } from 'node:fs'
import { promisify } from 'node:util'

const writeTo = promisify(write)
const syncData = promisify(fdatasync)
const closeFile = promisify(close)

/** What memory, position and length have to be multiples of: no disk has larger sectors. */
const alignment = 4096
/**
 * After so many bytes the disk is asked to begin, where the kernel keeps them for it. Whoever syncs a gigabyte only at its
 * end waits for the disk alone, with nothing else left to do meanwhile.
 */
const syncEvery = 32 * 1024 * 1024

/**
 * Writes to an open file past the kernel's cache, where that can be done. Filling the cache with gigabytes that nobody reads
 * soon costs more than all else that is done with them, takes the place of what others do read, and has to be undone
 * before the file is safe.
 */
export class DirectFile {
  readonly #fd: number
  /** The same file, opened again when the first piece comes that can go there. */
  #direct: number | 'unopened' | 'impossible' = 'unopened'
  #cached = 0
  #syncing: Promise<void> = Promise.resolve()

  constructor(fd: number) {
    this.#fd = fd
  }

  /** Resolves once all of `bytes` is written. One at a time, so that what a crash leaves has no holes. */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    const isAligned = position % alignment === 0 && bytes.length % alignment === 0
    let done = isAligned ? await this.#writePast(bytes, position) : 0
    while (done < bytes.length) {
      const { bytesWritten } = await writeTo(this.#fd, bytes, done, bytes.length - done, position + done)
      done += bytesWritten
      this.#cached += bytesWritten
    }
    if (this.#cached < syncEvery) return
    await this.#syncing
    this.#cached = 0
    this.#syncing = syncData(this.#fd)
    this.#syncing.catch(() => {}) // heard the next time
  }

  async close(): Promise<void> {
    await this.#syncing.finally(async () => {
      if (typeof this.#direct === 'number') await closeFile(this.#direct)
    })
  }

  /** How many of the bytes were written: none where the file system knows no such thing. */
  async #writePast(bytes: Uint8Array, position: number): Promise<number> {
    if (this.#direct === 'unopened') this.#direct = openPast(this.#fd)
    if (this.#direct === 'impossible') return 0
    try {
      return (await writeTo(this.#direct, bytes, 0, bytes.length, position)).bytesWritten
    } catch (error) {
      // Some open such files and then cannot write to them.
      if ((error as NodeJS.ErrnoException).code === 'EINVAL') return 0
      throw error
    }
  }
}

function openPast(fd: number): number | 'impossible' {
  // Other systems have other ways, which cannot be reached from here.
  if (process.platform !== 'linux') return 'impossible'
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_DIRECT)
  } catch {
    return 'impossible' // what else is wrong with the file, a usual write meets and names
  }
}
