import type { ArrivalDraft, ArrivalState } from '../contract/arrivals.ts'
import type { ChecksumType } from '../domain/model.ts'
import type { Db } from './open.ts'

/** What reading the bytes of an arrival told. `facts` is the inspection's, as JSON. */
export interface ArrivedDigest {
  readonly size: number
  readonly sha256: string
  readonly checksums: Readonly<Partial<Record<ChecksumType, string>>>
  readonly facts: string
}

/** A field of the draft. */
export type DraftField = keyof ArrivalDraft

/** An arrival as its row holds it. */
export interface StoredArrival {
  readonly id: string
  readonly kind: 'path' | 'stream' | 'url'
  readonly fileName: string
  readonly origin: string
  readonly state: ArrivalState
  readonly position: number
  readonly size: number | null
  readonly confirmed: boolean
  readonly draft: ArrivalDraft
  readonly touched: readonly DraftField[]
  readonly stagedId: string | null
  readonly digest: ArrivedDigest | null
  readonly problem: readonly string[] | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

type Row = Omit<StoredArrival, 'confirmed' | 'draft' | 'touched' | 'digest' | 'problem'> & {
  confirmed: number
  draft: string
  touched: string
  sha256: string | null
  checksums: string | null
  facts: string | null
  problem: string | null
}

const columns = `
  SELECT id, kind, file_name AS fileName, origin, state, position, size, confirmed, draft, touched,
    staged_id AS stagedId, sha256, checksums, facts, problem, created_at AS createdAt, finished_at AS finishedAt
  FROM arrivals`

const underWay = `state IN ('waiting', 'reading', 'ready', 'publishing')`
const ended = `state IN ('published', 'failed', 'cancelled')`

const noRemotes: Partial<ArrivalDraft> = { remotes: [] }

function stored({ sha256, checksums, facts, ...row }: Row): StoredArrival {
  return {
    ...row,
    confirmed: row.confirmed === 1,
    // Rows of earlier programs say nothing of remotes.
    draft: { ...noRemotes, ...(JSON.parse(row.draft) as ArrivalDraft) },
    touched: JSON.parse(row.touched) as DraftField[],
    digest:
      sha256 === null || row.size === null
        ? null
        : {
            size: row.size,
            sha256,
            checksums: JSON.parse(checksums ?? '{}') as ArrivedDigest['checksums'],
            facts: facts ?? '{}'
          },
    problem: row.problem === null ? null : (JSON.parse(row.problem) as string[])
  }
}

/** Rows of arrivals. What of them is worth nothing after a restart (bytes read so far, speed) is not among it. */
export function arrivalTable(db: Db) {
  const get = db.prepare<[string], Row>(`${columns} WHERE id = ?`)
  const all = db.prepare<[], Row>(`${columns} ORDER BY created_at DESC, position DESC`)
  const inState = db.prepare<[string], Row>(`${columns} WHERE state = ? ORDER BY position`)
  const firstWaiting = db
    .prepare<[], string>(`SELECT id FROM arrivals WHERE state = 'waiting' ORDER BY position LIMIT 1`)
    .pluck()
  const onItsWayFrom = db.prepare<[string], Row>(
    `${columns} WHERE origin = ? AND kind = 'path' AND ${underWay}`
  )
  const before = db.prepare<[number], Row>(
    `${columns} WHERE state = 'waiting' AND position < ? ORDER BY position DESC LIMIT 1`
  )
  const after = db.prepare<[number], Row>(
    `${columns} WHERE state = 'waiting' AND position > ? ORDER BY position LIMIT 1`
  )
  const allUnderWay = db.prepare<[], Row>(`${columns} WHERE ${underWay}`)
  const countUnderWay = db.prepare<[], number>(`SELECT count(*) FROM arrivals WHERE ${underWay}`).pluck()
  const lastPosition = db.prepare<[], number>('SELECT coalesce(max(position), 0) FROM arrivals').pluck()
  const holdsStaged = db.prepare<[string], number>('SELECT 1 FROM arrivals WHERE staged_id = ?').pluck()
  const holdsBytes = db
    .prepare<[string], number>(`SELECT 1 FROM arrivals WHERE sha256 = ? AND ${underWay}`)
    .pluck()
  const put = db.prepare(
    `INSERT INTO arrivals (id, kind, file_name, origin, state, position, size, confirmed, draft, touched, staged_id,
       sha256, checksums, facts, problem, created_at, finished_at)
     VALUES (@id, @kind, @fileName, @origin, @state, @position, @size, @confirmed, @draft, @touched, @stagedId,
       @sha256, @checksums, @facts, @problem, @createdAt, @finishedAt)
     ON CONFLICT (id) DO UPDATE SET state = @state, position = @position, size = @size, confirmed = @confirmed,
       draft = @draft, touched = @touched, staged_id = @stagedId, sha256 = @sha256, checksums = @checksums,
       facts = @facts, problem = @problem, finished_at = @finishedAt`
  )
  const remove = db.prepare<[string]>('DELETE FROM arrivals WHERE id = ?')
  const surplus = db
    .prepare<[number], string>(
      `SELECT id FROM arrivals WHERE ${ended} ORDER BY finished_at DESC, position DESC LIMIT -1 OFFSET ?`
    )
    .pluck()
  const clear = db.prepare('DELETE FROM arrivals')
  const orNull = (row: Row | undefined): StoredArrival | null => (row ? stored(row) : null)

  return {
    get: (id: string) => orNull(get.get(id)),
    /** The newest first. */
    all: () => all.all().map(stored),
    /** In the order in which they are to be read. */
    inState: (state: ArrivalState) => inState.all(state).map(stored),
    firstWaiting: () => firstWaiting.get() ?? null,
    /** The file of that path, unless it has ended. */
    onItsWayFrom: (origin: string) => orNull(onItsWayFrom.get(origin)),
    /** The waiting one next to a place in the order. */
    neighbour: (position: number, direction: 'up' | 'down') =>
      orNull((direction === 'up' ? before : after).get(position)),
    /** Those that have not ended, in no order. */
    underWay: () => allUnderWay.all().map(stored),
    countUnderWay: () => countUnderWay.get() ?? 0,
    nextPosition: () => (lastPosition.get() ?? 0) + 1,
    /** Whether staged bytes belong to an arrival, and are therefore no leftover, however old they are. */
    holdsStaged: (stagedId: string) => holdsStaged.get(stagedId) === 1,
    /** Whether one is still to be made an image of such bytes. */
    holdsBytes: (sha256: string) => holdsBytes.get(sha256) === 1,
    /** Adds it, or writes what may have changed of it. */
    put({ digest, ...arrival }: StoredArrival): void {
      put.run({
        ...arrival,
        size: digest?.size ?? arrival.size,
        confirmed: Number(arrival.confirmed),
        draft: JSON.stringify(arrival.draft),
        touched: JSON.stringify(arrival.touched),
        sha256: digest?.sha256 ?? null,
        checksums: digest && JSON.stringify(digest.checksums),
        facts: digest?.facts ?? null,
        problem: arrival.problem && JSON.stringify(arrival.problem)
      })
    },
    remove: (id: string) => void remove.run(id),
    /** Those that have ended, but for the latest so many. */
    surplus: (kept: number) => surplus.all(kept),
    clear: () => void clear.run()
  }
}

export type ArrivalTable = ReturnType<typeof arrivalTable>
