import type { Arrival } from '../contract/arrivals.ts'
import type { DeskEvent } from '../contract/desk.ts'
import { capital } from '../contract/sentences.ts'
import type { RemoteTransfer } from '../contract/transfers.ts'

/** What a system notification says, and the place its click leads to. */
export interface News {
  readonly title: string
  readonly body: string
  readonly to: string
}

/** Something that has ended, and what there is to say of it when it is the only one. */
interface Ended {
  readonly key: string
  readonly at: number
  readonly failed: boolean
  readonly news: News
}

const mostRemembered = 10_000

/** Picks out of the stream of events what a person who is doing something else would want to hear of, each once. */
export class TransferNews {
  readonly #since: number
  readonly #told = new Set<string>()

  constructor(since = Date.now()) {
    this.#since = since
  }

  of(event: DeskEvent): News | null {
    if (event.name !== 'transfers') return null
    const { arrivals, remoteTransfers } = event.data
    const files = arrivals.filter(isOver).map(endedArrival)
    const boxes = remoteTransfers.filter(isNewsworthy).map(endedTransfer)
    const ended = [...files, ...boxes].filter((one) => this.#isNew(one))
    const failed = ended.filter((one) => one.failed)
    const [first] = failed.length > 0 ? failed : ended
    if (!first) return null
    if (ended.length === 1) return first.news
    const onlyFiles = ended.every((one) => files.includes(one))
    const all = onlyFiles ? 'All of them were published.' : 'All of them went well.'
    return {
      title: `${ended.length} ${onlyFiles ? 'box files' : 'transfers'} are done`,
      body: failed.length === 0 ? all : `${failed.length} of them failed.`,
      to: '/transfers'
    }
  }

  /** One that fails again after a retry is news again. */
  #isNew({ key, at }: Ended): boolean {
    if (at < this.#since) return false
    if (this.#told.has(key)) return false
    if (this.#told.size >= mostRemembered) this.#told.clear()
    this.#told.add(key)
    return true
  }
}

const isOver = ({ state }: Arrival): boolean => state === 'published' || state === 'failed'

/** That a mirror follows its remote is what it is for. */
const isNewsworthy = ({ state, byMirror }: RemoteTransfer): boolean =>
  state === 'failed' || (state === 'done' && !byMirror)

function endedArrival(arrival: Arrival): Ended {
  const { id, state, fileName, problem, finishedAt, draft } = arrival
  const { organization, name, version } = draft
  const failed = state === 'failed'
  return {
    ...{ key: `${id} ${finishedAt}`, at: finishedAt ?? 0, failed },
    news: failed
      ? { title: `${fileName} was not published`, body: problem?.join(' ') ?? '', to: '/transfers' }
      : {
          title: `${fileName} is published`,
          body: `${organization}/${name} ${version}`,
          to: placeOf(organization, name)
        }
  }
}

function endedTransfer(transfer: RemoteTransfer): Ended {
  const { id, direction, organization, box, what, remoteName, problem, conflicts, finishedAt } = transfer
  const tag = `${organization}/${box}`
  const failed = transfer.state === 'failed'
  const isPublish = direction === 'publish'
  const where = isPublish ? `to ${remoteName}` : `from ${remoteName}`
  const asks = conflicts.length > 0
  return {
    ...{ key: `${id} ${finishedAt}`, at: finishedAt ?? 0, failed },
    news: failed
      ? {
          title: `${tag} ${asks ? 'needs a decision' : `was not ${isPublish ? 'published' : 'brought here'}`}`,
          body: `${capital(where)}: ${problem?.join(' ') ?? ''}`,
          to: '/transfers'
        }
      : {
          title: `${tag} is ${isPublish ? `published ${where}` : `here ${where}`}`,
          body: capital(what),
          to: placeOf(organization, box)
        }
  }
}

const placeOf = (organization: string, name: string): string =>
  `/box/${encodeURIComponent(organization)}/${encodeURIComponent(name)}`
