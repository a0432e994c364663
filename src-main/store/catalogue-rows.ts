import type { VersionStatus } from '../domain/model.ts'
import { nameKey } from '../domain/names.ts'
import { numberKey } from '../domain/version-number.ts'
import type { Db } from './open.ts'

/** A whole box, made at once with everything in it. */
export interface WholeBox {
  readonly name: string
  readonly shortDescription: string
  readonly description: string
  readonly descriptionHtml: string
  readonly private: boolean
  readonly downloads: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly versions: readonly WholeVersion[]
  /** Its place among the versions; null when none is current. */
  readonly currentVersion: number | null
}

export interface WholeVersion {
  readonly number: string
  readonly status: VersionStatus
  readonly description: string
  readonly descriptionHtml: string
  readonly createdAt: number
  readonly images: readonly WholeImage[]
}

/** Its file lies elsewhere. */
export interface WholeImage {
  readonly provider: string
  readonly architecture: string
  readonly isDefault: boolean
  readonly url: string
}

/** Writes whole boxes row by row, without asking anything: what makes a catalogue of a million boxes feasible. */
export function catalogueRows(db: Db) {
  const insertBox = db.prepare(`
    INSERT INTO boxes (organization_id, name, name_key, short_description, description, description_html, private,
      downloads, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `)
  const setCurrent = db.prepare('UPDATE boxes SET current_version_id = ? WHERE id = ?')
  const insertVersion = db.prepare(`
    INSERT INTO versions (box_id, number, number_key, status, description, description_html, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  `)
  const insertImage = db.prepare(`
    INSERT INTO images (version_id, provider, architecture, is_default, url, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
  `)
  const boxNamed = db
    .prepare<[number, string], number>('SELECT id FROM boxes WHERE organization_id = ? AND name_key = ?')
    .pluck()

  function addVersion(boxId: number, version: WholeVersion): number | bigint {
    const { number, status, description, descriptionHtml, createdAt } = version
    const { lastInsertRowid } = insertVersion.run(
      ...[boxId, number, numberKey(number), status, description, descriptionHtml, createdAt, createdAt]
    )
    for (const { provider, architecture, isDefault, url } of version.images)
      insertImage.run(lastInsertRowid, provider, architecture, Number(isDefault), url, createdAt, createdAt)
    return lastInsertRowid
  }

  return {
    isTaken: (organizationId: number, name: string): boolean =>
      boxNamed.get(organizationId, nameKey(name)) !== undefined,

    /** The new box's id. Search does not know it yet. */
    addBox(organizationId: number, box: WholeBox): number {
      const { name, shortDescription, description, descriptionHtml, downloads, createdAt, updatedAt } = box
      const boxId = Number(
        insertBox.run(
          ...[organizationId, name, nameKey(name), shortDescription, description, descriptionHtml],
          ...[Number(box.private), downloads, createdAt, updatedAt]
        ).lastInsertRowid
      )
      const versionIds = box.versions.map((version) => addVersion(boxId, version))
      if (box.currentVersion !== null) setCurrent.run(versionIds[box.currentVersion], boxId)
      return boxId
    }
  }
}
