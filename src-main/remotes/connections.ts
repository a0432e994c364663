import type { Events } from '../catalog/events.ts'
import type { Log } from '../log.ts'
import type { Db } from '../store/open.ts'
import { remoteTable, type RemoteRow, type RemoteTable } from '../store/remotes.ts'
import { orAborted, whileNotAborted } from './aborting.ts'
import type { Access, End, Introduction, Tag } from './end.ts'
import { openEnd } from './ends/open-end.ts'
import { RemoteFailure } from './failure.ts'
import { RemoteHealths } from './health.ts'
import { organizationHere, organizationThere } from './naming.ts'
import { OpenEnds } from './open-ends.ts'
import type { RemoteTokens } from './tokens.ts'
import { checkPlainHttp } from './trust.ts'

/** A remote that answers and is the one it was, ready to be worked with; to be closed by who opened it. */
export interface OpenRemote {
  readonly id: number
  readonly name: string
  readonly end: End
  /** How a box here is called there, and the other way round. */
  readonly there: (tag: Tag) => Tag
  readonly here: (tag: Tag) => Tag
}

/** Reaches a remote; only tests give another one. */
type Reach = typeof openEnd

/** Opens remotes that are in the list, and keeps how they do: by that they are asked, or left alone for a while. */
export class Connections {
  readonly #reach: Reach
  readonly #rows: RemoteTable
  readonly #tokens: RemoteTokens
  readonly #health: RemoteHealths
  readonly #open: OpenEnds

  constructor(parts: {
    db: Db
    tokens: RemoteTokens
    events: Events
    log: Log
    now?: () => number
    reach?: Reach
  }) {
    const { db, tokens, events, log, now = Date.now, reach = openEnd } = parts
    this.#reach = reach
    this.#rows = remoteTable(db)
    this.#tokens = tokens
    const onChange = (id: number): void => events.emit('remote-changed', { id })
    this.#health = new RemoteHealths({ rows: this.#rows, log, now, onChange })
    this.#open = new OpenEnds(now)
  }

  /** Throws a RemoteFailure: it does not answer, is another one, or may not be asked before `pausedUntil`. */
  async open(id: number, signal: AbortSignal): Promise<OpenRemote> {
    const row = this.#rows.find(id)
    if (!row)
      throw this.#health.noNews(
        new RemoteFailure('missing', ['This remote has been removed.', 'Add it again to go on with it.'])
      )
    this.#health.asking(row)
    const { name, organizationMap: map } = row
    try {
      const end = await this.#open.take(id, () => this.#reachKnown(row, signal))
      return {
        ...{ id, name, end },
        there: (tag) => ({ ...tag, organization: organizationThere(map, tag.organization) }),
        here: (tag) => ({ ...tag, organization: organizationHere(map, tag.organization) })
      }
    } catch (error) {
      if (error instanceof RemoteFailure && !signal.aborted) this.failed(id, error)
      throw error
    }
  }

  /** Looks who answers at a place that need not be in the list, and keeps nothing open. */
  async introduce(access: Access, signal: AbortSignal): Promise<Introduction> {
    const { end, introduction } = await this.#reach(access, signal)
    await end.close()
    return introduction
  }

  /** To be told of what work with a remote came to: how it does follows from it, and whether it is asked again soon. */
  answered(id: number): void {
    this.#health.answered(id)
  }

  failed(id: number, failure: RemoteFailure): void {
    // The next one finds out from the beginning who answers there.
    if (this.#health.failed(id, failure)) this.drop(id)
  }

  /** A person wants it asked at once, also if it failed and was to be left alone for longer. */
  urge(id: number): void {
    this.#health.urged(id)
  }

  /** Until when it is not to be asked, because it failed again and again; null when it may be. */
  pausedUntil(id: number): number | null {
    return this.#health.pausedUntil(id)
  }

  /** The next one reaches it as its row says then; those at work go on with what they have. */
  drop(id: number): void {
    this.#open.drop(id)
  }

  /** The same of one that is gone or another now: how it did says nothing any more. */
  forget(id: number): void {
    this.drop(id)
    this.#health.forget(id)
  }

  /** Ends what is kept open for the next one. */
  async close(): Promise<void> {
    await this.#open.close()
  }

  async #reachKnown(row: RemoteRow, signal: AbortSignal): Promise<End> {
    const { kind, location, api, allowPlainHttp, certificates } = row
    checkPlainHttp(location, allowPlainHttp)
    const token = await orAborted(signal, this.#tokens.secretOf(row))
    // Others may go on with this end after the one who opened it was stopped.
    const { end, introduction } = await whileNotAborted(signal, (reaching) =>
      this.#reach({ kind, location, api, token, allowPlainHttp, certificates }, reaching)
    )
    if (introduction.identity !== row.identity) {
      await end.close()
      refuseAnother(row, introduction)
    }
    this.#health.introduced(row.id, introduced(introduction))
    return end
  }
}

/** What of a remote's row is as it says itself. */
export const introduced = ({ api, identity, account, organizations }: Introduction) => ({
  ...{ api, identity, account, organizations }
})

/** Throws: who answers is not the one that was added. */
export function refuseAnother({ name }: RemoteRow, { what }: Introduction): never {
  throw new RemoteFailure('another', [
    `Something else answers now where ${name} was: ${what}.`,
    'Nothing is done with it until you say that it is the right one.'
  ])
}
