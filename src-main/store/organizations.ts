import type { Db } from './open.ts'

/** One organization as its row has it. */
export interface OrganizationRow {
  readonly id: number
  readonly name: string
  readonly ownerName: string | null
  readonly profileMarkdown: string
  readonly profileHtml: string
  /** Grows with every change to the organization or anything in it. */
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
}

interface NewOrganization {
  readonly name: string
  readonly nameKey: string
  readonly ownerId: number | null
  readonly now: number
}

const select = `
  SELECT organizations.id, organizations.name, users.name AS ownerName, profile_markdown AS profileMarkdown,
    profile_html AS profileHtml, revision, organizations.created_at AS createdAt,
    organizations.updated_at AS updatedAt
  FROM organizations LEFT JOIN users ON users.id = organizations.owner_id`

export function organizationTable(db: Db) {
  const byName = db.prepare<[string], OrganizationRow>(`${select} WHERE organizations.name_key = ?`)
  const byId = db.prepare<[number], OrganizationRow>(`${select} WHERE organizations.id = ?`)
  const all = db.prepare<[], OrganizationRow>(`${select} ORDER BY organizations.name_key`)
  const insert = db.prepare<NewOrganization>(
    `INSERT INTO organizations (name, name_key, owner_id, created_at, updated_at)
     VALUES (:name, :nameKey, :ownerId, :now, :now)`
  )
  const touch = db.prepare<[number, number]>(
    'UPDATE organizations SET revision = revision + 1, updated_at = ? WHERE id = ?'
  )
  const setProfile = db.prepare<[string, string, number]>(
    'UPDATE organizations SET profile_markdown = ?, profile_html = ? WHERE id = ?'
  )
  const hasBoxes = db
    .prepare<[number], number>('SELECT EXISTS (SELECT 1 FROM boxes WHERE organization_id = ?)')
    .pluck()
  const remove = db.prepare<[number]>('DELETE FROM organizations WHERE id = ?')
  const passOwnership = db.prepare<{ id: number }>(
    `UPDATE organizations
     SET owner_id = (
       SELECT user_id FROM members WHERE organization_id = :id AND role = 'admin' ORDER BY user_id LIMIT 1
     )
     WHERE id = :id AND NOT EXISTS (
       SELECT 1 FROM members WHERE organization_id = :id AND user_id = owner_id AND role = 'admin'
     )`
  )
  return {
    byName: (nameKey: string): OrganizationRow | null => byName.get(nameKey) ?? null,
    byId: (id: number): OrganizationRow | null => byId.get(id) ?? null,
    all: (): OrganizationRow[] => all.all(),
    /** The new organization's id. */
    insert: (organization: NewOrganization): number => Number(insert.run(organization).lastInsertRowid),
    setProfile: (id: number, markdown: string, html: string): void => void setProfile.run(markdown, html, id),
    hasBoxes: (id: number): boolean => hasBoxes.get(id) === 1,
    /** With its boxes, if it should have any. */
    remove: (id: number): void => void remove.run(id),
    /** To be called with every change to an organization or anything in it, in the same transaction. */
    touch: (id: number, now: number): void => void touch.run(now, id),
    /** An owner who is no admin any more gives way to the admin with the oldest account. */
    passOwnership: (id: number): void => void passOwnership.run({ id })
  }
}

export type OrganizationTable = ReturnType<typeof organizationTable>
