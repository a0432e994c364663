import type { BoxRow } from '../contract/library.ts'
import { bytesHere, imageKinds } from './listings.ts'
import type { Db } from './open.ts'

interface Row extends Omit<BoxRow, 'private' | 'hasUnreleased' | 'here' | 'images'> {
  readonly private: number
  readonly unreleased: number
  readonly bytes: number
  readonly kinds: string
  readonly otherKinds: string
}

/** So many sizes are read with one statement. */
const readAtOnce = 8192

/** Reads what the library shows of boxes, from their listings: it takes no longer for a box that holds much. */
export function libraryRows(db: Db) {
  const rows = db.prepare<[string], Row>(
    `SELECT boxes.id, organizations.name AS organization, boxes.name, short_description AS shortDescription,
       listings.private, listings.downloads, size, current_version AS currentVersion, versions, unreleased, bytes,
       images AS kinds, other_images AS otherKinds, listings.created_at AS createdAt, listings.updated_at AS updatedAt
     FROM json_each(?) CROSS JOIN listings ON box_id = value JOIN boxes ON boxes.id = box_id
       JOIN organizations ON organizations.id = boxes.organization_id
     ORDER BY key`
  )
  const sizes = db
    .prepare<[string], number>(
      'SELECT size FROM json_each(?) CROSS JOIN listings ON box_id = value ORDER BY key'
    )
    .pluck()

  return {
    /** In the order of the ids. */
    rows: (boxIds: Uint32Array): BoxRow[] => rows.all(JSON.stringify([...boxIds])).map(shown),

    /** In the order of the ids. */
    sizes(boxIds: Uint32Array): number[] {
      const found: number[] = []
      for (let start = 0; start < boxIds.length; start += readAtOnce)
        found.push(...sizes.all(JSON.stringify([...boxIds.subarray(start, start + readAtOnce)])))
      return found
    }
  }
}

function shown({ unreleased, bytes, kinds, otherKinds, ...row }: Row): BoxRow {
  return {
    ...row,
    private: row.private === 1,
    hasUnreleased: unreleased === 1,
    here: bytes === bytesHere.all ? 'all' : bytes === bytesHere.some ? 'some' : 'none',
    images: [...imageKinds(kinds), ...imageKinds(otherKinds)]
      .map(([provider, architecture]) => ({ provider, architecture }))
      .sort((a, b) => compare(a.provider, b.provider) || compare(a.architecture, b.architecture))
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
