import { LRUCache } from 'lru-cache'
import { Problem } from '../domain/problem.ts'
import type { FileTotals, NodeUsage, UsageNode } from '../store/usage.ts'
import { Paced } from './paced.ts'
import { QuestionThread } from './question-thread.ts'
import type { UsageCalls, UsageWorkerData } from './usage-worker.ts'

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
    this.#totals = new Paced(() => this.#figures.ask('totals'))
    this.#boxCounts = new Paced(() => this.#figures.ask('boxCounts'))
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
  #life: QuestionThread<UsageCalls> | null = null
  #idle: NodeJS.Timeout | null = null
  #closed = false

  constructor(workerData: UsageWorkerData) {
    this.#workerData = workerData
  }

  async ask<N extends keyof UsageCalls>(
    call: N,
    ...argument: Parameters<UsageCalls[N]>
  ): Promise<ReturnType<UsageCalls[N]>> {
    if (this.#closed) throw closing()
    if (!this.#life?.alive)
      this.#life = new QuestionThread('catalog/usage-worker.ts', this.#workerData, closing)
    try {
      return await this.#life.ask(call, ...argument)
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

const closing = (): Problem => new Problem('unavailable', 'The program is closing.')
