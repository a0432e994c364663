import type { Readable } from 'node:stream'
import type { Accounts } from '../../access/accounts.ts'
import type { BlobDriver } from '../../blobs/driver.ts'
import type { Added, Arrival, ArrivalDraft, ArrivalPlan } from '../../contract/arrivals.ts'
import { Problem } from '../../domain/problem.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../store/open.ts'
import type { Events } from '../events.ts'
import type { Placing } from '../placing.ts'
import { Drafting } from './drafting.ts'
import { ArrivalIntake, type SaidOfDraft } from './intake.ts'
import { hasEnded, Ledger, type ArrivalsActivity } from './ledger.ts'
import { ArrivalPublishing } from './publishing.ts'
import { Queue } from './queue.ts'
import { ArrivalReading } from './reading.ts'
import { recoverArrivals } from './recovery.ts'

interface Parts {
  readonly db: Db
  readonly accounts: Accounts
  readonly blobs: BlobDriver
  readonly placing: Placing
  readonly events: Events
  readonly log: Log
  /** How many files are read at the same time. */
  readonly parallelReads?: () => number
  /** Whether the catalogue must not be changed now: another one is being put in its place. */
  readonly maintenance?: () => boolean
  /** Queues what is to go on to remotes, in the transaction that publishes it here. */
  readonly alsoPublish?: (draft: ArrivalDraft) => void
  readonly now?: () => number
}

/** Box files on their way in, from the moment they are dropped until they are published. */
export class Arrivals {
  readonly #blobs: BlobDriver
  readonly #ledger: Ledger
  readonly #drafting: Drafting
  readonly #intake: ArrivalIntake
  readonly #reading: ArrivalReading
  readonly #publishing: ArrivalPublishing
  readonly #queue: Queue
  #started: Promise<void> | null = null

  constructor(parts: Parts) {
    const { db, accounts, blobs, placing, events, log } = parts
    const { parallelReads = () => 1, maintenance = () => false } = parts
    const { alsoPublish = () => {}, now = Date.now } = parts
    this.#blobs = blobs
    const ledger = new Ledger({ db, events, log, now })
    const drafting = new Drafting({ db, accounts })
    this.#ledger = ledger
    this.#drafting = drafting
    this.#intake = new ArrivalIntake({ ledger, drafting, now })
    this.#reading = new ArrivalReading({ ledger, drafting, blobs, log })
    this.#publishing = new ArrivalPublishing({
      ledger,
      drafting,
      blobs,
      placing,
      maintenance,
      alsoPublish,
      log
    })
    this.#queue = new Queue({
      parallel: parallelReads,
      next: () => ledger.table.firstWaiting(),
      run: async (id, signal) => {
        await this.#reading.path(id, signal)
        this.#publishConfirmed([id])
      },
      log
    })
  }

  /** Goes on where the last run ended. For the one process that serves the folder; nothing is read before. */
  start(): Promise<void> {
    return (this.#started ??= this.#start())
  }

  /** To be called when more files may be read at the same time than before. */
  readMore(): void {
    this.#queue.kick()
  }

  /** Everything on its way in and what has ended lately, the newest first. */
  list(): Arrival[] {
    return this.#ledger.table.all().map((arrival) => this.#ledger.shown(arrival))
  }

  find(id: string): Arrival | null {
    const arrival = this.#ledger.table.get(id)
    return arrival && this.#ledger.shown(arrival)
  }

  /** Files, and folders with the box files in them. One that is on its way already is not added twice. */
  async addPaths(paths: readonly string[], said: SaidOfDraft = {}): Promise<Added> {
    const { ids, refused } = await this.#intake.paths(paths, said, () => this.#queue.kick())
    return { arrivals: this.#shown(ids), refused }
  }

  /** A file that stays where it is. */
  addUrl(url: string, said: SaidOfDraft = {}): Arrival {
    return this.#ledger.shown(this.#intake.url(url, said))
  }

  /** A file whose bytes are sent, under an id its sender chose; resolves once it has arrived whole. */
  async receive(
    id: string,
    fileName: string,
    body: Readable,
    options: {
      readonly length?: number | null | undefined
      readonly draft?: SaidOfDraft | undefined
      readonly signal?: AbortSignal | undefined
    } = {}
  ): Promise<Arrival> {
    const { length = null, draft = {}, signal } = options
    const arrival = this.#intake.stream(id, fileName, length, draft)
    try {
      await this.#reading.stream(arrival, body, { length, signal })
    } catch (error) {
      if (error instanceof Problem) throw error
      throw new Problem('invalid', ...(this.#ledger.table.get(id)?.problem ?? ['The file did not arrive.']))
    }
    this.#publishConfirmed([id])
    return this.#ledger.shown(this.#ledger.existing(id))
  }

  /** What the person says of it; the rest is proposed anew. */
  change(id: string, said: SaidOfDraft): Arrival {
    const { state } = this.#ledger.existing(id)
    if (state === 'publishing' || state === 'published' || state === 'cancelled')
      throw new Problem('conflict', `This file ${stateWords[state]}, so nothing can be said of it any more.`)
    const changed = this.#ledger.update(id, (arrival) => ({
      ...this.#drafting.propose(arrival, said),
      // What was wrong may be right now.
      ...(state === 'ready' && { problem: null })
    }))
    return this.#ledger.shown(changed ?? this.#ledger.existing(id))
  }

  /** What publishing it would do now. */
  plan(id: string): ArrivalPlan {
    return this.#drafting.plan(this.#ledger.existing(id))
  }

  /**
   * Publishes what is ready, and what is not as soon as it is; resolves once all that were ready are published, or kept
   * with the reason why not. Of a single one, that reason is thrown as well.
   */
  async publish(ids: readonly string[]): Promise<Arrival[]> {
    const unfit = ids
      .map((id) => this.#ledger.existing(id))
      .find(({ state }) => state === 'failed' || state === 'cancelled')
    if (unfit)
      throw new Problem('conflict', `"${unfit.fileName}" ${stateWords[unfit.state]}; try it again first.`)
    this.#ledger.updateAll(ids, ({ state, confirmed }) =>
      !confirmed && (state === 'waiting' || state === 'reading') ? { confirmed: true } : null
    )
    await this.#publishing.publish(ids)
    const [only, ...others] = this.#shown(ids)
    if (only?.problem && others.length === 0) throw new Problem('invalid', ...only.problem)
    return this.#shown(ids)
  }

  /** Ends it, and keeps nothing of its bytes. */
  async cancel(id: string): Promise<Arrival> {
    this.#ledger.existing(id)
    await this.#queue.stop(id)
    await this.#reading.stopStream(id)
    const { state } = this.#ledger.existing(id)
    if (state === 'publishing' || state === 'published')
      throw new Problem('conflict', `This file ${stateWords[state]}, so it cannot be cancelled any more.`)
    let stagedId: string | null = null
    const cancelled = this.#ledger.update(id, (arrival) => {
      stagedId = arrival.stagedId
      return { state: 'cancelled', confirmed: false, stagedId: null, digest: null, problem: null }
    })
    if (stagedId !== null) await this.#blobs.dropStaged(stagedId)
    this.#queue.kick()
    return this.#ledger.shown(cancelled ?? this.#ledger.existing(id))
  }

  /** Starts one from the beginning that has failed or was cancelled. */
  retry(id: string): Arrival {
    const arrival = this.#ledger.existing(id)
    if (arrival.kind === 'stream') throw new Problem('conflict', 'The file has to be dropped again.')
    if (arrival.state !== 'failed' && arrival.state !== 'cancelled')
      throw new Problem('conflict', `This file ${stateWords[arrival.state]}; there is nothing to try again.`)
    this.#intake.checkRoom()
    const twin = arrival.kind === 'path' ? this.#ledger.table.onItsWayFrom(arrival.origin) : null
    if (twin) throw new Problem('conflict', 'The same file was added once more and is on its way already.')
    const again = this.#ledger.update(id, () => ({
      state: arrival.kind === 'url' ? 'ready' : 'waiting',
      position: this.#ledger.table.nextPosition(),
      problem: null
    }))
    this.#queue.kick()
    return this.#ledger.shown(again ?? this.#ledger.existing(id))
  }

  /** Has one that waits read before, or after, the one that is next to it in the order. */
  move(id: string, direction: 'up' | 'down'): void {
    const { state, position } = this.#ledger.existing(id)
    const other = state === 'waiting' ? this.#ledger.table.neighbour(position, direction) : null
    if (!other) return
    this.#ledger.updateAll([id, other.id], (arrival) => ({
      position: arrival.id === id ? other.position : position
    }))
  }

  /** Forgets those that have ended. */
  dismiss(ids: readonly string[]): void {
    const ended = ids.filter((id) => {
      const arrival = this.#ledger.table.get(id)
      return arrival && hasEnded(arrival.state)
    })
    this.#ledger.remove(ended)
  }

  /** What quitting now would interrupt; files of this machine are read again after the next start, others are not. */
  running(): Arrival[] {
    return (['reading', 'publishing'] as const).flatMap((state) =>
      this.#ledger.table.inState(state).map((arrival) => this.#ledger.shown(arrival))
    )
  }

  activity(): ArrivalsActivity {
    return this.#ledger.activity()
  }

  /** Ends what runs: files of this machine wait for the next start. */
  async close(): Promise<void> {
    await this.#started?.catch(() => {}) // whoever started it has heard of that
    await Promise.all([this.#queue.close(), this.#reading.close()])
    await this.#publishing.close()
    this.#ledger.close()
  }

  async #start(): Promise<void> {
    await recoverArrivals({ ledger: this.#ledger, publishing: this.#publishing, blobs: this.#blobs })
    this.#publishConfirmed(this.#ledger.table.inState('ready').map(({ id }) => id))
    this.#queue.start()
  }

  /** What goes wrong is noted. */
  #publishConfirmed(ids: readonly string[]): void {
    const confirmed = ids.filter((id) => {
      const arrival = this.#ledger.table.get(id)
      return arrival?.state === 'ready' && arrival.confirmed
    })
    if (confirmed.length > 0) void this.#publishing.publish(confirmed)
  }

  #shown(ids: readonly string[]): Arrival[] {
    return ids.map((id) => this.find(id)).filter((arrival) => arrival !== null)
  }
}

const stateWords: Readonly<Record<Arrival['state'], string>> = {
  waiting: 'waits to be read',
  reading: 'is being read',
  ready: 'is ready',
  publishing: 'is being published',
  published: 'has been published',
  failed: 'has failed',
  cancelled: 'was cancelled'
}
