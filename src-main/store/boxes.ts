import type { Box } from '../domain/model.ts'
import { nameKey } from '../domain/names.ts'
import type { Db } from './open.ts'

/** A box as its row holds it, with the name of its organization. */
export interface StoredBox extends Omit<Box, 'currentVersion'> {
  readonly organizationId: number
  readonly currentVersionId: number | null
}

/** What of a box can be written. */
export interface BoxFields {
  readonly name: string
  readonly shortDescription: string
  readonly description: string
  readonly descriptionHtml: string
  readonly private: boolean
}

/** What tells whether a box has changed. */
export interface StampRow {
  readonly name: string
  readonly nameKey: string
  readonly updatedAt: number
  readonly revision: number
}

type Row = Omit<StoredBox, 'private'> & { private: number }

const columns = `
  SELECT boxes.id, boxes.organization_id AS organizationId, organizations.name AS organization, boxes.name,
    short_description AS shortDescription, description, description_html AS descriptionHtml, private, downloads,
    current_version_id AS currentVersionId, boxes.revision, boxes.created_at AS createdAt, boxes.updated_at AS updatedAt
  FROM boxes JOIN organizations ON organizations.id = boxes.organization_id`

const stored = (row: Row): StoredBox => ({ ...row, private: row.private === 1 })

export function boxTable(db: Db) {
  const find = db.prepare<[string, string], Row>(
    `${columns} WHERE organizations.name_key = ? AND boxes.name_key = ?`
  )
  const get = db.prepare<[number], Row>(`${columns} WHERE boxes.id = ?`)
  const byIds = db.prepare<[string], Row>(`${columns} WHERE boxes.id IN (SELECT value FROM json_each(?))`)
  const page = db.prepare<[number, string, number, number], Row>(
    `${columns} WHERE organization_id = ? AND boxes.name_key > ? AND private <= ? ORDER BY boxes.name_key LIMIT ?`
  )
  const stamps = db.prepare<[number, string, number, number], StampRow>(
    `SELECT name, name_key AS nameKey, updated_at AS updatedAt, revision FROM boxes
     WHERE organization_id = ? AND name_key > ? AND private <= ? ORDER BY name_key LIMIT ?`
  )
  const insert = db.prepare(
    `INSERT INTO boxes (organization_id, name, name_key, short_description, description, description_html, private,
       created_at, updated_at)
     VALUES (@organizationId, @name, @nameKey, @shortDescription, @description, @descriptionHtml, @private, @now, @now)`
  )
  const update = db.prepare(
    `UPDATE boxes SET name = @name, name_key = @nameKey, short_description = @shortDescription,
       description = @description, description_html = @descriptionHtml, private = @private WHERE id = @id`
  )
  const remove = db.prepare<[number]>('DELETE FROM boxes WHERE id = ?')
  const settle = db.prepare<[number | null, number, number]>(
    'UPDATE boxes SET current_version_id = ?, updated_at = ?, revision = revision + 1 WHERE id = ?'
  )
  const bindable = (fields: BoxFields) => ({
    ...fields,
    nameKey: nameKey(fields.name),
    private: Number(fields.private)
  })
  const orNull = (row: Row | undefined): StoredBox | null => (row ? stored(row) : null)

  return {
    find: (organization: string, name: string) => orNull(find.get(nameKey(organization), nameKey(name))),
    get: (id: number) => orNull(get.get(id)),
    /** In no order; those that are gone are left out. */
    byIds: (ids: readonly number[]) => byIds.all(JSON.stringify(ids)).map(stored),
    /** The boxes after a name ('' for the first ones), by name without regard to case. */
    page: (organizationId: number, after: string, withPrivate: boolean, limit: number) =>
      page.all(organizationId, nameKey(after), Number(withPrivate), limit).map(stored),
    /** What tells whether boxes have changed, after a name key in their order ('' for the first ones). */
    stamps: (organizationId: number, after: string, limit: number, withPrivate = true) =>
      stamps.all(organizationId, after, Number(withPrivate), limit),
    insert: (organizationId: number, fields: BoxFields, now: number) =>
      Number(insert.run({ ...bindable(fields), organizationId, now }).lastInsertRowid),
    update: (id: number, fields: BoxFields) => void update.run({ ...bindable(fields), id }),
    remove: (id: number) => void remove.run(id),
    /** Notes a change to a box or anything in it. */
    settle: (id: number, currentVersionId: number | null, now: number) =>
      void settle.run(currentVersionId, now, id)
  }
}

export type BoxTable = ReturnType<typeof boxTable>
