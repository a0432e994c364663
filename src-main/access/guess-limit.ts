import { LRUCache } from 'lru-cache'

interface Guesses {
  readonly wrong: number
  readonly lastAt: number
}

const freeGuesses = 5
const longestPauseMs = 60_000
const forgottenAfterMs = 15 * 60_000
const mostLogins = 10_000

/**
 * Makes the guessing of passwords slow: each wrong one past the fifth doubles the pause, up to a minute. A login that
 * belongs to nobody is treated the same, so that nobody learns which ones exist.
 */
export class GuessLimit {
  readonly #guesses = new LRUCache<string, Guesses>({ max: mostLogins })
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** How long until the next guess is looked at. */
  pauseMs(login: string): number {
    const { wrong, lastAt } = this.#of(login)
    if (wrong < freeGuesses) return 0
    const pause = Math.min(1000 * 2 ** (wrong - freeGuesses), longestPauseMs)
    return Math.max(0, lastAt + pause - this.#now())
  }

  wrong(login: string): void {
    this.#guesses.set(login, { wrong: this.#of(login).wrong + 1, lastAt: this.#now() })
  }

  right(login: string): void {
    this.#guesses.delete(login)
  }

  #of(login: string): Guesses {
    const found = this.#guesses.get(login)
    // A clock that was set back must not lock anybody out, either.
    return found && Math.abs(this.#now() - found.lastAt) < forgottenAfterMs ? found : { wrong: 0, lastAt: 0 }
  }
}
