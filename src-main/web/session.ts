import { randomBytes, timingSafeEqual } from 'node:crypto'

/** How long a wrong token waits for its answer, and how many may wait at once; a right one never does. */
export interface GuessCost {
  readonly pauseMs: number
  readonly waiting: number
}

/** How long an address that is good for one time waits to be opened. */
const onceHoldsMs = 60_000

const usualCost: GuessCost = { pauseMs: 500, waiting: 8 }

/** What a token is worth. */
export interface SignedIn {
  /** The Set-Cookie header. */
  readonly cookie: string
  /** To be sent along with everything that is asked. */
  readonly key: string
}

/**
 * Who may use the interface: whoever has the token of this launch, which is in the address that was printed, exchanges
 * it for a cookie and a key. All of them are other ones after the next start. Browsers send the cookie to every port of
 * this machine, whoever listens there; only pages of this very address get to the key.
 */
export class Session {
  readonly token: string = secret()
  readonly #cookie = secret()
  readonly #key = secret()
  readonly #name: () => string
  readonly #cost: GuessCost
  #once: { readonly token: string; readonly until: number } | null = null
  #waiting = 0

  /** Browsers tell cookies of one machine apart by name alone, not by port, so the name has to hold the port. */
  constructor(port: () => number, cost: GuessCost = usualCost) {
    this.#name = () => `boxyard-${port()}`
    this.#cost = cost
  }

  /**
   * A token for one exchange, soon: it is put on a command line, which other users of the machine can read. Making
   * another one ends it.
   */
  tokenForOnce(now: number = Date.now()): string {
    const token = secret()
    this.#once = { token, until: now + onceHoldsMs }
    return token
  }

  /** What the token is worth; null for a wrong one, after a while. */
  async exchange(token: string, now: number = Date.now()): Promise<SignedIn | null> {
    if (same(token, this.token) || this.#takeOnce(token, now))
      return {
        cookie: `${this.#name()}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/`,
        key: this.#key
      }
    if (this.#waiting >= this.#cost.waiting) return null
    this.#waiting += 1
    await new Promise((resolve) => setTimeout(resolve, this.#cost.pauseMs))
    this.#waiting -= 1
    return null
  }

  #takeOnce(token: string, now: number): boolean {
    const once = this.#once
    if (!once || now > once.until || !same(token, once.token)) return false
    this.#once = null
    return true
  }

  /** Whether a Cookie header holds this session, and the key is its key. */
  holds(header: string | undefined, key: unknown): boolean {
    if (typeof key !== 'string' || !same(key, this.#key)) return false
    const name = `${this.#name()}=`
    return (header ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .some((pair) => pair.startsWith(name) && same(pair.slice(name.length), this.#cookie))
  }
}

const secret = (): string => randomBytes(32).toString('base64url')

/** Takes the same time wherever the two differ. */
function same(given: string, right: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}
