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
}

/** One write for all tokens together, for each makes everything that is kept by revision be read again. */
const writeEveryMs = 60_000
/** After a quiet time, a use is written down this soon, so that a person who looks finds it. */
const writeSoonMs = 1_000

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

  constructor(db: Db, log: Log, now: () => number = Date.now, revision = revisionOf(db)) {
    this.#tokens = tokenTable(db)
    this.#revision = revision
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
      caller: Object.freeze({ kind: 'user', id: row.userId, name: row.userName })
    }
    this.#bearers.set(hash, bearer)
    return bearer
  }

  #noteUse(bearer: Bearer): void {
    const now = this.#now()
    this.#unwritten.set(bearer.tokenId, now)
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#writeUses()
    }, this.#pauseMs(now)).unref()
  }

  #pauseMs(now: number): number {
    const sinceWrite = now - this.#lastWrittenAt
    // Before the last write there is only a clock that was set back.
    return sinceWrite < 0 ? writeEveryMs : Math.max(writeSoonMs, writeEveryMs - sinceWrite)
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
