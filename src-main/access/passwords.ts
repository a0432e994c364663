import { hash, verify } from '@node-rs/argon2'
import { Problem } from '../domain/problem.ts'

/** What it costs to try one password: memory in KiB, passes over it, and threads. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** About an eighth of a second on a laptop, and too much memory for many guesses at once on a graphics card. */
export const usualCost: PasswordCost = { memoryCost: 65536, timeCost: 3, parallelism: 1 }

const fewestCharacters = 6
const mostBytes = 1024

/** Hashes passwords with argon2id and compares them; knows no accounts. */
export class Passwords {
  readonly #cost: PasswordCost
  readonly #prefix: string
  readonly #nobodys: string

  constructor(cost: PasswordCost = usualCost) {
    this.#cost = cost
    this.#prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
    // Well-formed, and the hash of nothing: comparing with it takes as long as with a real one and always fails.
    this.#nobodys = `${this.#prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`
  }

  /** Refuses what may not become a password. */
  checkNew(password: string): void {
    if ([...password].length < fewestCharacters)
      throw new Problem('invalid', `The password is too short; ${fewestCharacters} characters are the least.`)
    if (isTooLong(password))
      throw new Problem('invalid', `The password is too long; ${mostBytes} bytes are the most.`)
  }

  hash(password: string): Promise<string> {
    return hash(canonical(password), this.#cost)
  }

  /** Takes the same time where there is nothing to compare with, so that nobody learns which accounts exist. */
  async matches(password: string, hashed: string | null): Promise<boolean> {
    if (isTooLong(password)) return false
    const same = await verify(hashed ?? this.#nobodys, canonical(password))
    return same && hashed !== null
  }

  /** Whether a hash was made at another cost, and should be made anew while the password is at hand. */
  isOutdated(hashed: string): boolean {
    return !hashed.startsWith(this.#prefix)
  }
}

const isTooLong = (password: string): boolean => Buffer.byteLength(password) > mostBytes

/** The same letters typed on two systems may arrive as different code points. */
const canonical = (password: string): string => password.normalize('NFC')
