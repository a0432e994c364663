import { timingSafeEqual } from 'node:crypto'
import type { Caller } from '../domain/model.ts'
import type { Log } from '../log.ts'
import type { Db } from '../store/open.ts'
import { revisionOf } from '../store/revision.ts'
import { tokenTable, type TokenTable } from '../store/tokens.ts'
import { isTokenShaped, tokenHash } from './tokens.ts'

/** Somebody who showed a valid token. */
export type KnownCaller = Caller & { readonly kind: 'user' }

interface Bearer {
  readonly tokenId: number
  readonly caller: KnownCaller
  lastNotedAt: number
}

const noteEveryMs = 60_000
/** A first use is written down this soon, so that a person who looks finds it. */
const noteSoonMs = 1_000

/** Tells who shows a token. Nearly every request begins here, so what was found is kept until the database changes. */
export class Authentication {
  readonly #tokens: TokenTable
  readonly #revision: () => string
  readonly #log: Log
  readonly #now: () => number
  readonly #bearers = new Map<string, Bearer>()
  #bearersAt = ''
  readonly #unwritten = new Map<number, number>()
  #timer: NodeJS.Timeout | null = null
  #lastWrittenAt = -Infinity

  constructor(db: Db, log: Log, now: () => number = Date.now) {
    this.#tokens = tokenTable(db)
    this.#revision = revisionOf(db)
    this.#log = log
    this.#now = now
  }

  callerFor(token: string): KnownCaller | null {
    if (!isTokenShaped(token)) return null
    const bearer = this.#bearerOf(tokenHash(token))
    if (!bearer) return null
    this.#noteUse(bearer)
    return bearer.caller
  }

  /** Writes down what is not yet written; to be called before the database closes. */
  close(): void {
    this.#writeUses()
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #bearerOf(hash: string): Bearer | null {
    const revision = this.#revision()
    if (revision !== this.#bearersAt) {
      this.#bearers.clear()
      this.#bearersAt = revision
    }
    return this.#bearers.get(hash) ?? this.#look(hash)
  }

  #look(hash: string): Bearer | null {
    const row = this.#tokens.bearer(hash)
    if (!row || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) return null
    const bearer: Bearer = {
      tokenId: row.tokenId,
      caller: Object.freeze({ kind: 'user', id: row.userId, name: row.userName }),
      lastNotedAt: row.lastUsedAt ?? -Infinity
    }
    this.#bearers.set(hash, bearer)
    return bearer
  }

  #noteUse(bearer: Bearer): void {
    const now = this.#now()
    if (now - bearer.lastNotedAt < noteEveryMs) return
    bearer.lastNotedAt = now
    this.#unwritten.set(bearer.tokenId, now)
    // One write a minute for all tokens together: each makes everything kept by revision be read again.
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null
        this.#writeUses()
      },
      Math.max(noteSoonMs, this.#lastWrittenAt + noteEveryMs - now)
    ).unref()
  }

  #writeUses(): void {
    if (this.#unwritten.size === 0) return
    this.#lastWrittenAt = this.#now()
    try {
      // What could not be written now is written with the next use of any token.
      if (this.#tokens.noteUses(this.#unwritten)) this.#unwritten.clear()
    } catch (error) {
      this.#log.error('could not note when tokens were last used', error)
    }
  }
}
