import { hostname } from 'node:os'
import { nameKey } from '../domain/names.ts'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import type { Db } from '../store/open.ts'
import { userTable, type UserRow, type UserTable } from '../store/users.ts'
import { emailKey } from './accounts.ts'
import { GuessLimit } from './guess-limit.ts'
import type { Passwords } from './passwords.ts'
import type { SecondFactor } from './second-factor.ts'
import type { ShownCodes } from './shown-codes.ts'
import type { IssuedToken, Tokens } from './tokens.ts'
import { Turns } from './turns.ts'

/** Who wants in: a user name or e-mail address, and the password that goes with it. */
export interface Credentials {
  readonly login: string
  readonly password: string
}

/** The password is right, and a code is needed besides. */
export class SecondFactorNeeded extends Problem {
  readonly defaultDeliveryMethod = 'app'
  readonly deliveryMethods = ['app', 'sms'] as const

  constructor() {
    super(
      'unauthorized',
      "Two-factor authentication is on for this account: a code from its app, or one shown on the registry's machine, is needed."
    )
    this.name = 'SecondFactorNeeded'
  }
}

const longestLogin = 320

/** Hashing one password takes a processor and 64 MiB: everybody waits their turn, and not too many of them. */
const mostWaiting = 32

/** Turns a password, and a code where two-factor is on, into a token. */
export class SignIn {
  readonly #db: Db
  readonly #users: UserTable
  readonly #passwords: Passwords
  readonly #tokens: Tokens
  readonly #secondFactor: SecondFactor
  readonly #shownCodes: ShownCodes
  readonly #log: Log
  readonly #now: () => number
  readonly #guesses: GuessLimit
  readonly #turns = new Turns(mostWaiting)

  constructor(
    db: Db,
    services: {
      passwords: Passwords
      tokens: Tokens
      secondFactor: SecondFactor
      shownCodes: ShownCodes
    },
    log: Log,
    now: () => number = Date.now
  ) {
    this.#db = db
    this.#users = userTable(db)
    this.#passwords = services.passwords
    this.#tokens = services.tokens
    this.#secondFactor = services.secondFactor
    this.#shownCodes = services.shownCodes
    this.#log = log
    this.#now = now
    this.#guesses = new GuessLimit(now)
  }

  async signIn(
    input: Credentials & { readonly code?: string | null; readonly description?: string | null }
  ): Promise<IssuedToken> {
    const verified = await this.#verify(input)
    const result = this.#db
      .transaction((): IssuedToken | Problem => {
        const user = this.#unchanged(verified)
        const refusal = user.totpSecret === null ? null : this.#secondFactorRefusal(user, input.code)
        return refusal ?? this.#tokens.issue(user.id, input.description ?? '')
      })
      .immediate()
    if (result instanceof Problem) throw result
    return result
  }

  async requestCode(
    input: Credentials & { readonly deliveryMethod: string }
  ): Promise<{ obfuscatedDestination: string }> {
    if (input.deliveryMethod !== 'sms')
      throw new Problem('invalid', 'The delivery method of a two-factor code must be "sms".')
    const verified = await this.#verify(input)
    const { code, expiresAt } = this.#db
      .transaction(() => {
        const user = this.#unchanged(verified)
        if (user.totpSecret === null)
          throw new Problem(
            'invalid',
            'Two-factor authentication is off for this account; no code is needed.'
          )
        return this.#secondFactor.newCode(user)
      })
      .immediate()
    const onScreen = this.#shownCodes.show({ userId: verified.id, user: verified.name, code, expiresAt })
    // The log may be shared: the code is in it only where there is nowhere else to read it.
    this.#log.info(
      onScreen
        ? `a sign-in code for ${verified.name} is shown in the Access place`
        : `Sign-in code for ${verified.name}: ${code} (works once, for 5 minutes)`
    )
    const where = onScreen ? 'Access page of Boxyard' : 'log of the registry'
    return { obfuscatedDestination: `the ${where} on ${masked(hostname())}` }
  }

  #secondFactorRefusal(user: UserRow, code: string | null | undefined): Problem | null {
    return code ? this.#secondFactor.use(user, code) : new SecondFactorNeeded()
  }

  /** The account whose password this is. Everybody else gets one answer, after the same work. */
  #verify({ login, password }: Credentials): Promise<UserRow> {
    if (login.length > longestLogin) return Promise.reject(wrongCredentials())
    const key = loginKey(login)
    return this.#turns.run(async () => {
      const pause = this.#guesses.pauseMs(key)
      if (pause > 0)
        throw new Problem(
          'unauthorized',
          `Too many wrong passwords were tried for this login. Try again in ${Math.ceil(pause / 1000)} s.`
        )
      const user = key.includes('@') ? this.#users.byEmail(key) : this.#users.byName(key)
      if (!(await this.#passwords.matches(password, user?.passwordHash ?? null)) || !user?.passwordHash) {
        this.#guesses.wrong(key)
        throw wrongCredentials()
      }
      this.#guesses.right(key)
      return this.#passwords.isOutdated(user.passwordHash) ? this.#rehashed(user, password) : user
    })
  }

  async #rehashed(user: UserRow, password: string): Promise<UserRow> {
    const passwordHash = await this.#passwords.hash(password)
    return this.#db
      .transaction(() => {
        this.#users.setPassword(this.#unchanged(user).id, passwordHash, this.#now())
        return { ...user, passwordHash }
      })
      .immediate()
  }

  /** The account as it is now: its password may have been changed while the one given was looked at. */
  #unchanged(verified: UserRow): UserRow {
    const user = this.#users.byId(verified.id)
    if (user?.passwordHash !== verified.passwordHash || !user) throw wrongCredentials()
    return user
  }
}

const wrongCredentials = (): Problem => new Problem('unauthorized', 'The login or the password is wrong.')

/** E-mail addresses hold an "@" and names never do, so one text cannot mean two accounts. */
const loginKey = (login: string): string =>
  login.includes('@') ? emailKey(login.trim()) : nameKey(login.trim())

/** Enough to recognise a machine one knows. */
const masked = (name: string): string =>
  `${name.slice(0, 1)}${'*'.repeat(Math.max(3, name.length - 2))}${name.slice(-1)}`
