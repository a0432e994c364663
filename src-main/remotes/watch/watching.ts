import type { Elsewhere, RemoteBoxPage, RemoteBoxQuery } from '../../contract/standings.ts'
import type { Events } from '../../catalog/events.ts'
import { tagKey } from '../../domain/names.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../store/open.ts'
import { remoteBoxViews, type RemoteBoxViews } from '../../store/remote-box-views.ts'
import { remoteTable, type RemoteRow, type RemoteTable } from '../../store/remotes.ts'
import { standingTable, type StandingTable } from '../../store/standings.ts'
import type { End, Tag } from '../end.ts'
import { RemoteFailure } from '../failure.ts'
import { interfacesNow } from '../interfaces.ts'
import type { Connections } from '../connections.ts'
import { jittered, Rounds } from '../rounds.ts'
import { Comparing } from './comparing.ts'
import { HereChanges } from './here-changes.ts'
import { LocalSide } from './local-side.ts'
import { Look, type LookParts } from './look.ts'

const minute = 60_000
/** A look that could not read everything goes on after this. */
const soon = 10_000
/** Changes in between are looked at together. */
const together = 500
/** More names than these are found by going through all of them. */
const mostNamed = 5000
/** After more transfers than these a whole look is quicker. */
const mostEnded = 200
const longestRetry = 15 * minute

/** When a remote is looked at next, other than by its interval. */
interface Turn {
  readonly at: number
  /** In a row. */
  readonly failures: number
}

/** Looks what is out of step with each remote, cheaply, on a schedule and when the network returns. */
export class Watching {
  readonly #events: Events
  readonly #log: Log
  readonly #now: () => number
  readonly #connections: Connections
  readonly #rows: RemoteTable
  readonly #standings: StandingTable
  readonly #views: RemoteBoxViews
  readonly #parts: LookParts
  readonly #hereChanges: HereChanges
  readonly #rounds: Rounds
  /** By remote: those that are due before their interval is over. */
  readonly #turns = new Map<number, Turn>()
  readonly #unreachable = new Set<number>()
  readonly #fingerprint: () => string
  /** Of the network, while something does not answer. */
  #network: string | null = null
  #dueAt = -Infinity
  #changedHere = new Map<string, Tag>()
  #ended = new Set<string>()
  #soon: NodeJS.Timeout | null = null
  #settling: Promise<void> = Promise.resolve()
  readonly #ending = new AbortController()
  #listeners: (() => void)[] = []

  constructor(parts: {
    db: Db
    connections: Connections
    local: Pick<End, 'read'>
    events: Events
    log: Log
    now?: () => number
    /** A text that is another one when this machine is on another network; only tests give one. */
    fingerprint?: () => string
  }) {
    const { db, local, log } = parts
    this.#fingerprint = parts.fingerprint ?? interfacesNow
    this.#events = parts.events
    this.#log = log
    this.#now = parts.now ?? Date.now
    this.#connections = parts.connections
    this.#rows = remoteTable(db)
    this.#standings = standingTable(db)
    this.#views = remoteBoxViews(db)
    const shared = { db, standings: this.#standings, now: this.#now }
    const localSide = new LocalSide(shared)
    const comparing = new Comparing({ ...shared, local })
    this.#parts = { ...shared, localSide, comparing }
    this.#hereChanges = new HereChanges({ ...shared, localSide, local })
    this.#rounds = new Rounds({
      due: (now) => this.#due(now),
      work: (id, signal) => this.#look(id, signal),
      what: 'a look at a remote',
      log,
      now: this.#now
    })
  }

  start(): void {
    if (this.#listeners.length > 0) return
    for (const { id, health } of this.#rows.all()) if (health === 'unreachable') this.#unreachable.add(id)
    const changed = ({ organization, box }: { organization: string; box: string }): void => {
      if (this.#changedHere.size < mostNamed)
        this.#changedHere.set(tagKey(organization, box), { organization, name: box })
      this.#settleSoon()
    }
    this.#listeners = [
      this.#events.on('box-changed', changed),
      this.#events.on('box-removed', changed),
      this.#events.on('transfer-changed', ({ id }) => {
        this.#ended.add(id)
        this.#settleSoon()
      }),
      this.#events.on('remote-changed', ({ id }) => this.#remoteChanged(id))
    ]
    this.#rounds.start()
  }

  /**
   * Looks at a remote now. One that does not answer is no failure of this: how it does says so, and what changed here is
   * noted all the same.
   */
  async check(remoteId: number, signal?: AbortSignal): Promise<void> {
    await this.#rounds.run(remoteId, signal)
  }

  /** Looks at one box alone, after something was done with it. */
  async checkBox(remoteId: number, tag: Tag, signal: AbortSignal): Promise<void> {
    await this.#compareSome(remoteId, [tag], signal)
  }

  boxes(query: RemoteBoxQuery): RemoteBoxPage {
    return this.#views.page(query)
  }

  elsewhere(organization: string, box: string): Elsewhere {
    return {
      mirrorOf: this.#views.mirrorOf(organization, box),
      remotes: this.#views.ofBox(organization, box)
    }
  }

  /** Resolves when no look is being made. */
  async idle(): Promise<void> {
    await this.#rounds.idle()
  }

  async close(): Promise<void> {
    for (const end of this.#listeners) end()
    this.#listeners = []
    if (this.#soon) clearTimeout(this.#soon)
    this.#ending.abort(new Error('the program ends'))
    await this.#rounds.close()
    await this.#settling
  }

  #due(now: number): number[] {
    this.#noticeNetwork(now)
    this.#noticeClock(now)
    return this.#rows
      .all()
      .filter((row) => now >= this.#next(row))
      .map(({ id }) => id)
  }

  /** What did not answer is asked again as soon as there are signs that it may. */
  #noticeNetwork(now: number): void {
    const before = this.#network
    this.#network = this.#unreachable.size === 0 ? null : this.#fingerprint()
    if (before === null || before === this.#network) return
    for (const id of this.#unreachable) this.#turns.set(id, { at: now, failures: 0 })
  }

  /** What is due in a moment is not to wait for as much longer as the clock was set back by. */
  #noticeClock(now: number): void {
    if (now < this.#dueAt)
      for (const [id, turn] of this.#turns) this.#turns.set(id, { ...turn, at: Math.min(turn.at, now) })
    this.#dueAt = now
  }

  #next({ id, checkMinutes }: RemoteRow): number {
    const turn = this.#turns.get(id)
    if (turn) return Math.max(turn.at, this.#connections.pausedUntil(id) ?? 0)
    if (checkMinutes === null) return Infinity
    const { at } = this.#standings.mark(id)
    // A clock that was set back must not keep it from being looked at.
    return at === null || at > this.#now() ? 0 : at + jittered(checkMinutes * minute, id)
  }

  async #look(id: number, signal: AbortSignal): Promise<void> {
    const row = this.#rows.find(id)
    if (!row) return void this.#turns.delete(id)
    try {
      const remote = await this.#connections.open(id, signal)
      try {
        // Its organizations may be others since it was opened.
        const report = await new Look(this.#parts, remote, this.#rows.find(id) ?? row, signal).run()
        this.#unreachable.delete(id)
        if (report.left > 0) this.#turns.set(id, { at: this.#now() + soon, failures: 0 })
        else this.#turns.delete(id)
        if (report.notes.length > 0) this.#connections.failed(id, new RemoteFailure('odd', report.notes))
        else this.#connections.answered(id)
        if (report.changed) this.#events.emit('remote-changed', { id })
      } finally {
        await remote.end.close()
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof RemoteFailure)) this.#log.error(`a look at remote ${row.name} failed`, error)
      else await this.#lookedInVain(row, error, signal)
    }
  }

  /** What changed here is noted all the same, and the remote is asked again by and by. */
  async #lookedInVain(row: RemoteRow, failure: RemoteFailure, signal: AbortSignal): Promise<void> {
    this.#connections.failed(row.id, failure)
    const isTransient =
      failure.kind === 'offline' || failure.kind === 'busy' || failure.kind === 'rate-limited'
    if (isTransient) this.#unreachable.add(row.id)
    const failures = (this.#turns.get(row.id)?.failures ?? 0) + 1
    const interval = (row.checkMinutes ?? longestRetry / minute) * minute
    const wait = isTransient
      ? Math.max(Math.min(minute * 2 ** (failures - 1), longestRetry, interval), failure.retryAfter ?? 0)
      : interval
    if (row.checkMinutes !== null || isTransient)
      this.#turns.set(row.id, { at: this.#now() + jittered(wait, row.id), failures })
    if (await this.#hereChanges.noteAll(row, signal)) this.#events.emit('remote-changed', { id: row.id })
  }

  /** One that answers again has to be looked at; one that was set otherwise may be due now. */
  #remoteChanged(id: number): void {
    const row = this.#rows.find(id)
    if (!row) {
      this.#turns.delete(id)
      this.#unreachable.delete(id)
    } else if (row.health === 'unreachable') this.#unreachable.add(id)
    else if (row.health === 'fine' && this.#unreachable.delete(id) && !this.#rounds.isRunning(id)) {
      this.#turns.set(id, { at: this.#now(), failures: 0 })
      this.#rounds.look()
    }
  }

  #settleSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = null
      this.#settling = this.#settling
        .then(() => this.#settle())
        .catch((error: unknown) => {
          if (!this.#ending.signal.aborted) this.#log.error('what changed could not be compared', error)
        })
    }, together).unref()
  }

  async #settle(): Promise<void> {
    const { signal } = this.#ending
    const tags = [...this.#changedHere.values()]
    const ended = [...this.#ended]
    this.#changedHere = new Map()
    this.#ended = new Set()
    if (tags.length >= mostNamed) {
      for (const row of this.#rows.all())
        if (await this.#hereChanges.noteAll(row, signal)) this.#events.emit('remote-changed', { id: row.id })
    } else if (tags.length > 0)
      for (const id of await this.#hereChanges.note(tags, signal)) this.#events.emit('remote-changed', { id })
    await this.#compareEnded(ended, signal)
  }

  /** The box of a transfer that has ended is compared at once, and no other one. */
  async #compareEnded(transfers: readonly string[], signal: AbortSignal): Promise<void> {
    const byRemote = new Map<number, Tag[]>()
    for (const id of transfers) {
      const box = this.#standings.endedTransfer(id)
      if (box) byRemote.set(box.remoteId, [...(byRemote.get(box.remoteId) ?? []), box])
    }
    for (const [id, boxes] of byRemote) {
      if (boxes.length > mostEnded) {
        this.#turns.set(id, { at: this.#now(), failures: 0 })
        this.#rounds.look()
      } else await this.#compareSome(id, boxes, signal)
    }
  }

  async #compareSome(id: number, boxes: readonly Tag[], signal: AbortSignal): Promise<void> {
    let changed = false
    try {
      const remote = await this.#connections.open(id, signal)
      try {
        for (const { organization, name } of boxes) {
          const reading = await this.#parts.comparing.read(remote, { organization, name }, null, signal)
          changed = this.#parts.comparing.note(remote, [reading]) || changed
        }
      } finally {
        await remote.end.close()
      }
    } catch (error) {
      // The next look finds it by its stamps.
      if (!(error instanceof RemoteFailure) && !signal.aborted) throw error
    }
    if (changed) this.#events.emit('remote-changed', { id })
  }
}
