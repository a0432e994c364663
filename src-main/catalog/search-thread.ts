import { Worker } from 'node:worker_threads'
import { workerFile } from '../worker-file.ts'
import type { SearchAnswer, SearchCall, SearchCalls, SearchJob, SearchWorkerData } from './search-messages.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** One life of the worker, and who waits for its answers. */
export class SearchThread {
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

  ask<C extends SearchCall>(
    call: C,
    ...[argument]: Parameters<SearchCalls[C]>
  ): Promise<ReturnType<SearchCalls[C]>> {
    const answer = new Promise<unknown>((resolve, reject) => {
      const job: SearchJob = { number: ++this.#asked, call, argument }
      this.#waiting.set(job.number, { resolve, reject })
      this.#worker.postMessage(job)
    })
    return answer as Promise<ReturnType<SearchCalls[C]>>
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(answer: SearchAnswer): void {
    const waiting = this.#waiting.get(answer.number)
    this.#waiting.delete(answer.number)
    if ('value' in answer) waiting?.resolve(answer.value)
    else waiting?.reject(answer.failure)
  }

  #die(reason: Error): void {
    this.#alive = false
    for (const waiting of this.#waiting.values()) waiting.reject(reason)
    this.#waiting.clear()
  }
}
