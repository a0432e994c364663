import type { BoxRow } from '../contract/library.ts'
import { chunkOf, hasBit, noBits, setBit } from './box-set.ts'
import { bytesHere, imageKinds, origins } from './listings.ts'
import type { Db } from './open.ts'

interface Row extends Omit<
  BoxRow,
  'private' | 'hasUnreleased' | 'here' | 'images' | 'mirrored' | 'outOfStep'
> {
  readonly private: number
  readonly unreleased: number
  readonly bytes: number
  readonly kinds: string
  readonly otherKinds: string
  readonly origin: number
  readonly outOfStep: number
}

/** So many sizes are read with one statement. */
const readAtOnce = 8192

/** Reads what the library shows of boxes, from their listings: it takes no longer for a box that holds much. */
export function libraryRows(db: Db) {
  const rows = db.prepare<[string], Row>(
    `SELECT boxes.id, organizations.name AS organization, boxes.name, short_description AS shortDescription,
       listings.private, listings.downloads, size, current_version AS currentVersion, versions, unreleased, bytes,
       images AS kinds, other_images AS otherKinds, listings.created_at AS createdAt, listings.updated_at AS updatedAt,
       origin,
       EXISTS (SELECT 1 FROM remote_boxes WHERE remote_boxes.tag_key = listings.tag_key
         AND standing IN ('ahead', 'behind', 'apart', 'deleted-there')) AS outOfStep
     FROM json_each(?) CROSS JOIN listings ON box_id = value JOIN boxes ON boxes.id = box_id
       JOIN organizations ON organizations.id = boxes.organization_id
     ORDER BY key`
  )
  const sizes = db
    .prepare<[string], [boxId: number, size: number]>(
      'SELECT box_id, size FROM json_each(?) CROSS JOIN listings ON box_id = value'
    )
    .raw()

  return {
    /** In the order of the ids. */
    rows: (boxIds: Uint32Array): BoxRow[] => rows.all(JSON.stringify([...boxIds])).map(shown),

    /** In the order of the ids, most of which usually have none: `sized` lists those that may have one. */
    sizes(boxIds: Uint32Array, sized: readonly Uint32Array[]): number[] {
      const last = sized.reduce((highest, block) => block.reduce((a, b) => Math.max(a, b), highest), 0)
      const isSized = noBits(chunkOf(last) + 1)
      for (const block of sized) for (const boxId of block) setBit(isSized, boxId)
      const wanted = boxIds.filter((boxId) => boxId <= last && hasBit(isSized, boxId))
      const found = new Map<number, number>()
      for (let start = 0; start < wanted.length; start += readAtOnce)
        for (const [boxId, size] of sizes.all(
          JSON.stringify([...wanted.subarray(start, start + readAtOnce)])
        ))
          found.set(boxId, size)
      return Array.from(boxIds, (boxId) => found.get(boxId) ?? 0)
    }
  }
}

function shown({ unreleased, bytes, kinds, otherKinds, origin, outOfStep, ...row }: Row): BoxRow {
  return {
    ...row,
    private: row.private === 1,
    hasUnreleased: unreleased === 1,
    mirrored: origin !== origins.own,
    outOfStep: outOfStep === 1,
    here: bytes === bytesHere.all ? 'all' : bytes === bytesHere.some ? 'some' : 'none',
    images: [...imageKinds(kinds), ...imageKinds(otherKinds)]
      .map(([provider, architecture]) => ({ provider, architecture }))
      .sort((a, b) => compare(a.provider, b.provider) || compare(a.architecture, b.architecture))
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
