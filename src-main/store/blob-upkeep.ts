import type { ChecksumType } from '../domain/model.ts'
import type { Db } from './open.ts'

/** A blob's row as the jobs that walk the store see it. */
export interface BlobFacts {
  readonly sha256: string
  readonly size: number
  readonly damagedAt: number | null
}

/** An image made of a blob, with the name people know it by and the checksum clients are told. */
export interface ImageOfBlob {
  readonly id: number
  readonly name: string
  readonly checksum: string
  readonly checksumType: ChecksumType | null
}

/** What is known of the bytes of an image. */
export interface Soundness {
  readonly imageId: number
  readonly verifiedAt: number | null
  /** 1 when they were found rotten or gone. */
  readonly damaged: number
}

/** Something that was made of a blob, as it was called, until it was deleted. */
export interface Deletion {
  readonly sha256: string
  readonly what: string
  readonly deletedAt: number
}

const pageSize = 500
const columns = 'SELECT sha256, size, damaged_at AS damagedAt FROM blobs'
const usedByImage = 'EXISTS (SELECT 1 FROM images WHERE blob = sha256)'
const whole = `damaged_at IS NULL AND ${usedByImage}`
const unused = `NOT ${usedByImage} AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.blob = sha256)`
const deletions = '(SELECT 1 FROM trash_blobs WHERE trash_blobs.sha256 = blobs.sha256)'
const latestDeletion = `
  (SELECT max(deleted_at) FROM trash_blobs JOIN trash ON trash.id = trash_id WHERE trash_blobs.sha256 = blobs.sha256)`

/** What verify, gc, backup and restore ask and note about blobs. Walks are by key, so that changes meanwhile do no harm. */
export function blobUpkeep(db: Db) {
  const walk = (where: string) => {
    const page = db.prepare<[Record<string, unknown>], BlobFacts>(
      `${columns} WHERE sha256 > @after AND ${where} ORDER BY sha256 LIMIT ${pageSize}`
    )
    return function* (parameters: Record<string, unknown> = {}): Generator<BlobFacts> {
      let after = ''
      for (;;) {
        const rows = page.all({ ...parameters, after })
        yield* rows
        const last = rows.at(-1)
        if (!last) return
        after = last.sha256
      }
    }
  }
  const all = walk('TRUE')
  const one = walk('sha256 = @sha256')
  const ofImages = walk(whole)
  const ofBox = walk(
    `sha256 IN (SELECT blob FROM images JOIN versions ON versions.id = version_id WHERE box_id = @boxId)`
  )
  const garbage = walk(`created_at <= @before AND ${unused} AND NOT EXISTS ${deletions}`)
  const totals = (where: string) =>
    db.prepare<[], { count: number; bytes: number }>(
      `SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM blobs WHERE ${where}`
    )
  const totalOfAll = totals('TRUE')
  const totalOfImages = totals(whole)
  const totalOfDamaged = totals(`damaged_at IS NOT NULL AND ${usedByImage}`)
  const total = (statement: typeof totalOfAll) => statement.get() ?? { count: 0, bytes: 0 }
  const has = db.prepare<[string], number>('SELECT 1 FROM blobs WHERE sha256 = ?').pluck()
  const unusedFrom = db
    .prepare<[string], number>(
      `SELECT max(created_at, coalesce(${latestDeletion}, 0)) FROM blobs WHERE sha256 = ? AND ${unused}`
    )
    .pluck()
  const removeUnused = db.prepare<[string]>(
    `DELETE FROM blobs WHERE sha256 = ? AND ${unused} AND NOT EXISTS ${deletions}`
  )
  const noteSound = db.prepare<[number, string]>(
    'UPDATE blobs SET verified_at = ?, damaged_at = NULL WHERE sha256 = ?'
  )
  const forgetDamage = db.prepare<[string]>('UPDATE blobs SET damaged_at = NULL WHERE sha256 = ?')
  const noteDamaged = db.prepare<[number, string]>('UPDATE blobs SET damaged_at = ? WHERE sha256 = ?')
  const images = db.prepare<[string], ImageOfBlob>(
    `SELECT images.id, checksum, checksum_type AS checksumType,
       organizations.name || '/' || boxes.name || ' ' || number || ' for ' || provider || ' on ' || architecture AS name
     FROM images JOIN versions ON versions.id = version_id JOIN boxes ON boxes.id = box_id
       JOIN organizations ON organizations.id = organization_id
     WHERE blob = ? ORDER BY images.id`
  )
  const soundness = db.prepare<[number], Soundness>(
    `SELECT images.id AS imageId, verified_at AS verifiedAt, damaged_at IS NOT NULL AS damaged
     FROM versions JOIN images ON version_id = versions.id JOIN blobs ON sha256 = blob WHERE box_id = ?`
  )
  const lastDeletion = `
    SELECT sha256, what, max(deleted_at) AS deletedAt FROM trash_blobs JOIN trash ON trash.id = trash_id`
  const deletion = db.prepare<[string], Deletion>(`${lastDeletion} WHERE sha256 = ? GROUP BY sha256`)
  const deletionsUntil = db.prepare<[number], Deletion>(
    `${lastDeletion} GROUP BY sha256 HAVING max(deleted_at) <= ?`
  )
  const forgetUploads = db.prepare('DELETE FROM uploads')
  const allSidecarsStale = db.prepare('INSERT OR IGNORE INTO stale_sidecars SELECT sha256 FROM blobs')

  return {
    all: () => all(),
    /** The one of that name, if there is one. */
    one: (sha256: string) => one({ sha256 }),
    /** Those that some image is made of, as far as they are not known to be damaged. */
    ofImages: () => ofImages(),
    ofBox: (boxId: number) => ofBox({ boxId }),
    /** Those no image, upload or deletion names, and whose row is no younger than that. */
    garbage: (before: number) => garbage({ before }),
    totalOfAll: () => total(totalOfAll),
    totalOfImages: () => total(totalOfImages),
    totalOfDamaged: () => total(totalOfDamaged).count,
    has: (sha256: string) => has.get(sha256) === 1,
    /** Since when nothing needs a blob, its deletion being the last use; null when something does, or there is no row. */
    unusedFrom: (sha256: string) => unusedFrom.get(sha256) ?? null,
    /** Looks again and removes the row in one step, whatever has been committed since; false if it is in use now. */
    removeUnused: (sha256: string) => removeUnused.run(sha256).changes === 1,
    noteSound: (sha256: string, at: number) => void noteSound.run(at, sha256),
    noteDamaged: (sha256: string, at: number) => void noteDamaged.run(at, sha256),
    forgetDamage: (sha256: string) => void forgetDamage.run(sha256),
    images: (sha256: string) => images.all(sha256),
    /** Of the images of a box that have bytes here. */
    soundness: (boxId: number) => soundness.all(boxId),
    /** The last one of something made of a blob, unless it is forgotten. */
    deletion: (sha256: string) => deletion.get(sha256) ?? null,
    deletionsUntil: (time: number) => deletionsUntil.iterate(time),
    /** Upload addresses are worth nothing in a catalogue from another time. */
    forgetUploads: () => void forgetUploads.run(),
    allSidecarsStale: () => void allSidecarsStale.run()
  }
}

export type BlobUpkeep = ReturnType<typeof blobUpkeep>
