import { standings, type RemoteBox, type RemoteBoxPage, type RemoteBoxQuery } from '../contract/standings.ts'
import { nameKey, tagKey } from '../domain/names.ts'
import { isTexts, jsonOf } from './json-column.ts'
import type { Db } from './open.ts'
import { boxOfRow } from './standings.ts'

type ShownRow = Omit<RemoteBox, 'differences' | 'mirrored'> & {
  readonly differences: string
  readonly mirrored: 0 | 1
}
const shown = ({ differences, mirrored, ...row }: ShownRow): RemoteBox => ({
  ...row,
  differences: jsonOf<string[]>(differences, [], isTexts),
  mirrored: mirrored === 1
})

interface Wanted {
  readonly remoteId: number
  readonly standings: string
  readonly words: string
}

/** Of a hundred thousand boxes those that are in step are most, and nobody has to look at them. */
const outOfStep = standings.filter((standing) => standing !== 'in-step')

/** How boxes stand at remotes, as a person sees it. */
export function remoteBoxViews(db: Db) {
  const columns = `
    remote_id AS remoteId, remotes.name AS remoteName, organization, remote_boxes.name AS box, standing, differences,
      max(remote_boxes.checked_at, coalesce(iif(json_valid(cursor), cursor ->> '$.at', 0), 0)) AS checkedAt,
      EXISTS (SELECT 1 FROM mirrored_boxes WHERE mirrored_boxes.remote_id = remote_boxes.remote_id
        AND box_id = (SELECT boxes.id FROM ${boxOfRow})) AS mirrored`
  const ofTag = db.prepare<[string], ShownRow>(
    `SELECT ${columns} FROM remote_boxes JOIN remotes ON remotes.id = remote_id
     WHERE tag_key = ? ORDER BY remotes.name_key`
  )
  const mirrorOf = db.prepare<[string, string], { remoteId: number; remoteName: string }>(
    `SELECT remotes.id AS remoteId, remotes.name AS remoteName
     FROM boxes JOIN organizations ON organizations.id = boxes.organization_id
     JOIN mirrored_boxes ON box_id = boxes.id JOIN remotes ON remotes.id = remote_id
     WHERE organizations.name_key = ? AND boxes.name_key = ?`
  )
  // An index has all that is needed to find and to order them.
  const wanted = `remote_boxes WHERE remote_id = @remoteId AND standing IN (SELECT value FROM json_each(@standings))
    AND (@words = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(@words) WHERE instr(tag_key, value) = 0))`
  const total = db.prepare<Wanted, number>(`SELECT count(*) FROM ${wanted}`).pluck()
  const page = db.prepare<Wanted & { limit: number; offset: number }, ShownRow>(
    `WITH found AS MATERIALIZED
       (SELECT remote_id, tag_key FROM ${wanted} ORDER BY standing, tag_key LIMIT @limit OFFSET @offset)
     SELECT ${columns} FROM found CROSS JOIN remote_boxes USING (remote_id, tag_key) JOIN remotes ON remotes.id = remote_id
     ORDER BY standing, tag_key`
  )

  return {
    ofBox: (organization: string, name: string): RemoteBox[] =>
      ofTag.all(tagKey(organization, name)).map(shown),
    mirrorOf: (organization: string, name: string) =>
      mirrorOf.get(nameKey(organization), nameKey(name)) ?? null,
    /** Without a standing, all that are out of step. */
    page({ remoteId, standing, q, offset, limit }: RemoteBoxQuery): RemoteBoxPage {
      const parts = {
        remoteId,
        standings: JSON.stringify(standing === null ? outOfStep : [standing]),
        words: JSON.stringify(q.toLowerCase().split(/\s+/).filter(Boolean))
      }
      return { total: total.get(parts) ?? 0, rows: page.all({ ...parts, offset, limit }).map(shown) }
    }
  }
}

export type RemoteBoxViews = ReturnType<typeof remoteBoxViews>
