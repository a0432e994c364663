import type { Version, VersionStatus } from '../domain/model.ts'
import { isPrerelease, numberKey } from '../domain/version-number.ts'
import type { Db } from './open.ts'

/** A version as its row holds it. */
export interface StoredVersion extends Omit<Version, 'images'> {
  readonly boxId: number
}

/** What of a version can be written. */
export interface VersionFields {
  readonly number: string
  readonly description: string
  readonly descriptionHtml: string
}

const columns = `
  SELECT id, box_id AS boxId, number, status, description, description_html AS descriptionHtml,
    created_at AS createdAt, updated_at AS updatedAt
  FROM versions`

export function versionTable(db: Db) {
  const ofBox = db.prepare<[number], StoredVersion>(`${columns} WHERE box_id = ? ORDER BY number_key DESC`)
  const byIds = db.prepare<[string], StoredVersion>(`${columns} WHERE id IN (SELECT value FROM json_each(?))`)
  const get = db.prepare<[number], StoredVersion>(`${columns} WHERE id = ?`)
  const find = db.prepare<[number, string], StoredVersion>(`${columns} WHERE box_id = ? AND number_key = ?`)
  const released = db.prepare<[number], Pick<StoredVersion, 'id' | 'number'>>(
    `SELECT id, number FROM versions WHERE box_id = ? AND status = 'active' AND EXISTS
       (SELECT 1 FROM images WHERE version_id = versions.id AND (url IS NOT NULL OR blob IS NOT NULL))
     ORDER BY number_key DESC`
  )
  const highest = db
    .prepare<[number], string>(
      'SELECT number FROM versions WHERE box_id = ? ORDER BY number_key DESC LIMIT 1'
    )
    .pluck()
  const insert = db.prepare(
    `INSERT INTO versions (box_id, number, number_key, description, description_html, created_at, updated_at)
     VALUES (@boxId, @number, @numberKey, @description, @descriptionHtml, @now, @now)`
  )
  const update = db.prepare(
    `UPDATE versions SET number = @number, number_key = @numberKey, description = @description,
       description_html = @descriptionHtml, updated_at = @now WHERE id = @id`
  )
  const setStatus = db.prepare<[VersionStatus, number, number]>(
    'UPDATE versions SET status = ?, updated_at = ? WHERE id = ?'
  )
  const touch = db.prepare<[number, number]>('UPDATE versions SET updated_at = ? WHERE id = ?')
  const remove = db.prepare<[number]>('DELETE FROM versions WHERE id = ?')

  return {
    /** Newest number first. */
    ofBox: (boxId: number) => ofBox.all(boxId),
    byIds: (ids: readonly number[]) => byIds.all(JSON.stringify(ids)),
    get: (id: number) => get.get(id) ?? null,
    /** The one whose number compares equal. */
    findEqual: (boxId: number, number: string) => find.get(boxId, numberKey(number)) ?? null,
    /** Of any state. */
    highestOf: (boxId: number) => highest.get(boxId) ?? null,
    /** The highest released stable one that clients can have a file of, else the highest released prerelease. */
    currentOf(boxId: number): number | null {
      let prerelease: number | null = null
      for (const { id, number } of released.iterate(boxId)) {
        if (!isPrerelease(number)) return id
        prerelease ??= id
      }
      return prerelease
    },
    insert: (boxId: number, fields: VersionFields, now: number) =>
      Number(insert.run({ ...fields, numberKey: numberKey(fields.number), boxId, now }).lastInsertRowid),
    update: (id: number, fields: VersionFields, now: number) =>
      void update.run({ ...fields, numberKey: numberKey(fields.number), id, now }),
    setStatus: (id: number, status: VersionStatus, now: number) => void setStatus.run(status, now, id),
    /** Notes a change to one of its images. */
    touch: (id: number, now: number) => void touch.run(now, id),
    remove: (id: number) => void remove.run(id)
  }
}

export type VersionTable = ReturnType<typeof versionTable>
