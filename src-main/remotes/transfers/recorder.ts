import type { Step } from '../../domain/sync/plan-types.ts'
import type { StoredStep } from '../../store/transfer-steps.ts'
import type { StoredTransfer } from '../../store/transfers.ts'
import { writeLightly } from '../../store/write.ts'
import type { Memo } from '../end.ts'
import type { Book } from './book.ts'

type Kept = Omit<StoredStep, 'ordinal'>

/** A step with its place among the rows. */
export interface Placed {
  readonly step: Step
  readonly ordinal: number
}

/** Writes down how far a run of a transfer is. One that was given up on while it hung writes nothing more. */
export class Recorder {
  readonly #book: Book
  readonly #id: string
  #isLive = true
  #isStepDone = false
  /** The step whose bytes got further than ever. */
  #advanced: number | null = null

  constructor(book: Book, id: string) {
    this.#book = book
    this.#id = id
  }

  /**
   * Whether anything got further since this was made, for good: bytes of an end that keeps nothing of a step that is cut off
   * have to go over again.
   */
  get progressed(): boolean {
    if (this.#isStepDone) return true
    return this.#advanced !== null && this.#book.steps.memo(this.#id, this.#advanced) !== null
  }

  /** What is called from now on has no effect. */
  leave(): void {
    this.#isLive = false
    this.#book.end(this.#id)
  }

  /**
   * Takes over a plan: what earlier plans got done stays to be seen, and what ends keep with a step goes on to the step of
   * the same key. Answers the places of the steps to be carried out, in their order, and the staged bytes that belong to
   * no step any more.
   */
  plan(steps: readonly Step[], leftOut: ReadonlySet<string>): { places: Placed[]; dropped: string[] } {
    const before = this.#book.steps.of(this.#id)
    const planned = new Set(steps.map(({ key }) => key))
    const known = new Map(before.map((row) => [row.key, row]))
    const done = before.filter(({ state, key }) => state === 'done' && !planned.has(key))
    const rows: Kept[] = [...done, ...steps.map((step) => stepRow(step, known.get(step.key), leftOut))]
    const kept = new Set(rows.map(({ stagedId }) => stagedId))
    const bytesTotal = rows.reduce(
      (sum, { step, state }) => sum + (state === 'left-out' ? 0 : (step?.bytes ?? 0)),
      0
    )
    this.#update(() => {
      this.#book.steps.replace(this.#id, rows)
      return { bytesTotal }
    })
    const places = steps.map((step, i) => ({ step, ordinal: done.length + i }))
    return {
      places: places.filter(({ ordinal }) => rows[ordinal]?.state === 'pending'),
      dropped: before.flatMap(({ stagedId }) => (stagedId === null || kept.has(stagedId) ? [] : [stagedId]))
    }
  }

  begin(ordinal: number, bytes: number): void {
    if (!this.#isLive) return
    const from = this.#book.steps.bytesDone(this.#id, ordinal) ?? 0
    if (bytes > 0) this.#book.begin(this.#id, ordinal, from)
    this.#step(ordinal, 'running', from)
  }

  bytes(bytes: number): void {
    if (!this.#isLive) return
    const moving = this.#book.movingOf(this.#id)
    if (moving && bytes > moving.bytes) this.#advanced = moving.ordinal
    this.#book.progress(this.#id, bytes)
  }

  verifying(ordinal: number, bytes: number): void {
    if (!this.#isLive) return
    this.#book.end(this.#id)
    this.#step(ordinal, 'verifying', bytes, 'verifying')
  }

  done(ordinal: number, bytes: number): void {
    if (!this.#isLive) return
    this.#isStepDone = true
    this.#book.end(this.#id)
    this.#update(() => {
      this.#book.steps.setMemo(this.#id, ordinal, null, null)
      this.#book.steps.setState(this.#id, ordinal, 'done', bytes)
      return { state: 'running' }
    })
  }

  /** What the end keeps with a step. */
  memo(ordinal: number): Memo {
    const { steps } = this.#book
    return {
      read: () => {
        const json = steps.memo(this.#id, ordinal)
        try {
          return json === null ? null : (JSON.parse(json) as unknown)
        } catch {
          return null
        }
      },
      write: (value, stagedId) => {
        if (!this.#isLive) return
        const json = value === null || value === undefined ? null : JSON.stringify(value)
        steps.setMemo(
          this.#id,
          ordinal,
          json,
          stagedId === undefined ? steps.stagedId(this.#id, ordinal) : stagedId
        )
      }
    }
  }

  #step(
    ordinal: number,
    state: StoredStep['state'],
    bytes: number,
    of: 'running' | 'verifying' = 'running'
  ): void {
    this.#update(() => {
      this.#book.steps.setState(this.#id, ordinal, state, bytes)
      return { state: of }
    })
  }

  /** Only while nobody has said otherwise of the transfer. What a power cut takes back, a plan that is made anew finds out. */
  #update(work: () => { state?: 'running' | 'verifying'; bytesTotal?: number }): void {
    if (!this.#isLive) return
    const change = ({ state }: StoredTransfer) =>
      state === 'running' || state === 'verifying' ? work() : null
    this.#book.update(this.#id, change, writeLightly)
  }
}

function stepRow(step: Step, known: StoredStep | undefined, leftOut: ReadonlySet<string>): Kept {
  const { key } = step
  if (leftOut.has(key)) return { key, step, state: 'left-out', bytesDone: 0, memo: null, stagedId: null }
  const going = known && known.state !== 'done' ? known : null
  return {
    ...{ key, step, state: 'pending' },
    bytesDone: Math.min(going?.bytesDone ?? 0, step.bytes),
    memo: going?.memo ?? null,
    stagedId: going?.stagedId ?? null
  }
}
