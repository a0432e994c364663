import type { ConflictChoice, SyncRequest } from '../../contract/sync.ts'
import type { ImageRef } from '../../contract/words.ts'
import type { RemoteTransfer, TransferStep } from '../../contract/transfers.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Events } from '../../catalog/events.ts'
import { Problem } from '../../domain/problem.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../store/open.ts'
import { writesElsewhere } from '../../store/revision.ts'
import { settingsTable } from '../../store/settings.ts'
import type { StoredTransfer } from '../../store/transfers.ts'
import type { Planning } from '../planning.ts'
import type { Connections } from '../connections.ts'
import { activityOf, type TransfersActivity } from './activity.ts'
import { addRequests } from './adding.ts'
import { Book, fresh, hasEnded } from './book.ts'
import { Carrying, type CarryingParts } from './carrying.ts'
import { decided } from './deciding.ts'
import { dropStagedOf, recoverTransfers } from './recovery.ts'
import type { StopReason } from './stopping.ts'
import { stepsOf, viewOf } from './views.ts'

export type { TransfersActivity } from './activity.ts'

/** More rows than that nobody looks at; what needs the person is among them. */
const mostShown = 1000

interface Parts {
  readonly db: Db
  readonly connections: Pick<Connections, 'open' | 'answered' | 'failed' | 'pausedUntil'>
  readonly planning: Pick<Planning, 'prepare'>
  readonly events: Events
  readonly log: Log
  readonly settings: () => Pick<Settings, 'parallelTransfers' | 'uploadLimit' | 'downloadLimit'>
  readonly lookAtSettings: () => void
  readonly maintenance: () => boolean
  /** Bytes on their way in that nobody will ask for any more. */
  readonly blobs: { dropStaged(id: string): Promise<void> }
  /** Of whose boxes one is a mirror; null for an own one. */
  readonly mirrored: { remoteOf(organization: string, box: string): number | null }
  readonly now?: () => number
  /** Of tests. */
  readonly carrying?: Pick<CarryingParts, 'clock' | 'every' | 'random' | 'fingerprint'>
}

/** Boxes on their way between here and remotes: rows that survive anything, and the queue that carries them out. */
export class RemoteTransfers {
  readonly #parts: Parts
  readonly #book: Book
  readonly #carrying: Carrying
  readonly #settings: ReturnType<typeof settingsTable>
  readonly #elsewhere: () => number | undefined
  #seen: number | undefined
  #activity: { readonly version: number; readonly value: TransfersActivity } | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    const { db, events, log, connections, planning, blobs, now = Date.now } = parts
    const { settings, lookAtSettings, maintenance } = parts
    this.#book = new Book({ db, events, log, now })
    this.#settings = settingsTable(db)
    this.#elsewhere = writesElsewhere(db)
    events.on('remote-changed', ({ id }) => this.#carrying.remoteChanged(id))
    this.#carrying = new Carrying({
      ...{ book: this.#book, db, connections, planning, log, settings, lookAtSettings, maintenance },
      ...parts.carrying,
      dropStaged: (id) => blobs.dropStaged(id),
      held: () => this.held()
    })
  }

  /**
   * Goes on where the last run ended. For the one process that carries out the folder's transfers, see takeTransfersLock.
   * With `only`, nothing else is carried out.
   */
  start(only: readonly string[] | null = null): Promise<void> {
    return this.#carrying.start(only)
  }

  /** Puts in order what the process left that carried them out before. For whoever holds the transfers lock. */
  recover(): Promise<void> {
    return recoverTransfers(this.#book, (stagedId) => this.#parts.blobs.dropStaged(stagedId))
  }

  /** Tells of what other processes changed; to be called once a second or so. */
  look(): void {
    const now = this.#elsewhere()
    if (now === this.#seen) return
    this.#seen = now
    this.#book.tellOfOthers()
  }

  /** The newest first. */
  list(): RemoteTransfer[] {
    return this.#book.table.shown(mostShown).map((transfer) => this.#shown(transfer))
  }

  find(id: string): RemoteTransfer | null {
    const transfer = this.#book.table.get(id)
    return transfer && this.#shown(transfer)
  }

  /** What one consists of, in its order; of very many, those around the one that is carried out. */
  steps(id: string): TransferStep[] {
    return stepsOf(this.#book, this.#book.existing(id))
  }

  /**
   * Adds rows, also without a network. One of the same remote, box and direction that waits already is widened instead
   * of doubled. May be called within a transaction: then they are there exactly if that is saved.
   */
  add(requests: readonly SyncRequest[], { byMirror = false } = {}): RemoteTransfer[] {
    const ids = addRequests(this.#book, requests, { byMirror })
    this.#carrying.kickSoon()
    return ids.flatMap((id) => this.find(id) ?? [])
  }

  /** Brings the bytes of a known image here. */
  fetch({ organization, box, version, provider, architecture }: ImageRef): RemoteTransfer {
    const remoteId = this.#parts.mirrored.remoteOf(organization, box)
    if (remoteId === null)
      throw new Problem(
        'invalid',
        `"${organization}/${box}" is no mirror of a remote's box, so there is nothing to fetch.`
      )
    const image = { provider, architecture }
    const [transfer] = this.add(
      [{ direction: 'pull', remoteId, organization, box, version, image, images: 'all' }],
      { byMirror: true }
    )
    if (!transfer) throw new Error('a transfer that was added is not there')
    return transfer
  }

  async pause(ids: readonly string[]): Promise<void> {
    this.#changeThose(ids, ({ state }) =>
      hasEnded(state) || state === 'paused'
        ? null
        : { state: 'paused', waitingFor: null, nextAttemptAt: null }
    )
    await this.#stop(ids, 'paused')
  }

  resume(ids: readonly string[]): void {
    this.#changeThose(ids, ({ state }) => (state === 'paused' ? { ...fresh, state: 'queued' } : null))
    this.#carrying.kickSoon()
  }

  /** Ends them, and keeps nothing of bytes that did not arrive whole. What was published stays. */
  async cancel(ids: readonly string[]): Promise<void> {
    const elsewhere = new Set(
      ids.filter((id) => {
        const { state } = this.#book.existing(id)
        return (state === 'running' || state === 'verifying') && !this.#carrying.isRunning(id)
      })
    )
    this.#changeThose(ids, ({ state }) =>
      state === 'done' || state === 'cancelled' ? null : { ...fresh, state: 'cancelled' }
    )
    await this.#stop(ids, 'cancelled')
    // Whoever carries one out drops what it was writing itself.
    for (const id of ids) if (!elsewhere.has(id) && !this.#carrying.isRunning(id)) await this.#dropStaged(id)
  }

  /** Those that failed or were cancelled from where they are, and those that wait at once. */
  retry(ids: readonly string[]): void {
    const { last } = this.#book.table.positions()
    let position = last
    this.#changeThose(ids, ({ state, remoteId, remoteName }) => {
      if (state === 'waiting') return { ...fresh, state: 'queued' }
      if (state !== 'failed' && state !== 'cancelled') return null
      if (remoteId === null)
        throw new Problem(
          'missing',
          `"${remoteName}" is no longer among the remotes, so this cannot be tried again.`
        )
      position += 1
      return { ...fresh, state: 'queued', position }
    })
    this.#carrying.kickSoon()
  }

  /** Forgets those that have ended. */
  dismiss(ids: readonly string[]): void {
    const ended = ids.filter((id) => {
      const transfer = this.#book.table.get(id)
      return transfer && hasEnded(transfer.state) && !this.#carrying.isRunning(id)
    })
    const staged = ended.flatMap((id) => this.#book.steps.stagedOf(id))
    this.#book.remove(ended)
    for (const id of staged)
      this.#parts.blobs
        .dropStaged(id)
        .catch((error: unknown) =>
          this.#parts.log.error(`the staged bytes ${id} could not be dropped`, error)
        )
  }

  /** Has one that has still to begin go before, or after, the one next to it, or before all others. */
  move(id: string, direction: 'up' | 'down' | 'top'): void {
    const { state, position } = this.#book.existing(id)
    if (!['queued', 'waiting', 'paused'].includes(state)) return
    if (direction === 'top') {
      const { first } = this.#book.table.positions()
      this.#book.update(id, () => ({ position: first - 1 }))
    } else {
      const other = this.#book.table.neighbour(position, direction)
      if (!other) return
      this.#book.updateAll([id, other.id], (transfer) => ({
        position: transfer.id === id ? other.position : position
      }))
    }
    this.#carrying.kickSoon()
  }

  /** Answers its conflicts, and goes on. */
  decide(id: string, choices: Readonly<Record<string, ConflictChoice>>): RemoteTransfer {
    this.#book.change((put) => {
      const { transfer, pull } = decided(this.#book, this.#book.existing(id), choices)
      put(transfer)
      if (pull) addRequests(this.#book, [pull], { byMirror: false })
    })
    this.#carrying.kickSoon()
    return this.#shown(this.#book.existing(id))
  }

  held(): boolean {
    return this.#settings.get('transfersHeld') === true
  }

  async hold(held: boolean): Promise<void> {
    this.#settings.set('transfersHeld', held || null)
    // Whoever is told of one reads that as well.
    this.#book.tell(this.#book.table.looks(1).keys())
    await this.#carrying.obey()
  }

  /** To be called when something may be possible that was not: the network is back, a remote answered, a setting changed. */
  kick(why: { readonly remoteId?: number } = {}): void {
    this.#carrying.encourage(why.remoteId ?? null)
  }

  activity(): TransfersActivity {
    const { version } = this.#book
    if (this.#activity?.version !== version) this.#activity = { version, value: activityOf(this.#book) }
    return this.#activity.value
  }

  /** Parks what runs; it goes on after the next start. Resolves within some seconds, whatever a remote does. */
  async close(): Promise<void> {
    await this.#carrying.close()
    this.#book.close()
  }

  #shown(transfer: StoredTransfer): RemoteTransfer {
    return viewOf(this.#book, transfer, (remoteId) => this.#parts.connections.pausedUntil(remoteId))
  }

  /** Refuses ids that are not there when they are meant alone; of many, others may be faster. */
  #changeThose(
    ids: readonly string[],
    change: (transfer: StoredTransfer) => Partial<StoredTransfer> | null
  ): void {
    const [only, ...others] = ids
    if (only !== undefined && others.length === 0) this.#book.existing(only)
    this.#book.updateAll(ids, change)
  }

  async #stop(ids: readonly string[], why: StopReason): Promise<void> {
    await Promise.all(ids.map((id) => this.#carrying.stop(id, why)))
  }

  async #dropStaged(id: string): Promise<void> {
    await dropStagedOf(this.#book, id, (stagedId) => this.#parts.blobs.dropStaged(stagedId))
  }
}
