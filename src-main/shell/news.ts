import type { Arrival } from '../contract/arrivals.ts'
import type { DeskEvent } from '../contract/desk.ts'

/** What a system notification says, and the place its click leads to. */
export interface News {
  readonly title: string
  readonly body: string
  readonly to: string
}

const mostRemembered = 10_000

/** Picks out of the stream of events what a person who is doing something else would want to hear of, each once. */
export class ArrivalNews {
  readonly #since: number
  readonly #told = new Set<string>()

  constructor(since = Date.now()) {
    this.#since = since
  }

  of(event: DeskEvent): News | null {
    if (event.name !== 'transfers') return null
    const ended = event.data.arrivals.filter((arrival) => this.#isNew(arrival))
    const failed = ended.filter(({ state }) => state === 'failed')
    const [first] = failed.length > 0 ? failed : ended
    if (!first) return null
    if (ended.length > 1)
      return {
        title: `${ended.length} box files are done`,
        body: failed.length === 0 ? 'All of them were published.' : `${failed.length} of them failed.`,
        to: '/transfers'
      }
    return failed.length > 0
      ? {
          title: `${first.fileName} was not published`,
          body: first.problem?.join(' ') ?? '',
          to: '/transfers'
        }
      : { title: `${first.fileName} is published`, body: nameOf(first), to: placeOf(first) }
  }

  /** One that fails again after a retry is news again. */
  #isNew({ id, state, finishedAt }: Arrival): boolean {
    if ((state !== 'published' && state !== 'failed') || (finishedAt ?? 0) < this.#since) return false
    const key = `${id} ${finishedAt}`
    if (this.#told.has(key)) return false
    if (this.#told.size >= mostRemembered) this.#told.clear()
    this.#told.add(key)
    return true
  }
}

const nameOf = ({ draft: { organization, name, version } }: Arrival): string =>
  `${organization}/${name} ${version}`

const placeOf = ({ draft: { organization, name } }: Arrival): string =>
  `/box/${encodeURIComponent(organization)}/${encodeURIComponent(name)}`
