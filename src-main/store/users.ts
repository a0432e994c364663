import type { Db } from './open.ts'

/** One account as its row has it. */
export interface UserRow {
  readonly id: number
  readonly name: string
  readonly email: string | null
  readonly passwordHash: string | null
  /** Sealed; null while two-factor is off. */
  readonly totpSecret: string | null
  /** The time step of the last code from an app that was accepted: it and those before it are used up. */
  readonly totpLastStep: number | null
  readonly createdAt: number
}

interface NewUser {
  readonly name: string
  readonly nameKey: string
  readonly email: string | null
  readonly emailKey: string | null
  readonly passwordHash: string | null
  readonly now: number
}

const columns = `id, name, email, password_hash AS passwordHash, totp_secret AS totpSecret,
  totp_last_step AS totpLastStep, created_at AS createdAt`

export function userTable(db: Db) {
  const byId = db.prepare<[number], UserRow>(`SELECT ${columns} FROM users WHERE id = ?`)
  const byName = db.prepare<[string], UserRow>(`SELECT ${columns} FROM users WHERE name_key = ?`)
  const byEmail = db.prepare<[string], UserRow>(`SELECT ${columns} FROM users WHERE email_key = ?`)
  const all = db.prepare<[], UserRow>(`SELECT ${columns} FROM users ORDER BY name_key`)
  const insert = db.prepare<NewUser>(
    `INSERT INTO users (name, name_key, email, email_key, password_hash, created_at, updated_at)
     VALUES (:name, :nameKey, :email, :emailKey, :passwordHash, :now, :now)`
  )
  const setPassword = db.prepare<[string, number, number]>(
    'UPDATE users SET password_hash = ?, updated_at = ? WHERE id = ?'
  )
  const setTotpSecret = db.prepare<[string | null, number, number]>(
    'UPDATE users SET totp_secret = ?, totp_last_step = NULL, updated_at = ? WHERE id = ?'
  )
  const remove = db.prepare<[number]>('DELETE FROM users WHERE id = ?')
  const useTotpStep = db.prepare<{ id: number; step: number }>(
    `UPDATE users SET totp_last_step = :step
     WHERE id = :id AND (totp_last_step IS NULL OR totp_last_step < :step)`
  )
  return {
    byId: (id: number): UserRow | null => byId.get(id) ?? null,
    byName: (nameKey: string): UserRow | null => byName.get(nameKey) ?? null,
    byEmail: (emailKey: string): UserRow | null => byEmail.get(emailKey) ?? null,
    all: (): UserRow[] => all.all(),
    /** The new account's id. */
    insert: (user: NewUser): number => Number(insert.run(user).lastInsertRowid),
    setPassword: (id: number, hash: string, now: number): void => void setPassword.run(hash, now, id),
    /** Forgets which codes were used, too: they belonged to the secret before. */
    setTotpSecret: (id: number, sealed: string | null, now: number): void =>
      void setTotpSecret.run(sealed, now, id),
    /** With its tokens, its codes and its memberships. */
    remove: (id: number): void => void remove.run(id),
    /** False when this step or a later one was used before. */
    useTotpStep: (id: number, step: number): boolean => useTotpStep.run({ id, step }).changes === 1
  }
}

export type UserTable = ReturnType<typeof userTable>
