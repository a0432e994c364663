import type { Role } from '../domain/model.ts'
import type { Db } from './open.ts'

/** Who may do what where, with the names people know them by. */
export interface Membership {
  readonly organization: string
  readonly user: string
  readonly role: Role
}

export function memberTable(db: Db) {
  const role = db
    .prepare<[number, number], Role>('SELECT role FROM members WHERE organization_id = ? AND user_id = ?')
    .pluck()
  const organizationsOf = db
    .prepare<[number], number>('SELECT organization_id FROM members WHERE user_id = ?')
    .pluck()
  const otherAdmins = db
    .prepare<[number, number], number>(
      "SELECT count(*) FROM members WHERE organization_id = ? AND user_id <> ? AND role = 'admin'"
    )
    .pluck()
  const all = db.prepare<[], Membership>(
    `SELECT organizations.name AS organization, users.name AS user, role
     FROM members
     JOIN organizations ON organizations.id = organization_id
     JOIN users ON users.id = user_id
     ORDER BY organizations.name_key, users.name_key`
  )
  const set = db.prepare<[number, number, Role]>(
    `INSERT INTO members (organization_id, user_id, role) VALUES (?, ?, ?)
     ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role`
  )
  const remove = db.prepare<[number, number]>('DELETE FROM members WHERE organization_id = ? AND user_id = ?')
  return {
    role: (organizationId: number, userId: number): Role | null => role.get(organizationId, userId) ?? null,
    organizationsOf: (userId: number): number[] => organizationsOf.all(userId),
    hasOtherAdmins: (organizationId: number, userId: number): boolean =>
      (otherAdmins.get(organizationId, userId) ?? 0) > 0,
    all: (): Membership[] => all.all(),
    set: (organizationId: number, userId: number, role: Role): void =>
      void set.run(organizationId, userId, role),
    remove: (organizationId: number, userId: number): void => void remove.run(organizationId, userId)
  }
}

export type MemberTable = ReturnType<typeof memberTable>
