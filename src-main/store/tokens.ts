import type { Db } from './open.ts'

/** What a person may know about a token after it was made: all but the token itself. */
export interface TokenInfo {
  readonly id: number
  readonly user: string
  readonly description: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/** What is needed to let the bearer of a token in. */
export interface TokenBearer {
  readonly tokenId: number
  readonly hash: string
  readonly userId: number
  readonly userName: string
}

interface NewToken {
  readonly userId: number
  readonly hash: string
  readonly description: string
  readonly now: number
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

export function tokenTable(db: Db) {
  const bearer = db.prepare<[string], TokenBearer>(
    `SELECT tokens.id AS tokenId, hash, user_id AS userId, users.name AS userName
     FROM tokens JOIN users ON users.id = tokens.user_id WHERE hash = ?`
  )
  const info = `SELECT tokens.id, users.name AS user, description, tokens.created_at AS createdAt,
    last_used_at AS lastUsedAt FROM tokens JOIN users ON users.id = tokens.user_id`
  const all = db.prepare<[], TokenInfo>(`${info} ORDER BY tokens.id`)
  const ofUser = db.prepare<[number], TokenInfo>(`${info} WHERE tokens.user_id = ? ORDER BY tokens.id`)
  const insert = db.prepare<NewToken>(
    'INSERT INTO tokens (user_id, hash, description, created_at) VALUES (:userId, :hash, :description, :now)'
  )
  const remove = db.prepare<[number]>('DELETE FROM tokens WHERE id = ?')
  const removeByHash = db.prepare<[string]>('DELETE FROM tokens WHERE hash = ?')
  const noteUse = db.prepare<{ id: number; at: number }>(
    'UPDATE tokens SET last_used_at = :at WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)'
  )
  const noteUses = db.transaction((uses: ReadonlyMap<number, number>) => {
    for (const [id, at] of uses) noteUse.run({ id, at })
  })
  return {
    bearer: (hash: string): TokenBearer | null => bearer.get(hash) ?? null,
    list: (userId: number | null): TokenInfo[] => (userId === null ? all.all() : ofUser.all(userId)),
    /** The new token's id. */
    insert: (token: NewToken): number => Number(insert.run(token).lastInsertRowid),
    /** False when there was none. */
    remove: (id: number): boolean => remove.run(id).changes === 1,
    removeByHash: (hash: string): boolean => removeByHash.run(hash).changes === 1,
    /**
     * Notes when tokens (by id) were last used, unless another process is writing just now: nobody waits for this.
     * Says whether it was done.
     */
    noteUses(uses: ReadonlyMap<number, number>): boolean {
      const patience = db.pragma('busy_timeout', { simple: true })
      db.pragma('busy_timeout = 0')
      try {
        noteUses.immediate(uses)
        return true
      } catch (error) {
        if (isBusy(error)) return false
        throw error
      } finally {
        db.pragma(`busy_timeout = ${patience}`)
      }
    }
  }
}

export type TokenTable = ReturnType<typeof tokenTable>
