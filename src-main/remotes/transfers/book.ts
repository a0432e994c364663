import type { SyncRequest } from '../../contract/sync.ts'
import type { TransferState } from '../../contract/transfers.ts'
import type { Events } from '../../catalog/events.ts'
import { Problem } from '../../domain/problem.ts'
import { TransferSpeed } from '../../domain/transfer-speed.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../store/open.ts'
import { transferStepTable, type TransferStepTable } from '../../store/transfer-steps.ts'
import { transferTable, type StoredTransfer, type TransferTable } from '../../store/transfers.ts'
import { write, writeLightly } from '../../store/write.ts'

/** How many that are done or cancelled are remembered. */
const endedKept = 300
/** How many that failed are. */
const failedKept = 2000
/** Progress is told of so often, in milliseconds. */
const tellEvery = 200
/** And saved so often: each saving is a change of the database, after which everybody reads again. */
const saveEvery = 5000
/** Of more than this nobody is told one by one. */
const mostLookedAt = 1000
/** Before saving is tried again. */
const pause = 5000

/** How far a step is whose bytes are going over now. */
interface Moving {
  readonly ordinal: number
  readonly speed: TransferSpeed
  /** Bytes that were over before this process carried it on. */
  readonly from: number
  bytes: number
  toldAt: number
  savedAt: number
}

/** Whether it takes a person for anything to happen again, or nothing ever will. */
export const hasEnded = (state: TransferState): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled'

/** What a transfer's row says when nothing of an attempt is left to tell of. */
export const fresh = {
  ...{ waitingFor: null, nextAttemptAt: null, problem: null, conflicts: [], attempts: 0 }
} as const

type Change = (transfer: StoredTransfer) => Partial<StoredTransfer> | null

interface Parts {
  readonly db: Db
  readonly events: Events
  readonly log: Log
  readonly now: () => number
}

/** Transfers as they are kept, how far those are that run, and the telling of whatever changes. */
export class Book {
  readonly table: TransferTable
  readonly steps: TransferStepTable
  readonly now: () => number
  readonly #parts: Parts
  readonly #moving = new Map<string, Moving>()
  readonly #unsaved = new Map<string, NodeJS.Timeout>()
  #looks: ReadonlyMap<string, string> | null = null
  #version = 0
  #closed = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.now = parts.now
    this.table = transferTable(parts.db)
    this.steps = transferStepTable(parts.db)
  }

  /** Another number whenever this process changed a row; progress aside. */
  get version(): number {
    return this.#version
  }

  existing(id: string): StoredTransfer {
    const transfer = this.table.get(id)
    if (!transfer)
      throw new Problem('missing', 'This transfer is not in the list any more; it was removed from there.')
    return transfer
  }

  /** The request of one that is there, and can be read. */
  requestOf({ request }: StoredTransfer): SyncRequest {
    if (!request) throw new Problem('invalid', ...unreadable)
    return request
  }

  /** Carries out all of it or nothing, and tells of those it changed once that is saved, by whoever saves it. */
  change<T>(work: (put: (transfer: StoredTransfer) => void) => T, save = write): T {
    const changed = new Set<string>()
    const result = save(this.#parts.db, () => {
      let anyEnded = false
      const put = (transfer: StoredTransfer): void => {
        this.table.put(this.#settled(transfer))
        changed.add(transfer.id)
        anyEnded ||= hasEnded(transfer.state)
      }
      const result = work(put)
      if (anyEnded) for (const id of this.#forgetSurplus()) changed.add(id)
      return result
    })
    this.tell(changed)
    return result
  }

  /** Changes one that is still there; `change` answers null to leave it. Tells what it is now, or null. */
  update(id: string, change: Change, save = write): StoredTransfer | null {
    return this.updateAll([id], change, save)[0] ?? null
  }

  /** The same for many, in one transaction; those that were left are left out. */
  updateAll(ids: readonly string[], change: Change, save = write): StoredTransfer[] {
    if (ids.length === 0) return []
    return this.change(
      (put) =>
        ids.flatMap((id) => {
          const transfer = this.table.get(id)
          const changes = transfer && change(transfer)
          if (!transfer || !changes) return []
          const after = { ...transfer, ...changes }
          put(after)
          return [after]
        }),
      save
    )
  }

  /** The same as update(), for what has happened already: when it cannot be saved now, it is tried again until it can. */
  note(id: string, change: Change): void {
    clearTimeout(this.#unsaved.get(id))
    this.#unsaved.delete(id)
    if (this.#closed) return
    try {
      this.update(id, change)
    } catch (error) {
      this.#parts.log.error(`what became of the transfer ${id} could not be saved; it is tried again`, error)
      this.#unsaved.set(id, setTimeout(() => this.note(id, change), pause).unref())
    }
  }

  /** Those of which it could not be saved yet what became of them: their rows say something else. */
  unsaved(): string[] {
    return [...this.#unsaved.keys()]
  }

  /** Tells of those that are others than when this was called last, or gone: another process may have changed them. */
  tellOfOthers(): void {
    const before = this.#looks
    this.#looks = this.table.looks(mostLookedAt)
    if (!before) return
    const changed = [...this.#looks].filter(([id, look]) => before.get(id) !== look).map(([id]) => id)
    const gone = [...before.keys()].filter((id) => !this.#looks?.has(id))
    this.tell([...changed, ...gone])
  }

  remove(ids: readonly string[]): void {
    write(this.#parts.db, () => {
      for (const id of ids) this.table.remove(id)
    })
    this.tell(ids)
  }

  /** Bytes of a step begin to go over. */
  begin(id: string, ordinal: number, from: number): void {
    const now = this.now()
    const speed = new TransferSpeed(now)
    this.#moving.set(id, { ordinal, speed, from, bytes: from, toldAt: now, savedAt: now })
  }

  progress(id: string, bytes: number): void {
    const moving = this.#moving.get(id)
    if (!moving) return
    const now = this.now()
    moving.bytes = bytes
    moving.speed.note(Math.max(0, bytes - moving.from), now)
    if (now - moving.savedAt >= saveEvery) {
      moving.savedAt = now
      this.#save(id, moving)
    }
    if (now - moving.toldAt < tellEvery) return
    moving.toldAt = now
    this.tell([id])
  }

  /** They no longer do; those that are over are kept. Tells how many came over meanwhile. */
  end(id: string): number {
    const moving = this.#moving.get(id)
    if (!moving) return 0
    this.#moving.delete(id)
    this.#save(id, moving)
    return moving.bytes - moving.from
  }

  /** Of the step whose bytes are going over, if there is one. */
  movingOf(id: string): { ordinal: number; bytes: number; bytesPerSecond: number | null } | null {
    const moving = this.#moving.get(id)
    if (!moving) return null
    const { ordinal, bytes, speed } = moving
    return { ordinal, bytes, bytesPerSecond: speed.at(this.now()) }
  }

  /** Bytes that are over and not saved yet, and how fast all of them go. */
  movement(): { readonly unsaved: number; readonly bytesPerSecond: number | null } {
    let [unsaved, bytesPerSecond]: [number, number | null] = [0, null]
    for (const [id, { ordinal, bytes, speed }] of this.#moving) {
      unsaved += bytes - (this.steps.bytesDone(id, ordinal) ?? bytes)
      const one = speed.at(this.now())
      if (one !== null) bytesPerSecond = (bytesPerSecond ?? 0) + one
    }
    return { unsaved, bytesPerSecond }
  }

  /** Within a transaction of somebody else's: told once that has ended, in whatever way. */
  tell(ids: Iterable<string>): void {
    const told = [...ids]
    if (told.length === 0) return
    this.#version += 1
    const emit = (): void => {
      for (const id of told) this.#parts.events.emit('transfer-changed', { id })
    }
    if (this.#parts.db.inTransaction) queueMicrotask(emit)
    else emit()
  }

  /** Leaves what could not be saved to the next start, which finds out again. */
  close(): void {
    this.#closed = true
    for (const timer of this.#unsaved.values()) clearTimeout(timer)
  }

  #save(id: string, { ordinal, bytes }: Moving): void {
    try {
      writeLightly(this.#parts.db, () => this.steps.setBytes(id, ordinal, bytes))
    } catch (error) {
      this.#parts.log.error(`how far the transfer ${id} is could not be saved`, error)
    }
  }

  #settled(transfer: StoredTransfer): StoredTransfer {
    if (!hasEnded(transfer.state)) return { ...transfer, finishedAt: null }
    return { ...transfer, finishedAt: transfer.finishedAt ?? this.now() }
  }

  #forgetSurplus(): string[] {
    const surplus = [
      ...this.table.surplus(['done', 'cancelled'], endedKept),
      ...this.table.surplus(['failed'], failedKept)
    ]
    for (const id of surplus) this.table.remove(id)
    return surplus
  }
}

/** Of a row that nobody can read any more. */
export const unreadable = [
  'What this transfer was to do cannot be read any more: it was written by another version of the program, or is damaged.',
  'Remove it from the list, and start it once more.'
] as const
