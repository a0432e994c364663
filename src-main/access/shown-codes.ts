import type { Log } from '../log.ts'
import type { SecondFactor } from './second-factor.ts'

/** A code somebody asked for instead of a text message. */
export interface ShownCode {
  readonly userId: number
  readonly user: string
  readonly code: string
  readonly expiresAt: number
}

/** Returns whether somebody can see it. */
type Watcher = (code: ShownCode) => boolean

const mostKept = 100

/**
 * Codes to be read on this machine's own screen. They are kept in memory alone, and shown for as long as one could sign
 * in with them.
 */
export class ShownCodes {
  readonly #secondFactor: Pick<SecondFactor, 'accepts'>
  readonly #log: Log
  /** The last one of each account, by the account's id. */
  readonly #codes = new Map<number, ShownCode>()
  readonly #watchers = new Set<Watcher>()

  constructor(secondFactor: Pick<SecondFactor, 'accepts'>, log: Log) {
    this.#secondFactor = secondFactor
    this.#log = log
  }

  /** Returns what ends the watching. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  /** Returns whether there is a screen to see it on. */
  show(code: ShownCode): boolean {
    this.#codes.delete(code.userId)
    this.#codes.set(code.userId, code)
    const [oldest] = this.#codes.keys()
    if (this.#codes.size > mostKept && oldest !== undefined) this.#codes.delete(oldest)
    let isSeen = false
    for (const watcher of this.#watchers) {
      try {
        if (watcher(code)) isSeen = true
      } catch (error) {
        this.#log.error('a sign-in code could not be announced', error)
      }
    }
    return isSeen
  }

  /** Those that are still good for signing in, the newest last. */
  list(): ShownCode[] {
    for (const { userId, code } of this.#codes.values())
      if (!this.#secondFactor.accepts(userId, code)) this.#codes.delete(userId)
    return [...this.#codes.values()]
  }
}
