import { mirrorRule, type MirrorRule } from '../contract/mirrors.ts'
import { tagKey } from '../domain/names.ts'
import { isObject, jsonOf } from './json-column.ts'
import { listedJson, type ListedBox } from './listed-boxes.ts'
import type { Db } from './open.ts'

/** A mirror rule as its row holds it. */
export interface StoredRule {
  readonly id: number
  readonly rule: MirrorRule
  readonly remoteName: string
  readonly createdAt: number
  readonly lastRunAt: number | null
  readonly lastNote: string | null
  readonly lastFailed: boolean
}

type Row = Omit<StoredRule, 'rule' | 'lastFailed'> & {
  readonly remoteId: number
  readonly rule: string
  readonly lastFailed: 0 | 1
}

function stored({ rule: json, remoteId, lastFailed, ...row }: Row): StoredRule {
  const rule = mirrorRule.safeParse({ ...jsonOf<object>(json, {}, isObject), remoteId })
  return rule.success
    ? { ...row, rule: rule.data, lastFailed: lastFailed === 1 }
    : { ...row, ...unreadable(remoteId) }
}

/** Nobody can tell any more which boxes it is about, so it is about none. */
const unreadable = (remoteId: number): Pick<StoredRule, 'rule' | 'lastNote' | 'lastFailed'> => ({
  rule: {
    ...{ remoteId, boxes: '?', newest: null, prereleases: true, providers: [], architectures: [] },
    ...{ largestBytes: null, removeGone: false, everyMinutes: null, enabled: false }
  },
  lastNote:
    'This rule cannot be read any more: it was written by another version of the program, or is damaged. Remove it, and add it once more.',
  lastFailed: true
})

/** A box a remote lists, and what is here under its name. */
export interface Mirrorable {
  readonly organization: string
  readonly name: string
  /** own: not a mirror of that remote's. changed: as far as was seen, or nobody looked yet. */
  readonly here: 'nothing' | 'own' | 'changed' | 'unchanged'
  /** Whether files of it are at the remote alone. */
  readonly hasKnown: boolean
}

/** Rules of mirrors, and what is here of the boxes they are about. */
export function mirrorRuleTable(db: Db) {
  const columns = `
    SELECT mirror_rules.id, remote_id AS remoteId, rule, remotes.name AS remoteName,
      mirror_rules.created_at AS createdAt, last_run_at AS lastRunAt, last_note AS lastNote, last_failed AS lastFailed
    FROM mirror_rules JOIN remotes ON remotes.id = remote_id`
  const all = db.prepare<[], Row>(`${columns} ORDER BY remotes.name_key, mirror_rules.id`)
  const get = db.prepare<[number], Row>(`${columns} WHERE mirror_rules.id = ?`)
  const remoteExists = db.prepare<[number], number>('SELECT 1 FROM remotes WHERE id = ?').pluck()
  const insert = db.prepare<[number, string, number]>(
    'INSERT INTO mirror_rules (remote_id, rule, created_at) VALUES (?, ?, ?)'
  )
  const update = db.prepare<[number, string, number]>(
    'UPDATE mirror_rules SET remote_id = ?, rule = ? WHERE id = ?'
  )
  const remove = db.prepare<[number]>('DELETE FROM mirror_rules WHERE id = ?')
  const ran = db.prepare<[number, string, number, number]>(
    'UPDATE mirror_rules SET last_run_at = ?, last_note = ?, last_failed = ? WHERE id = ?'
  )
  const mirrorable = db.prepare<
    { listed: string; remoteId: number },
    Omit<Mirrorable, 'hasKnown'> & { readonly hasKnown: 0 | 1 }
  >(
    `SELECT listed.value ->> 0 AS organization, listed.value ->> 1 AS name,
       CASE WHEN boxes.id IS NULL THEN 'nothing'
         WHEN mirrored_boxes.remote_id IS NOT @remoteId THEN 'own'
         WHEN standing = 'in-step' AND remote_stamp = listed.value ->> 3 THEN 'unchanged'
         ELSE 'changed' END AS here,
       EXISTS (SELECT 1 FROM versions JOIN images ON images.version_id = versions.id
         JOIN known_images ON image_id = images.id WHERE versions.box_id = boxes.id) AS hasKnown
     FROM json_each(@listed) AS listed
     LEFT JOIN boxes ON boxes.name_key = lower(listed.value ->> 1) AND boxes.organization_id =
       (SELECT id FROM organizations WHERE name_key = lower(listed.value ->> 0))
     LEFT JOIN mirrored_boxes ON box_id = boxes.id
     LEFT JOIN remote_boxes ON remote_boxes.remote_id = @remoteId AND tag_key = listed.value ->> 2`
  )
  const mirrored = db.prepare<
    [number, number, number],
    { readonly id: number; readonly organization: string; readonly name: string }
  >(
    `SELECT box_id AS id, organizations.name AS organization, boxes.name
     FROM mirrored_boxes JOIN boxes ON boxes.id = box_id JOIN organizations ON organizations.id = organization_id
     WHERE remote_id = ? AND box_id > ? ORDER BY box_id LIMIT ?`
  )
  const failed = db
    .prepare<[number, string], string>(
      `SELECT id FROM transfers WHERE remote_id = ? AND tag_key IN (SELECT value FROM json_each(?))
         AND by_mirror = 1 AND state = 'failed'`
    )
    .pluck()

  return {
    all: () => all.all().map(stored),
    get(id: number): StoredRule | null {
      const row = get.get(id)
      return row ? stored(row) : null
    },
    hasRemote: (remoteId: number) => remoteExists.get(remoteId) === 1,
    insert: (rule: MirrorRule, now: number) =>
      Number(insert.run(rule.remoteId, JSON.stringify(rule), now).lastInsertRowid),
    update: (id: number, rule: MirrorRule) => void update.run(rule.remoteId, JSON.stringify(rule), id),
    remove: (id: number) => void remove.run(id),
    ran: (id: number, at: number, note: string, hasFailed: boolean) =>
      void ran.run(at, note, Number(hasFailed), id),

    /** What is here of boxes a remote lists, by their tags here; in the same order. */
    mirrorable: (remoteId: number, listed: readonly ListedBox[]): Mirrorable[] =>
      mirrorable
        .all({
          remoteId,
          listed: listedJson(listed)
        })
        .map((row) => ({ ...row, hasKnown: row.hasKnown === 1 })),
    /** Some of the boxes here that are mirrors of that remote's, after one of them. */
    mirrored: (remoteId: number, after: number, limit: number) => mirrored.all(remoteId, after, limit),
    /** Transfers of those boxes that a rule started and that failed. */
    failedTransfers: (
      remoteId: number,
      boxes: readonly { readonly organization: string; readonly name: string }[]
    ) =>
      failed.all(remoteId, JSON.stringify(boxes.map(({ organization, name }) => tagKey(organization, name))))
  }
}

export type MirrorRuleTable = ReturnType<typeof mirrorRuleTable>
