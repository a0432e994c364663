import { typeNeeded, type Declared } from '../domain/checksum.ts'
import type { ChecksumType, Image } from '../domain/model.ts'
import type { Checksums } from '../domain/sync/snapshot.ts'
import { isObject, jsonOf } from './json-column.ts'
import type { Db } from './open.ts'

/** An image as its row holds it. */
export interface StoredImage extends Image {
  readonly versionId: number
  readonly declared: Declared
}

/** What of an image a client can write. */
export interface ImageFields {
  readonly provider: string
  readonly architecture: string
  readonly url: string | null
  readonly declared: Declared
}

/** The bytes of an image, once they are here. */
export interface ImageBytes {
  readonly blob: string
  /** In the type that was declared, else in the usual one. */
  readonly checksum: string
  /** Id of the upload that brought them; null for a file taken from this machine. */
  readonly hostedToken: string | null
}

interface Row {
  id: number
  versionId: number
  provider: string
  architecture: string
  isDefault: number
  url: string | null
  blob: string | null
  size: number | null
  knownChecksums: string | null
  checksum: string | null
  checksumType: ChecksumType | null
  expected: string | null
  hostedToken: string | null
  createdAt: number
  updatedAt: number
}

const columns = `
  SELECT images.id, version_id AS versionId, provider, architecture, is_default AS isDefault, url, blob,
    coalesce(blobs.size, known_images.size) AS size, known_images.checksums AS knownChecksums,
    checksum, checksum_type AS checksumType, expected_checksum AS expected, hosted_token AS hostedToken,
    images.created_at AS createdAt, images.updated_at AS updatedAt
  FROM images LEFT JOIN blobs ON blobs.sha256 = images.blob
    LEFT JOIN known_images ON image_id = images.id`

/** What is shown is the checksum of the bytes that are here; what was declared, only while there are none. */
function stored({ checksumType, expected, knownChecksums, ...row }: Row): StoredImage {
  const declared: Declared = { type: checksumType, expected }
  const checksum = row.blob === null ? expected : row.checksum
  return {
    ...row,
    isDefault: row.isDefault === 1,
    known:
      knownChecksums === null || row.blob !== null || row.url !== null
        ? null
        : { checksums: jsonOf<Checksums>(knownChecksums, {}, isObject) },
    checksum,
    checksumType: checksum === null ? null : typeNeeded(declared),
    declared
  }
}

export function imageTable(db: Db) {
  const ofBox = db.prepare<[number], Row>(
    `${columns} WHERE version_id IN (SELECT id FROM versions WHERE box_id = ?) ORDER BY images.id`
  )
  const ofVersions = db.prepare<[string], Row>(
    `${columns} WHERE version_id IN (SELECT value FROM json_each(?)) ORDER BY images.id`
  )
  const ofVersion = db.prepare<[number], Row>(`${columns} WHERE version_id = ? ORDER BY images.id`)
  const get = db.prepare<[number], Row>(`${columns} WHERE images.id = ?`)
  const find = db.prepare<[number, string, string], Row>(
    `${columns} WHERE version_id = ? AND provider = ? AND architecture = ?`
  )
  const findDefault = db.prepare<[number, string], Row>(
    `${columns} WHERE version_id = ? AND provider = ? AND is_default = 1`
  )
  const insert = db.prepare(
    `INSERT INTO images (version_id, provider, architecture, is_default, url, checksum_type, expected_checksum,
       created_at, updated_at)
     VALUES (@versionId, @provider, @architecture, 0, @url, @type, @expected, @now, @now)`
  )
  const update = db.prepare(
    `UPDATE images SET provider = @provider, architecture = @architecture, url = @url, checksum_type = @type,
       expected_checksum = @expected, updated_at = @now WHERE id = @id`
  )
  const setBytes = db.prepare(
    `UPDATE images SET url = NULL, blob = @blob, checksum = @checksum, hosted_token = @hostedToken,
       expected_checksum = NULL, updated_at = @now WHERE id = @id`
  )
  const setChecksum = db.prepare<[string, number]>('UPDATE images SET checksum = ? WHERE id = ?')
  const dropBytes = db.prepare<[number]>(
    'UPDATE images SET blob = NULL, checksum = NULL, hosted_token = NULL WHERE id = ?'
  )
  const undoDefault = db.prepare<[number, string, number]>(
    'UPDATE images SET is_default = 0 WHERE version_id = ? AND provider = ? AND is_default = 1 AND id <> ?'
  )
  const makeDefault = db.prepare<[number]>('UPDATE images SET is_default = 1 WHERE id = ?')
  const unmakeDefault = db.prepare<[number]>('UPDATE images SET is_default = 0 WHERE id = ?')
  const remove = db.prepare<[number]>('DELETE FROM images WHERE id = ?')
  const orNull = (row: Row | undefined): StoredImage | null => (row ? stored(row) : null)
  const bindable = ({ provider, architecture, url, declared }: ImageFields) => ({
    provider,
    architecture,
    url,
    type: declared.type,
    expected: declared.expected
  })

  return {
    /** Of all versions of a box, oldest first. */
    ofBox: (boxId: number) => ofBox.all(boxId).map(stored),
    ofVersions: (ids: readonly number[]) => ofVersions.all(JSON.stringify(ids)).map(stored),
    ofVersion: (versionId: number) => ofVersion.all(versionId).map(stored),
    get: (id: number) => orNull(get.get(id)),
    find: (versionId: number, provider: string, architecture: string) =>
      orNull(find.get(versionId, provider, architecture)),
    findDefault: (versionId: number, provider: string) => orNull(findDefault.get(versionId, provider)),
    /** Not the default of its provider name yet. */
    insert: (versionId: number, fields: ImageFields, now: number) =>
      Number(insert.run({ ...bindable(fields), versionId, now }).lastInsertRowid),
    update: (id: number, fields: ImageFields, now: number) =>
      void update.run({ ...bindable(fields), id, now }),
    /** From now on these bytes are the image; what was declared for them has been met. */
    setBytes: (id: number, bytes: ImageBytes, now: number) => void setBytes.run({ ...bytes, id, now }),
    setChecksum: (id: number, checksum: string) => void setChecksum.run(checksum, id),
    dropBytes: (id: number) => void dropBytes.run(id),
    setDefault(image: Pick<StoredImage, 'id' | 'versionId' | 'provider'>): void {
      undoDefault.run(image.versionId, image.provider, image.id)
      makeDefault.run(image.id)
    },
    unsetDefault: (id: number) => void unmakeDefault.run(id),
    remove: (id: number) => void remove.run(id)
  }
}

export type ImageTable = ReturnType<typeof imageTable>
