import { statfs } from 'node:fs/promises'
import { Problem } from '../domain/problem.ts'

/** Kept free for everything else that has to be written: the database, sidecars, logs. */
export const reserve = 64 * 1024 * 1024

/** How often, in bytes that arrived, a stream of unknown length is checked against the room there is. */
const step = 32 * 1024 * 1024

/** Room held for bytes that are on their way in. */
export interface Claim {
  /** Tells that `bytes` have arrived in all; throws Problem 'no-room' when the rest will find none. */
  arrived(bytes: number): Promise<void>
  release(): void
}

/** Sees to it that bytes are refused before they are sent, not when the disk is full, also when several come at once. */
export class Room {
  readonly #dir: string
  readonly #claims = new Set<{ expected: number; arrived: number }>()

  constructor(dir: string) {
    this.#dir = dir
  }

  async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#dir)
    return bavail * bsize
  }

  /** `length` is null when nobody knows it. */
  async claim(length: number | null): Promise<Claim> {
    const entry = { expected: length ?? 0, arrived: 0 }
    await this.#check(entry.expected)
    this.#claims.add(entry)
    let checkedAt = 0
    return {
      arrived: async (bytes) => {
        entry.arrived = bytes
        if (length !== null || bytes - checkedAt < step) return
        checkedAt = bytes
        await this.#check(0)
      },
      release: () => void this.#claims.delete(entry)
    }
  }

  /** What a failed write tells, in the words of a refusal when the disk is full; anything else as it is. */
  async explain(error: unknown, needed: number | null): Promise<unknown> {
    if (!isFull(error)) return error
    return noRoom(needed, await this.free().catch(() => 0))
  }

  async #check(needed: number): Promise<void> {
    const free = await this.free()
    let promised = 0
    for (const { expected, arrived } of this.#claims) promised += Math.max(0, expected - arrived)
    if (free - promised < needed + reserve) throw noRoom(needed || null, Math.max(0, free - promised))
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

function noRoom(needed: number | null, free: number): Problem {
  const wanted = needed === null ? 'The file' : `The file of ${readable(needed)}`
  return new Problem(
    'no-room',
    `${wanted} does not fit: ${readable(free)} are free, of which ${readable(reserve)} are kept in reserve. ` +
      'Make room on the disk of the registry and try again.'
  )
}

/** 1536 -> "1.5 KiB" */
function readable(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
