import type { TransferStep } from '../contract/transfers.ts'
import type { Step } from '../domain/sync/plan-types.ts'
import { isObject, jsonOf } from './json-column.ts'
import type { Db } from './open.ts'

/** A step of a transfer as its row holds it. */
export interface StoredStep {
  readonly ordinal: number
  readonly key: string
  /** Null when it cannot be read any more; the next plan writes it anew. */
  readonly step: Step | null
  readonly state: TransferStep['state']
  readonly bytesDone: number
  /** What the end keeps with it, as JSON. */
  readonly memo: string | null
  readonly stagedId: string | null
}

/** How many steps there are, how many of them are done, and the bytes that are over. */
interface StepSums {
  readonly total: number
  readonly done: number
  readonly bytesDone: number
}

type Row = Omit<StoredStep, 'step'> & { step: string }

const columns = 'ordinal, key, step, state, bytes_done AS bytesDone, memo, staged_id AS stagedId'

const stored = ({ step, ...row }: Row): StoredStep => ({
  ...row,
  step: jsonOf<Step | null>(step, null, isObject)
})

/** Rows of what transfers consist of. */
export function transferStepTable(db: Db) {
  const all = db.prepare<[string], Row>(
    `SELECT ${columns} FROM transfer_steps WHERE transfer_id = ? ORDER BY ordinal`
  )
  const some = db.prepare<[string, number], Row>(
    `SELECT ${columns} FROM transfer_steps WHERE transfer_id = ?
     ORDER BY state NOT IN ('running', 'verifying'), state <> 'pending', ordinal LIMIT ?`
  )
  const sums = db.prepare<[string], StepSums>(
    `SELECT count(*) AS total, count(*) FILTER (WHERE state = 'done') AS done, coalesce(sum(bytes_done), 0) AS bytesDone
     FROM transfer_steps WHERE transfer_id = ? AND state <> 'left-out'`
  )
  const current = db.prepare<[string], Row>(
    `SELECT ${columns} FROM transfer_steps WHERE transfer_id = ? AND state IN ('running', 'verifying', 'pending')
     ORDER BY state = 'pending', ordinal LIMIT 1`
  )
  const doneUnderWay = db
    .prepare<[], number>(
      `SELECT coalesce(sum(bytes_done), 0) FROM transfer_steps JOIN transfers ON transfers.id = transfer_id
       WHERE transfers.state IN ('queued', 'running', 'verifying', 'waiting') AND transfer_steps.state <> 'left-out'`
    )
    .pluck()
  const clear = db.prepare<[string]>('DELETE FROM transfer_steps WHERE transfer_id = ?')
  const add = db.prepare(
    `INSERT INTO transfer_steps (transfer_id, ordinal, key, step, state, bytes_done, memo, staged_id)
     VALUES (@transferId, @ordinal, @key, @step, @state, @bytesDone, @memo, @stagedId)`
  )
  const setState = db.prepare<[string, number, string, number]>(
    'UPDATE transfer_steps SET state = ?, bytes_done = ? WHERE transfer_id = ? AND ordinal = ?'
  )
  const setBytes = db.prepare<[number, string, number]>(
    'UPDATE transfer_steps SET bytes_done = ? WHERE transfer_id = ? AND ordinal = ?'
  )
  const setMemo = db.prepare<[string | null, string | null, string, number]>(
    'UPDATE transfer_steps SET memo = ?, staged_id = ? WHERE transfer_id = ? AND ordinal = ?'
  )
  const memo = db
    .prepare<[string, number], string | null>(
      'SELECT memo FROM transfer_steps WHERE transfer_id = ? AND ordinal = ?'
    )
    .pluck()
  const bytesDone = db
    .prepare<[string, number], number>(
      'SELECT bytes_done FROM transfer_steps WHERE transfer_id = ? AND ordinal = ?'
    )
    .pluck()
  const stagedId = db
    .prepare<[string, number], string | null>(
      'SELECT staged_id FROM transfer_steps WHERE transfer_id = ? AND ordinal = ?'
    )
    .pluck()
  const settle = db.prepare<[string]>(
    `UPDATE transfer_steps SET state = 'pending' WHERE transfer_id = ? AND state IN ('running', 'verifying')`
  )
  const settleAll = db.prepare(
    `UPDATE transfer_steps SET state = 'pending' WHERE state IN ('running', 'verifying')`
  )
  const staged = db
    .prepare<[string], string>(
      'SELECT staged_id FROM transfer_steps WHERE transfer_id = ? AND staged_id IS NOT NULL'
    )
    .pluck()
  const forgetStaged = db.prepare<[string]>(
    'UPDATE transfer_steps SET staged_id = NULL, memo = NULL WHERE transfer_id = ?'
  )
  const stagedOfEnded = db
    .prepare<[], string>(
      `SELECT DISTINCT transfer_id FROM transfer_steps JOIN transfers ON transfers.id = transfer_id
       WHERE staged_id IS NOT NULL AND (transfers.state IN ('done', 'cancelled') OR
         (transfers.state = 'failed' AND transfers.remote_id IS NULL))`
    )
    .pluck()

  return {
    of: (transferId: string) => all.all(transferId).map(stored),
    /** Of too many, those that are carried out or come next; in their order. */
    shownOf: (transferId: string, most: number) =>
      some
        .all(transferId, most)
        .map(stored)
        .sort((a, b) => a.ordinal - b.ordinal),
    /** Of all its steps but those that are left out. */
    sums: (transferId: string): StepSums => sums.get(transferId) ?? { total: 0, done: 0, bytesDone: 0 },
    /** The one that is carried out, or else comes next. */
    current(transferId: string): StoredStep | null {
      const row = current.get(transferId)
      return row ? stored(row) : null
    },
    /** Bytes that are over of all that is not done. */
    doneUnderWay: (): number => doneUnderWay.get() ?? 0,
    /** Writes all steps anew. */
    replace(transferId: string, steps: readonly Omit<StoredStep, 'ordinal'>[]): void {
      clear.run(transferId)
      for (const [ordinal, { step, ...row }] of steps.entries())
        add.run({ ...row, transferId, ordinal, step: JSON.stringify(step) })
    },
    setState: (transferId: string, ordinal: number, state: StoredStep['state'], bytesDone: number) =>
      void setState.run(state, bytesDone, transferId, ordinal),
    setBytes: (transferId: string, ordinal: number, bytesDone: number) =>
      void setBytes.run(bytesDone, transferId, ordinal),
    bytesDone: (transferId: string, ordinal: number): number | null =>
      bytesDone.get(transferId, ordinal) ?? null,
    memo: (transferId: string, ordinal: number): string | null => memo.get(transferId, ordinal) ?? null,
    setMemo: (transferId: string, ordinal: number, memo: string | null, stagedId: string | null) =>
      void setMemo.run(memo, stagedId, transferId, ordinal),
    stagedId: (transferId: string, ordinal: number): string | null =>
      stagedId.get(transferId, ordinal) ?? null,
    /** None of them is carried out any more. */
    settle: (transferId: string) => void settle.run(transferId),
    settleAll: () => void settleAll.run(),
    /** Staged bytes that belong to its steps. */
    stagedOf: (transferId: string): string[] => staged.all(transferId),
    forgetStaged: (transferId: string) => void forgetStaged.run(transferId),
    /** Transfers that have ended and still hold staged bytes, because the program ended before those were dropped. */
    endedWithStaged: (): string[] => stagedOfEnded.all()
  }
}

export type TransferStepTable = ReturnType<typeof transferStepTable>
