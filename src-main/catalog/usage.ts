import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { Problem } from '../domain/problem.ts'
import type { FileTotals, NodeUsage, UsageNode } from '../store/usage.ts'
import { workerFile } from '../worker-file.ts'
import { Paced } from './paced.ts'
import type { UsageAnswer, UsageJob, UsageQuestion, UsageQuestions, UsageWorkerData } from './usage-worker.ts'

/** More areas than this are no picture any more. */
const mostShares = 60
/** A thread nobody asks anything goes, and its memory with it. */
const idleMs = 60_000
const mostNodesRemembered = 100

/**
 * What uses the disk. Every image has to be looked at for it, so it happens in threads with connections that can only
 * read, which are there while somebody looks at the answers.
 */
export class DiskUsage {
  readonly #nodes = new LRUCache<string, Paced<NodeUsage | null>>({ max: mostNodesRemembered })
  readonly #totals: Paced<FileTotals>
  readonly #boxCounts: Paced<ReadonlyMap<number, number>>
  /** One for the picture, and one for figures, which need not wait for it. */
  readonly #picture: UsageThread
  readonly #figures: UsageThread

  constructor(dataDir: string) {
    this.#picture = new UsageThread({ dataDir, mostShares })
    this.#figures = new UsageThread({ dataDir, mostShares })
    this.#totals = new Paced(() => this.#figures.ask('totals', null))
    this.#boxCounts = new Paced(() => this.#figures.ask('boxCounts', null))
  }

  async of(node: UsageNode): Promise<NodeUsage> {
    const usage = await this.#paced(node).read()
    if (!usage) throw new Problem('missing', 'This is not there any more.')
    return usage
  }

  totals(): Promise<FileTotals> {
    return this.#totals.read()
  }

  /** How many boxes each organization has, by its id; those without any are left out. */
  boxCounts(): Promise<ReadonlyMap<number, number>> {
    return this.#boxCounts.read()
  }

  async close(): Promise<void> {
    await Promise.all([this.#picture.close(), this.#figures.close()])
  }

  #paced(node: UsageNode): Paced<NodeUsage | null> {
    const key = JSON.stringify([node.organization, node.box, node.version])
    const known = this.#nodes.get(key)
    if (known) return known
    const made = new Paced(() => this.#picture.ask('node', node))
    this.#nodes.set(key, made)
    return made
  }
}

/** A thread that is there while it is asked things, and some time after. */
class UsageThread {
  readonly #workerData: UsageWorkerData
  #life: Life | null = null
  #idle: NodeJS.Timeout | null = null
  #closed = false

  constructor(workerData: UsageWorkerData) {
    this.#workerData = workerData
  }

  async ask<Q extends UsageQuestion>(
    question: Q,
    ask: UsageQuestions[Q]['ask']
  ): Promise<UsageQuestions[Q]['answer']> {
    if (this.#closed) throw closing()
    if (!this.#life?.alive) this.#life = new Life(this.#workerData)
    try {
      return await this.#life.ask(question, ask)
    } finally {
      this.#restartIdleClock()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#end()
  }

  #restartIdleClock(): void {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if (this.#life?.busy) this.#restartIdleClock()
      else void this.#end()
    }, idleMs).unref()
  }

  async #end(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle)
    const life = this.#life
    this.#life = null
    await life?.end()
  }
}

interface Waiting {
  resolve(answer: unknown): void
  reject(reason: unknown): void
}

/** One life of the worker, and who waits for its answers. */
class Life {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #alive = true

  constructor(workerData: UsageWorkerData) {
    this.#worker = new Worker(workerFile('catalog/usage-worker.ts'), { workerData })
    this.#worker.on('message', (answer: UsageAnswer) => this.#settle(answer))
    this.#worker.on('error', (error) => this.#die(error))
    this.#worker.on('exit', () => this.#die(closing()))
  }

  get alive(): boolean {
    return this.#alive
  }

  get busy(): boolean {
    return this.#waiting.size > 0
  }

  ask<Q extends UsageQuestion>(
    question: Q,
    ask: UsageQuestions[Q]['ask']
  ): Promise<UsageQuestions[Q]['answer']> {
    return new Promise((resolve, reject) => {
      const job: UsageJob = { number: ++this.#asked, question, ask }
      // The worker answers the question it was asked.
      const take = (answer: unknown): void => resolve(answer as UsageQuestions[Q]['answer'])
      this.#waiting.set(job.number, { resolve: take, reject })
      this.#worker.postMessage(job)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(answer: UsageAnswer): void {
    const waiting = this.#waiting.get(answer.number)
    this.#waiting.delete(answer.number)
    if ('answer' in answer) waiting?.resolve(answer.answer)
    else waiting?.reject(answer.failure)
  }

  #die(reason: Error): void {
    this.#alive = false
    for (const waiting of this.#waiting.values()) waiting.reject(reason)
    this.#waiting.clear()
  }
}

const closing = (): Problem => new Problem('unavailable', 'The program is closing.')
