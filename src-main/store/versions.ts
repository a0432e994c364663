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

/** What clients get of a released version: a file, nothing by its owner's choice, or nothing because a remote has it. */
const offers = { none: 0, empty: 1, file: 2 } as const
type Offer = (typeof offers)[keyof typeof offers]
const offer = `
  CASE
    WHEN EXISTS (SELECT 1 FROM images WHERE version_id = versions.id AND (url IS NOT NULL OR blob IS NOT NULL))
      THEN ${offers.file}
    WHEN EXISTS (SELECT 1 FROM images JOIN known_images ON image_id = images.id WHERE version_id = versions.id)
      THEN ${offers.none}
    ELSE ${offers.empty}
  END`
/** Whether a released version is one clients may be told of. */
export const isOffered = `(${offer}) > ${offers.none}`

export function versionTable(db: Db) {
  const ofBox = db.prepare<[number], StoredVersion>(`${columns} WHERE box_id = ? ORDER BY number_key DESC`)
  const byIds = db.prepare<[string], StoredVersion>(`${columns} WHERE id IN (SELECT value FROM json_each(?))`)
  const get = db.prepare<[number], StoredVersion>(`${columns} WHERE id = ?`)
  const find = db.prepare<[number, string], StoredVersion>(`${columns} WHERE box_id = ? AND number_key = ?`)
  const released = db.prepare<[number], Pick<StoredVersion, 'id' | 'number'> & { offer: Offer }>(
    `SELECT id, number, ${offer} AS offer FROM versions WHERE box_id = ? AND status = 'active'
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
    /**
     * The highest released stable one, else the highest released prerelease, as far as clients can have a file of them;
     * where there is none of those, the same without regard to that. What a remote alone has is never offered.
     */
    currentOf(boxId: number): number | null {
      const best: (number | null)[] = [null, null, null]
      for (const { id, number, offer } of released.iterate(boxId)) {
        if (offer === offers.none) continue
        if (offer === offers.file && !isPrerelease(number)) return id
        const rank = offer === offers.file ? 0 : isPrerelease(number) ? 2 : 1
        best[rank] ??= id
      }
      return best.find((id) => id !== null) ?? null
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
