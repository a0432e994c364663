import { close, constants, fdatasync, openSync, read, write } from 'node:fs'
import { promisify } from 'node:util'

const readFrom = promisify(read)
const writeTo = promisify(write)
const syncData = promisify(fdatasync)
const closeFile = promisify(close)

/** What memory, position and length have to be multiples of: no disk has larger sectors. */
export const alignment = 4096
/**
 * After so many bytes the disk is asked to begin, where the kernel keeps them for it. Whoever syncs a gigabyte only at its
 * end waits for the disk alone, with nothing else left to do meanwhile.
 */
const syncEvery = 32 * 1024 * 1024

/**
 * Reads or writes an open file past the kernel's cache, where that can be done, with memory of `buffer-pool.ts`. To fill
 * the cache with gigabytes that nobody needs twice costs more than all else that is done with them, takes the place of what
 * others do need, and has to be undone before a written file is safe.
 */
export class DirectFile {
  readonly #fd: number
  /** The same file, opened again when the first piece comes that can go that way. */
  #direct: number | 'unopened' | 'impossible' = 'unopened'
  #cached = 0
  #syncing: Promise<void> = Promise.resolve()

  constructor(fd: number) {
    this.#fd = fd
  }

  /** Tells how many bytes were read; 0 at the end of the file. */
  async read(into: Uint8Array, position: number): Promise<number> {
    const direct = await this.#past(constants.O_RDONLY, into, position, async (fd) => {
      return (await readFrom(fd, into, 0, into.length, position)).bytesRead
    })
    return direct ?? (await readFrom(this.#fd, into, 0, into.length, position)).bytesRead
  }

  /** Resolves once all of `bytes` is written. One at a time, so that what a crash leaves has no holes. */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    const direct = await this.#past(constants.O_WRONLY, bytes, position, async (fd) => {
      return (await writeTo(fd, bytes, 0, bytes.length, position)).bytesWritten
    })
    let done = direct ?? 0
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

  /** Null where it has to be done as usual. */
  async #past(
    mode: number,
    { length }: Uint8Array,
    position: number,
    work: (fd: number) => Promise<number>
  ): Promise<number | null> {
    if (position % alignment !== 0 || length % alignment !== 0) return null
    if (this.#direct === 'unopened') this.#direct = openPast(this.#fd, mode)
    if (this.#direct === 'impossible') return null
    try {
      return await work(this.#direct)
    } catch (error) {
      // Some file systems open such files and then cannot do it.
      if ((error as NodeJS.ErrnoException).code === 'EINVAL') return null
      throw error
    }
  }
}

function openPast(fd: number, mode: number): number | 'impossible' {
  // Other systems have other ways, which cannot be reached from here.
  if (process.platform !== 'linux') return 'impossible'
  try {
    return openSync(`/proc/self/fd/${fd}`, mode | constants.O_DIRECT)
  } catch {
    return 'impossible' // what else is wrong with the file is met as usual, and named
  }
}
