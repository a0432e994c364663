import type { Permissions } from '../access/permissions.ts'
import type { Caller } from '../domain/model.ts'
import type { Origin } from '../domain/search-terms.ts'
import { queryFault } from '../domain/search-words.ts'
import { refuseFaults } from '../domain/texts.ts'
import { QuestionThread } from './question-thread.ts'
import type { SearchCall, SearchCalls, SearchWorkerData } from './search-messages.ts'

/** A search as people ask for it. */
export interface SearchQuery {
  /** Words that all have to be found; empty finds everything. */
  readonly q: string
  /** Provider and architecture have to be those of one image. */
  readonly provider: string | null
  readonly architecture: string | null
  /** All, where it is not said. */
  readonly origin?: Origin
  readonly sort: 'downloads' | 'created' | 'updated'
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** The first is 1. */
  readonly page: number
}

/**
 * Search, in a thread with a connection of its own that can only read: no query keeps the server from answering.
 * The thread is started by the first search at the latest, and again by the next one if it should ever die.
 */
export class Search {
  readonly #dataDir: string
  readonly #permissions: Pick<Permissions, 'organizationsOf'>
  #thread: QuestionThread<SearchCalls> | null = null

  constructor(dataDir: string, permissions: Pick<Permissions, 'organizationsOf'>) {
    this.#dataDir = dataDir
    this.#permissions = permissions
  }

  /** Ids of the boxes of one page, in order: those with an active version that the caller may see. */
  async find(caller: Caller, { page, ...query }: SearchQuery): Promise<number[]> {
    refuseFaults([queryFault(query.q)])
    return this.ask('search', {
      ...query,
      offset: (page - 1) * query.limit,
      privateIn: this.#permissions.organizationsOf(caller)
    })
  }

  /** Has something done in the thread. */
  ask<C extends SearchCall>(
    call: C,
    ...argument: Parameters<SearchCalls[C]>
  ): Promise<ReturnType<SearchCalls[C]>> {
    return this.#living().ask(call, ...argument)
  }

  /** Starts the thread for somebody who is going to ask: the first answer would otherwise wait for it. */
  prepare(): void {
    this.#living()
  }

  /** Lets go of the database; a later search opens it anew. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.end()
  }

  #living(): QuestionThread<SearchCalls> {
    if (!this.#thread?.alive) {
      const workerData: SearchWorkerData = { dataDir: this.#dataDir }
      const ended = (): Error => new Error('the search thread ended')
      this.#thread = new QuestionThread('catalog/search-worker.ts', workerData, ended)
    }
    return this.#thread
  }
}
