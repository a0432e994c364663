import type { Checksums } from '../domain/sync/snapshot.ts'
import type { Db } from './open.ts'

/** Whose box a mirrored one is. */
export interface MirroredFrom {
  readonly remoteId: number
  readonly remoteName: string
}

/** Boxes that are kept as a remote has them, and images whose bytes are there alone. */
export function mirroredTable(db: Db) {
  const of = db.prepare<[number], MirroredFrom>(
    `SELECT remote_id AS remoteId, remotes.name AS remoteName
     FROM mirrored_boxes JOIN remotes ON remotes.id = remote_id WHERE box_id = ?`
  )
  const firstOf = db.prepare<[string], MirroredFrom & { boxId: number }>(
    `SELECT box_id AS boxId, remote_id AS remoteId, remotes.name AS remoteName
     FROM json_each(?) CROSS JOIN mirrored_boxes ON box_id = value JOIN remotes ON remotes.id = remote_id LIMIT 1`
  )
  const someOf = db
    .prepare<[number, number], number>('SELECT box_id FROM mirrored_boxes WHERE remote_id = ? LIMIT ?')
    .pluck()
  const mark = db.prepare<[number, number]>(
    `INSERT INTO mirrored_boxes (box_id, remote_id) VALUES (?, ?)
     ON CONFLICT (box_id) DO UPDATE SET remote_id = excluded.remote_id`
  )
  const unmark = db.prepare<[number]>('DELETE FROM mirrored_boxes WHERE box_id = ?')
  const putKnown = db.prepare<[number, number, number | null, string]>(
    `INSERT INTO known_images (image_id, remote_id, size, checksums) VALUES (?, ?, ?, ?)
     ON CONFLICT (image_id) DO UPDATE SET remote_id = excluded.remote_id, size = excluded.size,
       checksums = excluded.checksums`
  )
  const forgetKnown = db.prepare<[number]>('DELETE FROM known_images WHERE image_id = ?')
  const forgetKnownOf = db.prepare<[number]>(
    `DELETE FROM known_images WHERE image_id IN
       (SELECT images.id FROM images JOIN versions ON versions.id = version_id WHERE box_id = ?)`
  )
  const keeperOf = db
    .prepare<[number], string>(
      'SELECT remotes.name FROM known_images JOIN remotes ON remotes.id = remote_id WHERE image_id = ?'
    )
    .pluck()

  return {
    /** Null for an own box. */
    of: (boxId: number) => of.get(boxId) ?? null,
    /** One of these boxes that is mirrored, if any is. */
    firstOf: (boxIds: readonly number[]) => firstOf.get(JSON.stringify(boxIds)) ?? null,
    /** Boxes that are mirrors of a remote's, no more than so many. */
    someOf: (remoteId: number, most: number) => someOf.all(remoteId, most),
    mark: (boxId: number, remoteId: number) => void mark.run(boxId, remoteId),
    unmark: (boxId: number) => void unmark.run(boxId),
    /** Notes that the bytes of an image are at a remote and not here. */
    putKnown: (imageId: number, remoteId: number, size: number | null, checksums: Checksums) =>
      void putKnown.run(imageId, remoteId, size, JSON.stringify(checksums)),
    forgetKnown: (imageId: number) => void forgetKnown.run(imageId),
    forgetKnownOf: (boxId: number) => void forgetKnownOf.run(boxId),
    /** The name of the remote that keeps the bytes of a known image. */
    keeperOf: (imageId: number) => keeperOf.get(imageId) ?? null
  }
}

export type MirroredTable = ReturnType<typeof mirroredTable>
