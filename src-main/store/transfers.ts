import { syncRequest, type SyncConflict, type SyncRequest } from '../contract/sync.ts'
import type { RemoteTransfer, TransferState } from '../contract/transfers.ts'
import { tagKey } from '../domain/names.ts'
import { isObject, isTexts, jsonOf } from './json-column.ts'
import type { Db } from './open.ts'

/** A transfer as its row holds it. */
export interface StoredTransfer {
  readonly id: string
  /** Null once the remote has been removed. */
  readonly remoteId: number | null
  readonly remoteName: string
  readonly direction: 'publish' | 'pull'
  readonly organization: string
  readonly name: string
  /** Null when nobody can read any more what is wanted: written by another program, or damaged. */
  readonly request: SyncRequest | null
  readonly state: TransferState
  readonly position: number
  readonly attempts: number
  readonly waitingFor: RemoteTransfer['waitingFor']
  readonly nextAttemptAt: number | null
  readonly problem: readonly string[] | null
  readonly conflicts: readonly SyncConflict[]
  readonly bytesTotal: number | null
  readonly byMirror: boolean
  readonly createdAt: number
  readonly finishedAt: number | null
}

type Row = Omit<StoredTransfer, 'request' | 'problem' | 'conflicts' | 'byMirror'> & {
  request: string
  problem: string | null
  conflicts: string
  byMirror: number
}

const columns = `
  SELECT id, remote_id AS remoteId, remote_name AS remoteName, direction, organization, name, request, state, position,
    attempts, waiting_for AS waitingFor, next_attempt_at AS nextAttemptAt, problem, conflicts, bytes_total AS bytesTotal,
    by_mirror AS byMirror, created_at AS createdAt, finished_at AS finishedAt
  FROM transfers`

/** Those the queue has still to do with. */
const underWay = `state IN ('queued', 'running', 'verifying', 'paused', 'waiting')`
/** Those that may have to be shown before any others, first. */
const urgency = `CASE state WHEN 'running' THEN 0 WHEN 'verifying' THEN 0 WHEN 'failed' THEN 1 WHEN 'waiting' THEN 2
  WHEN 'paused' THEN 2 WHEN 'queued' THEN 3 ELSE 4 END`

function stored(row: Row): StoredTransfer {
  const request = syncRequest.safeParse(jsonOf<unknown>(row.request, null, isObject))
  return {
    ...row,
    request: request.success ? request.data : null,
    problem: jsonOf<string[] | null>(row.problem, null, isTexts),
    conflicts: jsonOf<SyncConflict[]>(row.conflicts, [], Array.isArray),
    byMirror: row.byMirror === 1
  }
}

/** Rows of transfers between here and remotes. How fast they are is not among it. */
export function transferTable(db: Db) {
  const get = db.prepare<[string], Row>(`${columns} WHERE id = ?`)
  const shown = db.prepare<[number], Row>(
    `${columns} WHERE id IN (SELECT id FROM transfers ORDER BY ${urgency}, position LIMIT ?)
     ORDER BY created_at DESC, position DESC`
  )
  const inState = db
    .prepare<[string], string>('SELECT id FROM transfers WHERE state = ? ORDER BY position')
    .pluck()
  const ofBox = db.prepare<[number, string, string], Row>(
    `${columns} WHERE remote_id = ? AND tag_key = ? AND direction = ?
       AND state IN ('queued', 'paused', 'waiting', 'failed') ORDER BY position`
  )
  const firstQueued = db
    .prepare<[number, string, string], string>(
      `SELECT id FROM transfers WHERE state = 'queued' AND remote_id = ?
         AND tag_key NOT IN (SELECT value FROM json_each(?)) AND id NOT IN (SELECT value FROM json_each(?))
       ORDER BY position LIMIT 1`
    )
    .pluck()
  const remotes = db.prepare<[], number>('SELECT id FROM remotes').pluck()
  const remoteName = db.prepare<[number], string>('SELECT name FROM remotes WHERE id = ?').pluck()
  const remoteKind = db.prepare<[number], string>('SELECT kind FROM remotes WHERE id = ?').pluck()
  const remoteHealth = db.prepare<[number], string>('SELECT health FROM remotes WHERE id = ?').pluck()
  const due = db
    .prepare<[number], string>(
      `SELECT id FROM transfers WHERE state = 'waiting' AND next_attempt_at <= ? LIMIT 1000`
    )
    .pluck()
  const firstDue = db
    .prepare<[], number | null>(`SELECT min(next_attempt_at) FROM transfers WHERE state = 'waiting'`)
    .pluck()
  const waitingFor = db.prepare<[string], { id: string; remoteId: number | null }>(
    `SELECT id, remote_id AS remoteId FROM transfers
     WHERE state = 'waiting' AND waiting_for = ? ORDER BY position LIMIT 1000`
  )
  const orphans = db
    .prepare<[], string>(`SELECT id FROM transfers WHERE remote_id IS NULL AND ${underWay} LIMIT 1000`)
    .pluck()
  const inOrder = `state IN ('queued', 'waiting', 'paused')`
  const before = db.prepare<[number], Row>(
    `${columns} WHERE ${inOrder} AND position < ? ORDER BY position DESC LIMIT 1`
  )
  const after = db.prepare<[number], Row>(
    `${columns} WHERE ${inOrder} AND position > ? ORDER BY position LIMIT 1`
  )
  const positions = db.prepare<[], { first: number; last: number }>(
    'SELECT coalesce(min(position), 1) AS first, coalesce(max(position), 0) AS last FROM transfers'
  )
  const counts = db.prepare<[], { state: TransferState; count: number }>(
    'SELECT state, count(*) AS count FROM transfers GROUP BY state'
  )
  const bytesToGo = db
    .prepare<[], number>(
      `SELECT coalesce(sum(bytes_total), 0) FROM transfers
       WHERE bytes_total IS NOT NULL AND state IN ('queued', 'running', 'verifying', 'waiting')`
    )
    .pluck()
  const looks = db
    .prepare<[number], [string, string]>(
      `SELECT id, printf('%s %s %s %s %s %s %s %s', state, position, attempts, next_attempt_at, problem, bytes_total,
         length(conflicts), length(request))
       FROM transfers ORDER BY ${urgency}, position LIMIT ?`
    )
    .raw()
  const put = db.prepare(
    `INSERT INTO transfers (id, remote_id, remote_name, direction, organization, name, tag_key, request, state, position,
       attempts, waiting_for, next_attempt_at, problem, conflicts, bytes_total, by_mirror, created_at, finished_at)
     VALUES (@id, @remoteId, @remoteName, @direction, @organization, @name, @tagKey, coalesce(@request, 'null'), @state, @position,
       @attempts, @waitingFor, @nextAttemptAt, @problem, @conflicts, @bytesTotal, @byMirror, @createdAt, @finishedAt)
     ON CONFLICT (id) DO UPDATE SET request = coalesce(@request, request), state = @state, position = @position,
       attempts = @attempts, waiting_for = @waitingFor, next_attempt_at = @nextAttemptAt, problem = @problem,
       conflicts = @conflicts, bytes_total = @bytesTotal, finished_at = @finishedAt`
  )
  const remove = db.prepare<[string]>('DELETE FROM transfers WHERE id = ?')
  const surplus = db
    .prepare<[string, number], string>(
      `SELECT id FROM transfers WHERE state IN (SELECT value FROM json_each(?))
       ORDER BY finished_at DESC, position DESC LIMIT -1 OFFSET ?`
    )
    .pluck()
  const orNull = (row: Row | undefined): StoredTransfer | null => (row ? stored(row) : null)

  return {
    get: (id: string) => orNull(get.get(id)),
    /** The newest first; of too many, those that most need to be seen. */
    shown: (most: number) => shown.all(most).map(stored),
    idsIn: (state: TransferState): string[] => inState.all(state),
    /** Those of a box that wait, in whatever way, in their order. */
    ofBox: (remoteId: number, organization: string, name: string, direction: 'publish' | 'pull') =>
      ofBox.all(remoteId, tagKey(organization, name), direction).map(stored),
    /** The first whose turn it is at a remote, but for some boxes and some transfers. */
    firstQueued: (remoteId: number, butTags: readonly string[], butIds: readonly string[]): string | null =>
      firstQueued.get(remoteId, JSON.stringify(butTags), JSON.stringify(butIds)) ?? null,
    remotes: (): number[] => remotes.all(),
    remoteName: (remoteId: number): string | null => remoteName.get(remoteId) ?? null,
    remoteKind: (remoteId: number): string | null => remoteKind.get(remoteId) ?? null,
    remoteHealth: (remoteId: number): string | null => remoteHealth.get(remoteId) ?? null,
    /** Those whose time to wait is over. */
    due: (now: number): string[] => due.all(now),
    firstDue: (): number | null => firstDue.get() ?? null,
    waitingFor: (what: NonNullable<RemoteTransfer['waitingFor']>) => waitingFor.all(what),
    /** Those under way whose remote has been removed. */
    orphans: (): string[] => orphans.all(),
    /** The one next to a place among those that have still to begin. */
    neighbour: (position: number, direction: 'up' | 'down') =>
      orNull((direction === 'up' ? before : after).get(position)),
    positions: () => positions.get() ?? { first: 1, last: 0 },
    /** How many are in each state. */
    counts: () => new Map(counts.all().map(({ state, count }) => [state, count])),
    /** Of those that run or wait, as far as their bytes are known. */
    bytesToGo: (): number => bytesToGo.get() ?? 0,
    /** Another text for each that is another one now; of too many, those that most need to be seen. */
    looks: (most: number): ReadonlyMap<string, string> => new Map(looks.all(most)),
    /** Adds it, or writes what may have changed of it. */
    put(transfer: StoredTransfer): void {
      put.run({
        ...transfer,
        tagKey: tagKey(transfer.organization, transfer.name),
        request: transfer.request && JSON.stringify(transfer.request),
        problem: transfer.problem && JSON.stringify(transfer.problem),
        conflicts: JSON.stringify(transfer.conflicts),
        byMirror: Number(transfer.byMirror)
      })
    },
    remove: (id: string) => void remove.run(id),
    /** Those in some states, but for the latest so many. */
    surplus: (states: readonly TransferState[], kept: number) => surplus.all(JSON.stringify(states), kept)
  }
}

export type TransferTable = ReturnType<typeof transferTable>
