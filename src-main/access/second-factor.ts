import { randomInt, timingSafeEqual } from 'node:crypto'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import type { Db } from '../store/open.ts'
import { signInCodeTable, type SignInCodeRow, type SignInCodeTable } from '../store/sign-in-codes.ts'
import { userTable, type UserRow, type UserTable } from '../store/users.ts'
import type { Vault } from '../vault/vault.ts'
import { newTotpSecret, totpStep, totpUrl } from './totp.ts'

/** What an authenticator app has to be given, shown once. */
export interface TotpSetup {
  readonly secret: string
  /** The same as an otpauth: address, as apps read it from a picture. */
  readonly url: string
}

const codeLifeMs = 5 * 60_000
const mostWrongTries = 5
const refusalMs = 5 * 60_000

/** The codes of accounts with two-factor: those of an app, and those shown on this machine in a text message's stead. */
export class SecondFactor {
  readonly #users: UserTable
  readonly #codes: SignInCodeTable
  readonly #vault: Vault
  readonly #log: Log
  readonly #now: () => number

  constructor(db: Db, vault: Vault, log: Log, now: () => number = Date.now) {
    this.#users = userTable(db)
    this.#codes = signInCodeTable(db)
    this.#vault = vault
    this.#log = log
    this.#now = now
  }

  turnOn(user: UserRow): TotpSetup {
    const secret = newTotpSecret()
    this.#users.setTotpSecret(user.id, this.#vault.seal(secret, contextOf(user)), this.#now())
    this.#codes.forget(user.id)
    return { secret, url: totpUrl(user.name, secret) }
  }

  turnOff(user: UserRow): void {
    this.#users.setTotpSecret(user.id, null, this.#now())
    this.#codes.forget(user.id)
  }

  /** A code to be shown on this machine, in place of the one before. */
  newCode(user: UserRow): { readonly code: string; readonly expiresAt: number } {
    const row = this.#codes.get(user.id)
    const refusal = this.#refusal(row)
    if (refusal) throw refusal
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const expiresAt = this.#now() + codeLifeMs
    this.#codes.put(user.id, { ...row, codeMac: this.#mac(user.id, code), expiresAt })
    return { code, expiresAt }
  }

  /** Whether a code shown on this machine is still good for signing in. Uses nothing up. */
  accepts(userId: number, code: string): boolean {
    return this.#isShownCode(userId, this.#codes.get(userId), code)
  }

  /**
   * Uses a code up, or counts it as wrong. Says what is wrong with it instead of throwing, because the count has to be
   * kept by the caller's transaction.
   */
  use(user: UserRow, typed: string): Problem | null {
    const row = this.#codes.get(user.id)
    const refusal = this.#refusal(row)
    if (refusal) return refusal
    // Apps show codes in two groups.
    const code = typed.replaceAll(/[\s-]/g, '')
    if (/^[0-9]{6}$/.test(code) && (this.#isShownCode(user.id, row, code) || this.#usesAppCode(user, code))) {
      this.#codes.forget(user.id)
      return null
    }
    const wrongTries = this.#wrongTries(row) + 1
    // After the last try the code shown is worth nothing any more.
    const shown = wrongTries < mostWrongTries ? row : { codeMac: null, expiresAt: null }
    this.#codes.put(user.id, { ...row, ...shown, wrongTries, lastWrongAt: this.#now() })
    return new Problem('unauthorized', 'The two-factor code is wrong, has expired or was used before.')
  }

  #isShownCode(userId: number, row: SignInCodeRow, code: string): boolean {
    if (!row.codeMac || row.expiresAt === null || this.#now() >= row.expiresAt) return false
    return timingSafeEqual(Buffer.from(this.#mac(userId, code)), Buffer.from(row.codeMac))
  }

  /** Of the account, too: nobody gets in with another's code. */
  #mac(userId: number, code: string): string {
    return this.#vault.mac(`sign-in code of user ${userId}: ${code}`)
  }

  #usesAppCode(user: UserRow, code: string): boolean {
    if (!user.totpSecret) return false
    const secret = this.#vault.unseal(user.totpSecret, contextOf(user))
    if (secret === null) {
      this.#log.warn(
        `the two-factor secret of ${user.name} was sealed on another machine and cannot be read here; ` +
          'turn two-factor off and on again for this account'
      )
      return false
    }
    const step = totpStep(secret, code, this.#now())
    return step !== null && this.#users.useTotpStep(user.id, step)
  }

  #refusal(row: SignInCodeRow): Problem | null {
    if (this.#wrongTries(row) < mostWrongTries) return null
    const minutes = Math.ceil(((row.lastWrongAt ?? 0) + refusalMs - this.#now()) / 60_000)
    return new Problem(
      'unauthorized',
      `Too many wrong two-factor codes were tried. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
    )
  }

  #wrongTries(row: SignInCodeRow): number {
    // A clock that was set back must not lock anybody out for longer, either.
    const recent = row.lastWrongAt !== null && Math.abs(this.#now() - row.lastWrongAt) < refusalMs
    return recent ? row.wrongTries : 0
  }
}

/** A sealed secret opens for the account it was made for alone. */
const contextOf = (user: UserRow): string => `totp of user ${user.id}`
