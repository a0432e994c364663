import { statfs } from 'node:fs/promises'
import { sizeText } from '../contract/size-text.ts'
import { Problem } from '../domain/problem.ts'

/** Kept free for everything else that has to be written: the database, sidecars, logs. */
const reserve = 64 * 1024 * 1024

/** How often, in bytes that arrived, a stream of unknown length is checked against the room there is. */
const step = 32 * 1024 * 1024

/** Room held for bytes that are on their way in. */
export interface Claim {
  /** Tells that `bytes` have arrived in all. What there is to wait for throws Problem 'no-room' when the rest will find none. */
  arrived(bytes: number): Promise<void> | undefined
  release(): void
}

/** Sees to it that bytes are refused before they are sent, not when the disk is full, also when several come at once. */
export class Room {
  readonly #dir: string
  readonly #claims = new Set<Entry>()

  constructor(dir: string) {
    this.#dir = dir
  }

  async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#dir)
    return bavail * bsize
  }

  /** `length` is null when nobody knows it. */
  async claim(length: number | null): Promise<Claim> {
    const entry: Entry = { expected: length ?? 0, arrived: 0 }
    this.#claims.add(entry)
    const release = (): void => void this.#claims.delete(entry)
    try {
      await this.#check(entry)
    } catch (error) {
      release()
      throw error
    }
    let checkedAt = 0
    return {
      release,
      arrived: (bytes) => {
        entry.arrived = bytes
        if (length !== null || bytes - checkedAt < step) return undefined
        checkedAt = bytes
        return this.#check(entry)
      }
    }
  }

  /** What a failed write tells, in the words of a refusal when the disk is full; anything else as it is. */
  async explain(error: unknown, needed: number | null): Promise<unknown> {
    if (!isFull(error)) return error
    return noRoom(needed, await this.free().catch(() => 0))
  }

  /** Who claimed first comes first, so that of two who do not fit together one is served. */
  async #check(own: Entry): Promise<void> {
    let free = await this.free()
    for (const entry of this.#claims) {
      if (entry === own) break
      free -= outstanding(entry)
    }
    if (free < outstanding(own) + reserve) throw noRoom(own.expected || null, Math.max(0, free))
  }
}

interface Entry {
  /** 0 when nobody knows. */
  readonly expected: number
  arrived: number
}

const outstanding = ({ expected, arrived }: Entry): number => Math.max(0, expected - arrived)

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

function noRoom(needed: number | null, free: number): Problem {
  const wanted = needed === null ? 'The file' : `The file of ${sizeText(needed)}`
  return new Problem(
    'no-room',
    `${wanted} does not fit: ${sizeText(free)} are free, of which ${sizeText(reserve)} are kept in reserve. ` +
      'Make room on the disk of the registry and try again.'
  )
}
