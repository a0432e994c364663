import type { Declared } from '../domain/checksum.ts'
import type { ChecksumType, VersionStatus } from '../domain/model.ts'
import type { Db } from './open.ts'

/** Bytes that are in the blob store, whole. */
export interface StoredBlob {
  readonly sha256: string
  readonly size: number
  readonly format: string
  /** What the inspection found, as JSON. */
  readonly facts: string
  readonly createdAt: number
}

/** One image that is made of some bytes, with everything around it. */
export interface BlobUse {
  readonly organization: string
  readonly organizationCreatedAt: number
  readonly profile: string
  readonly box: string
  readonly shortDescription: string
  readonly description: string
  readonly private: boolean
  readonly boxCreatedAt: number
  readonly number: string
  readonly status: VersionStatus
  readonly versionDescription: string
  readonly versionCreatedAt: number
  readonly versionUpdatedAt: number
  readonly provider: string
  readonly architecture: string
  readonly isDefault: boolean
  readonly checksum: string
  readonly declared: Declared
  readonly imageCreatedAt: number
}

type UseRow = Omit<BlobUse, 'private' | 'isDefault' | 'declared'> & {
  private: number
  isDefault: number
  type: ChecksumType | null
  expected: string | null
}

/** Rows of blobs, and the list of those whose sidecar no longer says what the catalogue says. */
export function blobTable(db: Db) {
  const put = db.prepare(
    `INSERT INTO blobs (sha256, size, format, facts, created_at) VALUES (@sha256, @size, @format, @facts, @createdAt)
     ON CONFLICT (sha256) DO UPDATE SET damaged_at = NULL WHERE damaged_at IS NOT NULL`
  )
  const get = db.prepare<[string], StoredBlob>(
    'SELECT sha256, size, format, facts, created_at AS createdAt FROM blobs WHERE sha256 = ?'
  )
  const markStale = db.prepare<[string]>('INSERT OR IGNORE INTO stale_sidecars (sha256) VALUES (?)')
  const markStaleOfVersion = db.prepare<[number]>(
    `INSERT OR IGNORE INTO stale_sidecars (sha256)
     SELECT blob FROM images WHERE version_id = ? AND blob IS NOT NULL`
  )
  const markStaleOfBox = db.prepare<[number]>(
    `INSERT OR IGNORE INTO stale_sidecars (sha256)
     SELECT blob FROM images WHERE version_id IN (SELECT id FROM versions WHERE box_id = ?) AND blob IS NOT NULL`
  )
  const nextStale = db
    .prepare<[string], string>('SELECT sha256 FROM stale_sidecars WHERE sha256 > ? ORDER BY sha256 LIMIT 1')
    .pluck()
  const markFresh = db.prepare<[string]>('DELETE FROM stale_sidecars WHERE sha256 = ?')
  const uses = db.prepare<[string], UseRow>(
    `SELECT organizations.name AS organization, organizations.created_at AS organizationCreatedAt,
       profile_markdown AS profile, boxes.name AS box, short_description AS shortDescription, boxes.description,
       private, boxes.created_at AS boxCreatedAt, number, status, versions.description AS versionDescription,
       versions.created_at AS versionCreatedAt, versions.updated_at AS versionUpdatedAt, provider, architecture,
       is_default AS isDefault, checksum, checksum_type AS type, expected_checksum AS expected,
       images.created_at AS imageCreatedAt
     FROM images JOIN versions ON versions.id = version_id JOIN boxes ON boxes.id = box_id
       JOIN organizations ON organizations.id = organization_id
     WHERE blob = ? ORDER BY images.id`
  )

  return {
    /** Bytes that were found damaged are whole again when they arrive anew. Returns whether they had not been here, whole. */
    put: (blob: StoredBlob) => put.run(blob).changes > 0,
    get: (sha256: string) => get.get(sha256) ?? null,
    markStale: (sha256: string) => void markStale.run(sha256),
    markStaleOfVersion: (versionId: number) => void markStaleOfVersion.run(versionId),
    markStaleOfBox: (boxId: number) => void markStaleOfBox.run(boxId),
    /** The one after another ('' for the first). */
    nextStale: (after: string) => nextStale.get(after) ?? null,
    markFresh: (sha256: string) => void markFresh.run(sha256),
    uses: (sha256: string): BlobUse[] =>
      uses.all(sha256).map(({ type, expected, ...row }) => ({
        ...row,
        private: row.private === 1,
        isDefault: row.isDefault === 1,
        declared: { type, expected }
      }))
  }
}

export type BlobTable = ReturnType<typeof blobTable>
