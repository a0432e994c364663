import type { Standing } from '../contract/standings.ts'
import { nameKey, tagKey } from '../domain/names.ts'
import { isObject, jsonOf } from './json-column.ts'
import { listedJson, type ListedBox } from './listed-boxes.ts'
import type { Db } from './open.ts'

/** How a box stands at a remote, as its row holds it; what both agreed on is not read with it. */
export interface StandingRow {
  readonly organization: string
  readonly name: string
  readonly standing: Standing
  readonly differences: readonly string[]
  readonly remoteStamp: string | null
  readonly localStamp: string | null
  readonly checkedAt: number
}

/** A row, or the place of one, that may have to be another. */
export interface Candidate {
  readonly organization: string
  readonly name: string
  /** Null when nothing is known of the box at that remote yet. */
  readonly standing: Standing | null
  /** Whether both ever agreed on something. */
  readonly agreed: boolean
  readonly remoteStamp: string | null
  /** Of the box here as it is now; null when there is none. */
  readonly localStamp: string | null
  readonly checkedAt: number | null
}

/** Standings of boxes that are at the remote, as far as was seen. */
export const thereStandings = [
  'in-step',
  'ahead',
  'behind',
  'apart',
  'only-there',
  'deleted-here'
] as const satisfies readonly Standing[]

/** Standings of boxes that are here. */
export const hereStandings = [
  'in-step',
  'ahead',
  'behind',
  'apart',
  'only-here',
  'deleted-there'
] as const satisfies readonly Standing[]

/** Where the last look at a remote ended. */
export interface LookMark {
  /** When it was complete. */
  readonly at: number | null
  /** What the listing of each organization there is asked with next time. */
  readonly cursors: Readonly<Record<string, string>>
}

/** Names of organizations come before a slash, which no name holds: keys of one organization lie side by side. */
const firstKey = (organization: string): string => `${nameKey(organization)}/`
const endKey = (organization: string): string => `${nameKey(organization)}0`

/** As the end here tells it: the same for a box that has not changed. */
const localStamp = `boxes.updated_at || '.' || boxes.revision`

/** Of a row of remote_boxes. */
const organizationKey = `substr(tag_key, 1, instr(tag_key, '/') - 1)`

/** Finds the box here a row of remote_boxes is about. */
export const boxOfRow = `boxes WHERE boxes.organization_id =
    (SELECT id FROM organizations WHERE name_key = ${organizationKey})
  AND boxes.name_key = substr(tag_key, instr(tag_key, '/') + 1)`

/** Of a row of remote_boxes; looked up on its own, so that an index has all that is needed of rows that are passed over. */
const agreed = `EXISTS (SELECT 1 FROM remote_boxes AS with_base WHERE with_base.remote_id = remote_boxes.remote_id
  AND with_base.tag_key = remote_boxes.tag_key AND with_base.base IS NOT NULL)`

interface CandidateRow extends Omit<Candidate, 'agreed'> {
  readonly agreed: 0 | 1
}
const candidate = (row: CandidateRow): Candidate => ({ ...row, agreed: row.agreed === 1 })

/** How boxes stand at remotes, and what a look needs to find quickly which of them may stand otherwise now. */
export function standingTable(db: Db) {
  const unknownThere = db.prepare<[string, number], CandidateRow>(
    `SELECT listed.value ->> 0 AS organization, listed.value ->> 1 AS name, standing, ${agreed} AS agreed, checked_at AS checkedAt,
       listed.value ->> 3 AS remoteStamp,
       (SELECT ${localStamp} FROM boxes JOIN organizations ON organizations.id = boxes.organization_id
        WHERE organizations.name_key = lower(listed.value ->> 0) AND boxes.name_key = lower(listed.value ->> 1)) AS localStamp
     FROM json_each(?) AS listed
     LEFT JOIN remote_boxes INDEXED BY remote_boxes_by_stamps ON remote_id = ? AND tag_key = listed.value ->> 2
     WHERE standing IS NULL OR remote_stamp IS NOT listed.value ->> 3 OR remote_stamp IS NULL
       OR standing IN ('only-here', 'deleted-there')`
  )
  const keyAfter = db
    .prepare<[number, string, number], string>(
      'SELECT name_key FROM boxes WHERE organization_id = ? AND name_key > ? ORDER BY name_key LIMIT 1 OFFSET ?'
    )
    .pluck()
  const changedHere = db.prepare<
    { remoteId: number; organization: string; after: string; last: string; blindSince: number },
    CandidateRow
  >(
    `SELECT organizations.name AS organization, boxes.name, standing, ${agreed} AS agreed,
       remote_stamp AS remoteStamp, ${localStamp} AS localStamp, checked_at AS checkedAt
     FROM organizations
     JOIN boxes ON boxes.organization_id = organizations.id
     LEFT JOIN remote_boxes INDEXED BY remote_boxes_by_stamps ON remote_id = @remoteId AND tag_key = organizations.name_key || '/' || boxes.name_key
     WHERE organizations.name_key = @organization AND boxes.name_key > @after AND boxes.name_key <= @last
       AND (standing IS NULL OR local_stamp IS NOT ${localStamp} OR standing IN ('only-there', 'deleted-here')
         OR (remote_stamp IS NULL AND standing IN ('in-step', 'ahead', 'behind', 'apart') AND checked_at < @blindSince))`
  )
  const organizationId = db
    .prepare<[string], number>('SELECT id FROM organizations WHERE name_key = ?')
    .pluck()
  const keys = db
    .prepare<[number, Standing, string, string, number], string>(
      `SELECT tag_key FROM remote_boxes WHERE remote_id = ? AND standing = ? AND tag_key > ? AND tag_key < ?
       ORDER BY tag_key LIMIT ?`
    )
    .pluck()
  const gone = db
    .prepare<[string], string>(
      `SELECT value AS tag_key FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM ${boxOfRow})`
    )
    .pluck()
  const byKeys = db.prepare<[number, string], CandidateRow>(
    `SELECT organization, name, standing, base IS NOT NULL AS agreed, remote_stamp AS remoteStamp,
       (SELECT ${localStamp} FROM ${boxOfRow}) AS localStamp, checked_at AS checkedAt
     FROM remote_boxes WHERE remote_id = ? AND tag_key IN (SELECT value FROM json_each(?))`
  )
  const localStampOf = db
    .prepare<[string, string], string>(
      `SELECT ${localStamp} FROM boxes JOIN organizations ON organizations.id = boxes.organization_id
       WHERE organizations.name_key = ? AND boxes.name_key = ?`
    )
    .pluck()
  const moving = db
    .prepare<[number, string], number>(
      `SELECT 1 FROM transfers WHERE remote_id = ? AND tag_key = ? AND state IN ('running', 'verifying')`
    )
    .pluck()
  const endedTransfer = db.prepare<[string], { remoteId: number; organization: string; name: string }>(
    `SELECT remote_id AS remoteId, organization, name FROM transfers
     WHERE id = ? AND remote_id IS NOT NULL AND state IN ('done', 'failed', 'cancelled')`
  )
  const put = db.prepare(
    `INSERT INTO remote_boxes (remote_id, tag_key, organization, name, remote_stamp, local_stamp, standing, differences,
       checked_at)
     VALUES (@remoteId, @key, @organization, @name, @remoteStamp, @localStamp, @standing, @differences, @checkedAt)
     ON CONFLICT (remote_id, tag_key) DO UPDATE SET organization = @organization, name = @name,
       remote_stamp = @remoteStamp, local_stamp = @localStamp, standing = @standing, differences = @differences,
       checked_at = @checkedAt`
  )
  const restand = db.prepare<[Standing, string, number, number, string]>(
    'UPDATE remote_boxes SET standing = ?, differences = ?, checked_at = ? WHERE remote_id = ? AND tag_key = ?'
  )
  const remove = db.prepare<[number, string]>('DELETE FROM remote_boxes WHERE remote_id = ? AND tag_key = ?')
  // Goes from one organization to the next: there are few of them, and perhaps a hundred thousand rows.
  const agreedOrganizations = db
    .prepare<{ remoteId: number }, string>(
      `WITH RECURSIVE found (organization, key) AS (
         SELECT * FROM (SELECT organization, ${organizationKey} FROM remote_boxes
           WHERE remote_id = @remoteId ORDER BY tag_key LIMIT 1)
         UNION ALL
         SELECT remote_boxes.organization, ${organizationKey} FROM found JOIN remote_boxes
           ON remote_id = @remoteId AND tag_key =
             (SELECT min(tag_key) FROM remote_boxes WHERE remote_id = @remoteId AND tag_key >= key || '0')
       )
       SELECT organization FROM found WHERE EXISTS (SELECT 1 FROM remote_boxes
         WHERE remote_id = @remoteId AND tag_key > key || '/' AND tag_key < key || '0' AND base IS NOT NULL)`
    )
    .pluck()
  const mark = db.prepare<[number], string | null>('SELECT cursor FROM remotes WHERE id = ?').pluck()
  const setMark = db.prepare<[string, number]>('UPDATE remotes SET cursor = ? WHERE id = ?')

  return {
    /** Of boxes a remote lists, by their tags here: those that may stand otherwise than is known. */
    candidatesThere: (remoteId: number, listed: readonly ListedBox[]): Candidate[] =>
      unknownThere.all(listedJson(listed), remoteId).map(candidate),

    /**
     * The same of some of the boxes of an organization here, after a name; `last` is null when there are no more. One of
     * which it is not known what was compared counts when that is longer ago.
     */
    candidatesHere(
      remoteId: number,
      organization: string,
      after: string,
      { limit, blindSince }: { readonly limit: number; readonly blindSince: number }
    ): { readonly candidates: Candidate[]; readonly last: string | null } {
      const id = organizationId.get(nameKey(organization))
      if (id === undefined) return { candidates: [], last: null }
      const last = keyAfter.get(id, after, limit - 1) ?? null
      const range = {
        remoteId,
        organization: nameKey(organization),
        after,
        last: last ?? '\u{10ffff}',
        blindSince
      }
      return { candidates: changedHere.all(range).map(candidate), last }
    },

    /** Tags of an organization (all, with null) that stand so, after one of them. */
    keys: (
      remoteId: number,
      standing: Standing,
      range: { readonly organization: string | null; readonly after: string | null },
      limit: number
    ): string[] => {
      const { organization, after } = range
      const first = organization === null ? '' : firstKey(organization)
      const end = organization === null ? '\u{10ffff}' : endKey(organization)
      return keys.all(remoteId, standing, after ?? first, end, limit)
    },
    /** Those tags of which there is no box here. */
    notHere: (tags: readonly string[]): string[] => gone.all(JSON.stringify(tags)),
    /** Rows of these tags; those without one are left out. */
    byKeys: (remoteId: number, tags: readonly string[]): Candidate[] =>
      byKeys.all(remoteId, JSON.stringify(tags)).map(candidate),
    /** Of the box here as it is now; null when there is none. */
    localStamp: (organization: string, name: string): string | null =>
      localStampOf.get(nameKey(organization), nameKey(name)) ?? null,

    put({ differences, ...row }: StandingRow, remoteId: number): void {
      put.run({
        ...row,
        remoteId,
        key: tagKey(row.organization, row.name),
        differences: JSON.stringify(differences)
      })
    },
    /** Says how it stands, and leaves the stamps: it is compared again as soon as the remote answers. */
    restand: (
      remoteId: number,
      key: string,
      standing: Standing,
      differences: readonly string[],
      now: number
    ) => void restand.run(standing, JSON.stringify(differences), now, remoteId, key),
    /** Whether it is on its way just now, and how it stands is not to be told before the end of that. */
    isMoving: (remoteId: number, key: string): boolean => moving.get(remoteId, key) === 1,
    /** The box of a transfer, once that has ended. */
    endedTransfer: (id: string) => endedTransfer.get(id) ?? null,
    remove: (remoteId: number, key: string): void => void remove.run(remoteId, key),
    /** Here, of boxes that both sides once agreed on. */
    agreedOrganizations: (remoteId: number): string[] => agreedOrganizations.all({ remoteId }),

    mark: (remoteId: number): LookMark => readMark(mark.get(remoteId) ?? null),
    setMark: (remoteId: number, at: LookMark): void => void setMark.run(JSON.stringify(at), remoteId)
  }
}

export type StandingTable = ReturnType<typeof standingTable>

/** Forgotten is as good as never looked: the next look reads the listing again. */
function readMark(text: string | null): LookMark {
  const { at, cursors } = jsonOf<Partial<LookMark>>(text, {}, isObject)
  return { at: at ?? null, cursors: cursors ?? {} }
}
