import type { Db } from './open.ts'

/** The code an account may sign in with besides its app's, and how many wrong ones were tried. */
export interface SignInCodeRow {
  readonly codeMac: string | null
  readonly expiresAt: number | null
  readonly wrongTries: number
  readonly lastWrongAt: number | null
}

const none: SignInCodeRow = { codeMac: null, expiresAt: null, wrongTries: 0, lastWrongAt: null }

export function signInCodeTable(db: Db) {
  const get = db.prepare<[number], SignInCodeRow>(
    `SELECT code_mac AS codeMac, expires_at AS expiresAt, wrong_tries AS wrongTries, last_wrong_at AS lastWrongAt
     FROM sign_in_codes WHERE user_id = ?`
  )
  const put = db.prepare<SignInCodeRow & { userId: number }>(
    `INSERT INTO sign_in_codes (user_id, code_mac, expires_at, wrong_tries, last_wrong_at)
     VALUES (:userId, :codeMac, :expiresAt, :wrongTries, :lastWrongAt)
     ON CONFLICT (user_id) DO UPDATE SET code_mac = excluded.code_mac, expires_at = excluded.expires_at,
       wrong_tries = excluded.wrong_tries, last_wrong_at = excluded.last_wrong_at`
  )
  const forget = db.prepare<[number]>('DELETE FROM sign_in_codes WHERE user_id = ?')
  return {
    get: (userId: number): SignInCodeRow => get.get(userId) ?? none,
    put: (userId: number, row: SignInCodeRow): void => void put.run({ userId, ...row }),
    forget: (userId: number): void => void forget.run(userId)
  }
}

export type SignInCodeTable = ReturnType<typeof signInCodeTable>
