import type { Settings } from '../../contract/settings.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../store/open.ts'
import { writesElsewhere } from '../../store/revision.ts'
import type { StoredTransfer } from '../../store/transfers.ts'
import type { Connections } from '../connections.ts'
import { RemoteFailure } from '../failure.ts'
import type { Planning } from '../planning.ts'
import { hasEnded, unreadable, type Book } from './book.ts'
import { Engine, type Candidate, type EngineClock } from './engine.ts'
import { NetworkWatch } from './network.ts'
import { nextAt, nextCandidate } from './next.ts'
import { isFault, outcomeOf, unbegun, type Attempt } from './outcome.ts'
import { Overdue } from './overdue.ts'
import { Recorder } from './recorder.ts'
import { dropStagedOf, recoverTransfers } from './recovery.ts'
import { runTransfer } from './run.ts'
import { RunStopped, type StopReason } from './stopping.ts'
import { Throttle } from './throttle.ts'

/** For what other processes did, in milliseconds. */
const lookEvery = 1000
/** What a run may still write down once it was told to stop. */
const lastWords = 3000
/** One remote gets no more at the same time. */
const perRemote = 4

/** What carrying out transfers needs. */
export interface CarryingParts {
  readonly book: Book
  readonly db: Db
  readonly connections: Pick<Connections, 'open' | 'answered' | 'failed' | 'pausedUntil'>
  readonly planning: Pick<Planning, 'prepare'>
  readonly log: Log
  readonly settings: () => Pick<Settings, 'parallelTransfers' | 'uploadLimit' | 'downloadLimit'>
  /** Has the settings read again, which another process may have changed. */
  readonly lookAtSettings: () => void
  readonly maintenance: () => boolean
  readonly held: () => boolean
  readonly dropStaged: (id: string) => Promise<void>
  readonly clock?: EngineClock
  /** Has something done again and again; returns what ends it. */
  readonly every?: (work: () => void, ms: number) => () => void
  /** From 0 to below 1. */
  readonly random?: () => number
  /** See NetworkWatch. */
  readonly fingerprint?: () => string
}

const repeatedly = (work: () => void, ms: number): (() => void) => {
  const timer = setInterval(work, ms).unref()
  return () => clearInterval(timer)
}

const isGoing = ({ state }: StoredTransfer): boolean => state === 'running' || state === 'verifying'

/** Carries out what waits, in the one process that does so for the folder. */
export class Carrying {
  readonly #parts: CarryingParts
  readonly #engine: Engine
  readonly #network: NetworkWatch
  readonly #overdue: Overdue
  readonly #throttles: Readonly<Record<StoredTransfer['direction'], Throttle>>
  readonly #elsewhere: () => number | undefined
  /** How often the bytes of a transfer arrived damaged. */
  readonly #damaged = new Map<string, number>()
  #only: ReadonlySet<string> | null = null
  #seen: number | undefined
  #limits = ''
  #endLooking = (): void => {}
  #started: Promise<void> | null = null
  #closed = false
  #kickIsDue = false

  constructor(parts: CarryingParts) {
    this.#parts = parts
    const { book, db, connections, log, settings, fingerprint } = parts
    this.#elsewhere = writesElsewhere(db)
    this.#network = new NetworkWatch({ book, ...(fingerprint && { fingerprint }) })
    this.#overdue = new Overdue(book)
    this.#throttles = {
      publish: new Throttle(() => settings().uploadLimit),
      pull: new Throttle(() => settings().downloadLimit)
    }
    const pausedUntil = (remoteId: number): number | null => connections.pausedUntil(remoteId)
    const bounds = { closed: () => this.#mayNot(), only: () => this.#only }
    this.#engine = new Engine({
      parallel: () => settings().parallelTransfers,
      perRemote,
      next: (busy) => nextCandidate(book, busy, bounds),
      nextAt: () => (this.#mayNot() ? null : nextAt(book, pausedUntil)),
      pausedUntil,
      run: (candidate, signal) => this.#run(candidate, signal),
      park: (id, error) =>
        book.note(id, (now) => (hasEnded(now.state) ? null : unbegun(error, this.#attempt(now, false)))),
      clock: parts.clock ?? {
        now: book.now,
        setTimeout: (work, ms) => setTimeout(work, ms).unref(),
        clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined)
      },
      log
    })
  }

  start(only: readonly string[] | null): Promise<void> {
    this.#only = only && new Set(only)
    return (this.#started ??= this.#start())
  }

  isRunning(id: string): boolean {
    return this.#engine.isRunning(id)
  }

  stop(id: string, why: StopReason): Promise<boolean> {
    return this.#engine.stop(id, why)
  }

  /** Once what is being done now is saved: rows may have been added within a transaction that is still open. */
  kickSoon(): void {
    if (this.#kickIsDue) return
    this.#kickIsDue = true
    queueMicrotask(() => {
      this.#kickIsDue = false
      this.#engine.kick()
    })
  }

  /** What waits for a remote, or for the network, is tried now. */
  encourage(remoteId: number | null): void {
    if (!this.#engine.isOpen || this.#closed) return
    this.#network.bringForward((id) => remoteId === null || id === remoteId)
    this.#obeyLimits()
    this.kickSoon()
  }

  /** What waits for one that answers again goes on; what is on its way to or from one that was removed does not. */
  remoteChanged(remoteId: number): void {
    if (!this.#engine.isOpen || this.#closed) return
    if (this.#parts.book.table.remoteHealth(remoteId) === 'fine') this.#network.reached(remoteId)
    for (const id of this.#engine.runningIds())
      if (this.#parts.book.table.get(id)?.remoteId === null) void this.#engine.stop(id, 'parked')
    this.kickSoon()
  }

  /** Does what a hold or maintenance asks for, or goes on after it. */
  async obey(): Promise<void> {
    if (this.#mayNot()) await this.#engine.stopAll('parked')
    else this.kickSoon()
  }

  /** Resolves within some seconds, whatever a remote does. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#started?.catch(() => {}) // whoever started it has heard of that
    this.#endLooking()
    await this.#engine.close()
  }

  async #start(): Promise<void> {
    const { book, dropStaged } = this.#parts
    await recoverTransfers(book, dropStaged)
    if (this.#closed) return
    this.#seen = this.#elsewhere()
    this.#endLooking = (this.#parts.every ?? repeatedly)(() => this.#look(), lookEvery)
    this.#engine.start()
  }

  #mayNot(): boolean {
    return this.#closed || this.#parts.maintenance() || this.#parts.held()
  }

  /** Notices what other processes did: rows they added or stopped, a hold, a restore. */
  #look(): void {
    try {
      const isOverdue = this.#overdue.look()
      let mayGoOn = this.#network.look() || isOverdue
      const now = this.#elsewhere()
      const isElsewhere = now !== this.#seen
      if (isElsewhere) this.#parts.lookAtSettings()
      this.#obeyLimits()
      if (isElsewhere) {
        this.#seen = now
        mayGoOn = true
        if (this.#mayNot()) void this.#engine.stopAll('parked')
        else this.#stopUnwanted()
      }
      if (mayGoOn) this.#engine.kick()
    } catch (error) {
      this.#parts.log.error('what others did to transfers could not be looked at', error)
    }
  }

  #stopUnwanted(): void {
    for (const id of this.#engine.runningIds()) {
      const transfer = this.#parts.book.table.get(id)
      if (transfer && isGoing(transfer)) continue
      void this.#engine.stop(id, transfer?.state === 'paused' ? 'paused' : 'cancelled')
    }
  }

  #obeyLimits(): void {
    const { uploadLimit, downloadLimit, parallelTransfers } = this.#parts.settings()
    const limits = JSON.stringify([uploadLimit, downloadLimit, parallelTransfers])
    if (limits === this.#limits) return
    this.#limits = limits
    for (const throttle of Object.values(this.#throttles)) throttle.changed()
    this.kickSoon()
  }

  async #run({ id, remoteId }: Candidate, signal: AbortSignal): Promise<void> {
    const { book, connections, planning, dropStaged } = this.#parts
    const begun = book.update(id, ({ state }) =>
      state === 'queued'
        ? { state: 'running', waitingFor: null, nextAttemptAt: null, problem: null, conflicts: [] }
        : null
    )
    if (!begun) return
    const { request } = begun
    if (!request) return book.note(id, () => ({ state: 'failed', problem: unreadable }))
    const recorder = new Recorder(book, id)
    const giveUp = (): void => void setTimeout(() => recorder.leave(), lastWords).unref()
    signal.addEventListener('abort', giveUp, { once: true })
    const parts = {
      ...{ connections, planning, dropStaged, throttles: this.#throttles },
      onReached: (reached: number) => {
        if (this.#network.reached(reached)) this.kickSoon()
      },
      checkMayGo: () => {
        if (this.#mayNot()) throw new RunStopped('parked')
      }
    }
    try {
      await runTransfer(parts, begun, request, recorder, signal)
      recorder.leave()
      this.#damaged.delete(id)
      book.note(id, (now) => (isGoing(now) ? { state: 'done', attempts: 0 } : null))
    } catch (error) {
      recorder.leave()
      if (this.#closed && signal.aborted) this.#park(id)
      else if (signal.aborted || error instanceof RunStopped) await this.#stopped(id)
      else this.#failed(begun, remoteId, error, recorder.progressed)
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  #park(id: string): void {
    const { book } = this.#parts
    book.note(id, (now) => {
      if (!isGoing(now)) return null
      book.steps.settle(id)
      return { state: 'queued' }
    })
  }

  async #stopped(id: string): Promise<void> {
    const { book, dropStaged } = this.#parts
    this.#park(id)
    book.steps.settle(id)
    const row = book.table.get(id)
    // Without its remote it never goes on.
    if (row?.state === 'cancelled' || row?.remoteId === null) await dropStagedOf(book, id, dropStaged)
  }

  #attempt({ id, attempts, remoteId }: StoredTransfer, progressed: boolean): Attempt {
    const { book, connections, random = Math.random } = this.#parts
    return {
      ...{ attempts, progressed, damaged: this.#damaged.get(id) ?? 0, now: book.now(), random: random() },
      pausedUntil: remoteId === null ? null : connections.pausedUntil(remoteId),
      overNetwork: remoteId === null || book.table.remoteKind(remoteId) !== 'folder'
    }
  }

  #failed(transfer: StoredTransfer, remoteId: number, error: unknown, progressed: boolean): void {
    const { book, connections, log } = this.#parts
    const { id } = transfer
    if (error instanceof RemoteFailure) {
      connections.failed(remoteId, error)
      if (error.kind === 'offline') this.#network.lost(remoteId)
      if (error.kind === 'damaged') this.#damaged.set(id, (this.#damaged.get(id) ?? 0) + 1)
    }
    const outcome = outcomeOf(error, this.#attempt(transfer, progressed))
    if (isFault(error)) log.error(`the transfer ${id} could not be carried out`, error)
    if (outcome.state === 'failed') this.#damaged.delete(id)
    book.note(id, (now) => {
      if (!isGoing(now)) return null
      book.steps.settle(id)
      return outcome
    })
  }
}
