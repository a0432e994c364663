import type { Mirror, MirrorPreview, MirrorRule } from '../../contract/mirrors.ts'
import type { Events } from '../../catalog/events.ts'
import { Problem } from '../../domain/problem.ts'
import { tagPattern } from '../../domain/sync/tag-pattern.ts'
import type { Log } from '../../log.ts'
import { mirrorRuleTable, type MirrorRuleTable, type StoredRule } from '../../store/mirror-rules.ts'
import type { Db } from '../../store/open.ts'
import { write } from '../../store/write.ts'
import type { End } from '../end.ts'
import { RemoteFailure } from '../failure.ts'
import { forPerson } from '../problems.ts'
import type { Connections, OpenRemote } from '../connections.ts'
import { jittered, Rounds } from '../rounds.ts'
import type { RemoteTransfers } from '../transfers/transfers.ts'
import { previewRule } from './preview.ts'
import { runRule } from './running.ts'

const minute = 60_000
/** A person waits for a preview: after this nothing more is looked at … */
const previewFor = 12_000
/** … and what does not answer then is not waited for. */
const previewPatience = 20_000
/** One that failed is tried again after this, unless its interval is shorter. */
const retryAfter = 10 * minute

/** Rules that keep boxes of a remote here too: what they say, what they would do, and running them. */
export class Mirrors {
  readonly #db: Db
  readonly #events: Events
  readonly #now: () => number
  readonly #connections: Connections
  readonly #local: Pick<End, 'read'>
  readonly #transfers: Pick<RemoteTransfers, 'add' | 'dismiss'>
  readonly #table: MirrorRuleTable
  readonly #rounds: Rounds
  readonly #ending = new AbortController()

  constructor(parts: {
    db: Db
    connections: Connections
    local: Pick<End, 'read'>
    transfers: Pick<RemoteTransfers, 'add' | 'dismiss'>
    events: Events
    log: Log
    now?: () => number
  }) {
    this.#db = parts.db
    this.#events = parts.events
    this.#now = parts.now ?? Date.now
    this.#connections = parts.connections
    this.#local = parts.local
    this.#transfers = parts.transfers
    this.#table = mirrorRuleTable(parts.db)
    this.#rounds = new Rounds({
      due: (now) => this.#due(now),
      work: (id, signal) => this.#run(id, signal),
      what: 'a mirror rule',
      log: parts.log,
      now: this.#now
    })
  }

  start(): void {
    this.#rounds.start()
  }

  list(): Mirror[] {
    return this.#table.all().map((stored) => this.#shown(stored))
  }

  save(rule: MirrorRule, id?: number): Mirror {
    tagPattern(rule.boxes)
    const saved = write(this.#db, () => {
      if (!this.#table.hasRemote(rule.remoteId))
        throw new Problem('missing', 'There is no such remote any more, so nothing of it can be mirrored.')
      if (id === undefined) return this.#table.insert(rule, this.#now())
      this.#existing(id)
      this.#table.update(id, rule)
      return id
    })
    this.#events.emit('remote-changed', { id: rule.remoteId })
    return this.#shown(this.#existing(saved))
  }

  /** What was mirrored stays, and follows the remote no longer by itself. */
  remove(id: number): void {
    const { rule } = this.#existing(id)
    write(this.#db, () => this.#table.remove(id))
    this.#events.emit('remote-changed', { id: rule.remoteId })
  }

  async preview(rule: MirrorRule, signal?: AbortSignal): Promise<MirrorPreview> {
    tagPattern(rule.boxes)
    const started = this.#now()
    const ending = [AbortSignal.timeout(previewPatience), this.#ending.signal, ...(signal ? [signal] : [])]
    const all = AbortSignal.any(ending)
    return forPerson(() =>
      this.#with(rule.remoteId, all, (remote) =>
        previewRule({ table: this.#table, local: this.#local }, remote, rule, {
          signal: all,
          isOver: () => this.#now() - started > previewFor
        })
      )
    )
  }

  /** Looks at the remote and queues what the rule asks for; resolves once that is queued, or once it is noted why not. */
  async run(id: number, signal?: AbortSignal): Promise<Mirror> {
    this.#existing(id)
    await this.#rounds.run(id, signal)
    return this.#shown(this.#existing(id))
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error('the program ends'))
    await this.#rounds.close()
  }

  #due(now: number): number[] {
    return this.#table
      .all()
      .filter((stored) => now >= (this.#nextRunAt(stored) ?? Infinity))
      .map(({ id }) => id)
  }

  async #run(id: number, signal: AbortSignal): Promise<void> {
    const stored = this.#table.get(id)
    if (!stored) return
    const { rule } = stored
    const end = (note: string, hasFailed: boolean): void => {
      write(this.#db, () => this.#table.ran(id, this.#now(), note, hasFailed))
    }
    this.#events.emit('remote-changed', { id: rule.remoteId })
    try {
      const parts = { table: this.#table, local: this.#local, transfers: this.#transfers }
      end(await this.#with(rule.remoteId, signal, (remote) => runRule(parts, remote, rule, signal)), false)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof RemoteFailure || error instanceof Problem) end(error.sentences.join(' '), true)
      else {
        end('The rule could not be run, because of a fault of the program; see its log.', true)
        throw error
      }
    } finally {
      // After this turn: only then is it no longer said to be running.
      setImmediate(() => this.#events.emit('remote-changed', { id: rule.remoteId }))
    }
  }

  async #with<T>(
    remoteId: number,
    signal: AbortSignal,
    work: (remote: OpenRemote) => Promise<T>
  ): Promise<T> {
    try {
      const remote = await this.#connections.open(remoteId, signal)
      try {
        const result = await work(remote)
        this.#connections.answered(remoteId)
        return result
      } finally {
        await remote.end.close()
      }
    } catch (error) {
      if (error instanceof RemoteFailure && !signal.aborted) this.#connections.failed(remoteId, error)
      throw error
    }
  }

  #existing(id: number): StoredRule {
    const stored = this.#table.get(id)
    if (!stored) throw new Problem('missing', 'There is no such mirror rule any more.')
    return stored
  }

  #nextRunAt({ id, rule, lastRunAt, lastFailed }: StoredRule): number | null {
    if (!rule.enabled || rule.everyMinutes === null) return null
    // A clock that was set back must not keep it from being run.
    if (lastRunAt === null || lastRunAt > this.#now()) return 0
    const interval = rule.everyMinutes * minute
    return lastRunAt + jittered(lastFailed ? Math.min(interval, retryAfter) : interval, id)
  }

  #shown(stored: StoredRule): Mirror {
    const { id, rule, remoteName, lastRunAt, lastNote, lastFailed } = stored
    const next = this.#nextRunAt(stored)
    return {
      ...rule,
      ...{ id, remoteName, lastRunAt, lastNote, lastFailed },
      nextRunAt: next === null ? null : Math.max(next, this.#now()),
      running: this.#rounds.isRunning(id)
    }
  }
}
