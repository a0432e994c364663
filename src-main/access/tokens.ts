import { hash, randomBytes } from 'node:crypto'
import { Problem } from '../domain/problem.ts'
import type { Db } from '../store/open.ts'
import { tokenTable, type TokenInfo, type TokenTable } from '../store/tokens.ts'
import { userTable, type UserTable } from '../store/users.ts'
import { nameKey } from '../domain/names.ts'

/** A token just made: the only time that its text is seen. */
export interface IssuedToken {
  readonly id: number
  readonly token: string
  readonly hash: string
  readonly description: string
  readonly createdAt: number
}

/** Lets people and scanners of published code see at once what a leaked text is. */
const prefix = 'boxyard_'

const longestDescription = 255

/** What is stored in a token's place. The text is random enough that nothing slower than this is needed. */
export const tokenHash = (token: string): string => hash('sha256', token)

const tokenLength = prefix.length + 43

/** Tells apart, at no cost, what was never made here. */
export const isTokenShaped = (text: string): boolean => text.length === tokenLength && text.startsWith(prefix)

function checkDescription(description: string): void {
  if (description.length > longestDescription)
    throw new Problem(
      'invalid',
      `The token description is ${description.length} characters long; ${longestDescription} is the most.`
    )
}

/** Makes tokens and takes them back. */
export class Tokens {
  readonly #db: Db
  readonly #tokens: TokenTable
  readonly #users: UserTable
  readonly #now: () => number

  constructor(db: Db, now: () => number = Date.now) {
    this.#db = db
    this.#tokens = tokenTable(db)
    this.#users = userTable(db)
    this.#now = now
  }

  issue(userId: number, description = ''): IssuedToken {
    checkDescription(description)
    const token = prefix + randomBytes(32).toString('base64url')
    const hash = tokenHash(token)
    const now = this.#now()
    const insert = this.#db.transaction(() => this.#tokens.insert({ userId, hash, description, now }))
    return { id: insert.immediate(), token, hash, description, createdAt: now }
  }

  /** All of them, or those of one user. */
  list(userName?: string): TokenInfo[] {
    if (userName === undefined) return this.#tokens.list(null)
    const user = this.#users.byName(nameKey(userName))
    return user ? this.#tokens.list(user.id) : []
  }

  revoke(id: number): void {
    if (!this.#db.transaction(() => this.#tokens.remove(id)).immediate())
      throw new Problem('missing', `There is no token ${id}.`)
  }

  /** False when there is no such token. */
  revokeByValue(token: string): boolean {
    return this.#db.transaction(() => this.#tokens.removeByHash(tokenHash(token))).immediate()
  }
}
