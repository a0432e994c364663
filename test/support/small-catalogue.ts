import type { Db } from '../../src-main/store/open.ts'

/** A box as the search tests think of one. */
export interface SmallBox {
  readonly id: number
  readonly organization: string
  readonly name: string
  readonly shortDescription: string
  readonly private: boolean
  readonly downloads: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly versions: readonly SmallVersion[]
  /** It is a remote's, and its images without a file are there alone. */
  readonly mirrored?: boolean
}

export interface SmallVersion {
  readonly status: 'unreleased' | 'active' | 'revoked'
  readonly images: readonly SmallImage[]
}

/** With a file its bytes are here: as many as the number after the first letter of the file's name. Else it has a url. */
export type SmallImage = readonly [provider: string, architecture: string, file?: string]
export const sizeOf = (file: string): number => Number(file.slice(1))

/** Puts boxes into the catalogue's tables, and nothing else: what follows from them is for the test to call for. */
export function smallCatalogue(db: Db) {
  const organizationOf = db
    .prepare<[string], number>('SELECT id FROM organizations WHERE name_key = ?')
    .pluck()
  const addOrganization = db.prepare(
    'INSERT INTO organizations (name, name_key, created_at, updated_at) VALUES (?, ?, 0, 0)'
  )
  const putBox = db.prepare(`
    INSERT INTO boxes (id, organization_id, name, name_key, short_description, private, downloads, created_at, updated_at)
    VALUES (@id, @organizationId, @name, @nameKey, @shortDescription, @private, @downloads, @createdAt, @updatedAt)
    ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id, name = excluded.name,
      name_key = excluded.name_key, short_description = excluded.short_description, private = excluded.private,
      downloads = excluded.downloads, created_at = excluded.created_at, updated_at = excluded.updated_at
  `)
  const removeVersions = db.prepare('DELETE FROM versions WHERE box_id = ?')
  const removeBox = db.prepare('DELETE FROM boxes WHERE id = ?')
  const addVersion = db.prepare(`
    INSERT INTO versions (box_id, number, number_key, status, created_at, updated_at) VALUES (?, ?, ?, ?, 0, 0)
  `)
  const addImage = db.prepare(`
    INSERT INTO images (version_id, provider, architecture, is_default, url, blob, created_at, updated_at)
    VALUES (?, ?, ?, 0, ?, ?, 0, 0)
  `)
  const addFile = db.prepare(
    "INSERT OR IGNORE INTO blobs (sha256, size, format, created_at) VALUES (?, ?, 'unknown', 0)"
  )

  const mirrors = smallMirrors(db)

  const organizationId = (name: string): number => {
    const id = organizationOf.get(name.toLowerCase())
    return id ?? Number(addOrganization.run(name, name.toLowerCase()).lastInsertRowid)
  }

  return {
    organizationId,

    put(box: SmallBox): void {
      putBox.run({
        ...box,
        mirrored: null,
        versions: null,
        organizationId: organizationId(box.organization),
        nameKey: box.name.toLowerCase(),
        private: box.private ? 1 : 0
      })
      removeVersions.run(box.id)
      if (box.mirrored !== undefined) mirrors.put(box.id, box.mirrored)
      box.versions.forEach(({ status, images }, n) => {
        const versionId = addVersion.run(box.id, `${n}`, `${n}`, status).lastInsertRowid
        for (const [provider, architecture, file] of images) {
          if (file !== undefined) addFile.run(file, sizeOf(file))
          const isKnown = box.mirrored === true && file === undefined
          const url = file || isKnown ? null : 'http://127.0.0.1/'
          const { lastInsertRowid } = addImage.run(versionId, provider, architecture, url, file ?? null)
          if (isKnown) mirrors.know(lastInsertRowid)
        }
      })
    },

    remove(boxId: number): void {
      removeBox.run(boxId)
    },

    damage(file: string, isDamaged: boolean): void {
      db.prepare('UPDATE blobs SET damaged_at = ? WHERE sha256 = ?').run(isDamaged ? 1 : null, file)
    },

    downloads(boxId: number, downloads: number): void {
      db.prepare('UPDATE boxes SET downloads = ? WHERE id = ?').run(downloads, boxId)
    }
  }
}

/** Prepared when they are needed: old schemas have none of these tables. */
function smallMirrors(db: Db) {
  const addRemote = `INSERT OR IGNORE INTO remotes (id, name, name_key, kind, location, identity, created_at)
    VALUES (1, 'Lab', 'lab', 'folder', '/lab', 'folder:lab', 0)`
  return {
    put(boxId: number, isMirrored: boolean): void {
      db.prepare('DELETE FROM mirrored_boxes WHERE box_id = ?').run(boxId)
      if (!isMirrored) return
      db.exec(addRemote)
      db.prepare('INSERT INTO mirrored_boxes (box_id, remote_id) VALUES (?, 1)').run(boxId)
    },
    know(imageId: number | bigint): void {
      db.prepare('INSERT INTO known_images (image_id, remote_id) VALUES (?, 1)').run(imageId)
    }
  }
}
