import { tagKey } from '../domain/names.ts'
import type { AgreedBox } from '../domain/sync/snapshot.ts'
import { isObject, jsonOf } from './json-column.ts'
import type { Db } from './open.ts'

/** Names a box as it is called here. */
interface TagHere {
  readonly organization: string
  readonly name: string
}

/** What both sides of a box last agreed on, and when its row was written. */
export interface StoredBase {
  readonly base: AgreedBox | null
  /** When it was last looked how the box stands there. */
  readonly seenAt: number
}

/** What each box and its counterpart at a remote last agreed on. */
export function remoteBoxTable(db: Db) {
  const get = db.prepare<[number, string], { base: string | null; seenAt: number }>(
    'SELECT base, checked_at AS seenAt FROM remote_boxes WHERE remote_id = ? AND tag_key = ?'
  )
  // How it stands is somebody else's to say: without stamps the next look compares it anew.
  const put = db.prepare(
    `INSERT INTO remote_boxes (remote_id, tag_key, organization, name, base, standing, checked_at)
     VALUES (@remoteId, @key, @organization, @name, @base, 'in-step', @now)
     ON CONFLICT (remote_id, tag_key) DO UPDATE SET base = @base, remote_stamp = NULL`
  )
  const forget = db.prepare<[number, string]>(
    'UPDATE remote_boxes SET base = NULL, remote_stamp = NULL WHERE remote_id = ? AND tag_key = ?'
  )

  return {
    /** Null when nothing is known of the box at that remote. One that cannot be read counts as none. */
    baseOf(remoteId: number, { organization, name }: TagHere): StoredBase | null {
      const row = get.get(remoteId, tagKey(organization, name))
      return row ? { base: parsed(row.base), seenAt: row.seenAt } : null
    },
    putBase(remoteId: number, { organization, name }: TagHere, base: AgreedBox | null, now: number): void {
      const key = tagKey(organization, name)
      if (base === null) forget.run(remoteId, key)
      else put.run({ remoteId, key, organization, name, base: JSON.stringify(base), now })
    }
  }
}

export type RemoteBoxTable = ReturnType<typeof remoteBoxTable>

const parsed = (text: string | null): AgreedBox | null =>
  jsonOf<AgreedBox | null>(
    text,
    null,
    (base) => isObject(base) && Array.isArray(base['versions']) && base['versions'].every(isAgreedVersion)
  )

const isAgreedVersion = (version: unknown): boolean =>
  isObject(version) && typeof version['number'] === 'string' && Array.isArray(version['images'])
