import { Worker } from 'node:worker_threads'
import type { Permissions } from '../access/permissions.ts'
import type { Caller } from '../domain/model.ts'
import type { ListingRequest } from '../store/listing-search.ts'
import { workerFile } from '../worker-file.ts'
import type { SearchAnswer, SearchJob, SearchWorkerData } from './search-worker.ts'

/** A search as people ask for it. */
export interface SearchQuery {
  /** Words that all have to be found; empty finds everything. */
  readonly q: string
  /** Provider and architecture have to be those of one image. */
  readonly provider: string | null
  readonly architecture: string | null
  readonly sort: 'downloads' | 'created' | 'updated'
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** The first is 1. */
  readonly page: number
}

interface Waiting {
  resolve(boxIds: number[]): void
  reject(reason: unknown): void
}

/**
 * Search, in a thread with a connection of its own that can only read: no query keeps the server from answering.
 * The thread is started by the first search, and again by the next one if it should ever die.
 */
export class Search {
  readonly #dataDir: string
  readonly #permissions: Pick<Permissions, 'organizationsOf'>
  #thread: SearchThread | null = null

  constructor(dataDir: string, permissions: Pick<Permissions, 'organizationsOf'>) {
    this.#dataDir = dataDir
    this.#permissions = permissions
  }

  /** Ids of the boxes of one page, in order: those with an active version that the caller may see. */
  find(caller: Caller, { page, ...query }: SearchQuery): Promise<number[]> {
    if (!this.#thread?.alive) this.#thread = new SearchThread(this.#dataDir)
    return this.#thread.ask({
      ...query,
      offset: (page - 1) * query.limit,
      privateIn: this.#permissions.organizationsOf(caller)
    })
  }

  /** Lets go of the database; a later search opens it anew. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    await thread?.end()
  }
}

/** One life of the worker, and who waits for its answers. */
class SearchThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #alive = true

  constructor(dataDir: string) {
    const workerData: SearchWorkerData = { dataDir }
    this.#worker = new Worker(workerFile('catalog/search-worker.ts'), { workerData })
    this.#worker.on('message', (answer: SearchAnswer) => this.#settle(answer))
    this.#worker.on('error', (error) => this.#die(error))
    this.#worker.on('exit', () => this.#die(new Error('the search thread ended')))
  }

  get alive(): boolean {
    return this.#alive
  }

  ask(request: ListingRequest): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const job: SearchJob = { number: ++this.#asked, request }
      this.#waiting.set(job.number, { resolve, reject })
      this.#worker.postMessage(job)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(answer: SearchAnswer): void {
    const waiting = this.#waiting.get(answer.number)
    this.#waiting.delete(answer.number)
    if ('boxIds' in answer) waiting?.resolve(answer.boxIds)
    else waiting?.reject(answer.failure)
  }

  #die(reason: Error): void {
    this.#alive = false
    for (const waiting of this.#waiting.values()) waiting.reject(reason)
    this.#waiting.clear()
  }
}
