import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Log } from '../../log.ts'
import { catalogueBackups, nextCatalogueBackup, thinOutBackups } from '../../store/backups.ts'
import type { CopyJob, CopyResult } from '../../store/copy-worker.ts'
import { databaseFiles } from '../../store/open.ts'
import { noteDamage } from '../../store/repair.ts'
import { workerFile } from '../../worker-file.ts'

const day = 24 * 60 * 60_000
/** A timer of a whole day would be late by all the time a laptop sleeps. */
const lookEvery = 60 * 60_000
/** The first moments belong to whoever waits for the server. */
const firstLookAfter = 10_000

/** Keeps copies of the catalogue, without the images, while the server runs: one a day, in a thread of its own. */
export class AutomaticBackups {
  readonly #dataDir: string
  readonly #log: Log
  readonly #now: () => number
  #timers: NodeJS.Timeout[] = []
  #worker: Worker | null = null

  constructor({ dataDir, log, now }: { dataDir: string; log: Log; now?: () => number }) {
    this.#dataDir = dataDir
    this.#log = log
    this.#now = now ?? Date.now
  }

  start(): void {
    const look = (): void =>
      void this.backUpIfDue().catch((error) => this.#log.error('the daily backup failed', error))
    this.#timers = [setTimeout(look, firstLookAfter).unref(), setInterval(look, lookEvery).unref()]
  }

  /** Makes a copy when the newest is older than a day. The older ones go only once the new one has been checked. */
  async backUpIfDue(): Promise<void> {
    const now = this.#now()
    const newest = catalogueBackups(this.#dataDir, 'automatic')[0]
    if (this.#worker || (newest && now - newest.at < day)) return
    const result = await this.#copy(nextCatalogueBackup(this.#dataDir, 'automatic', now))
    if (result.done) return thinOutBackups(this.#dataDir, 'automatic')
    this.#log.error(`the daily backup of the catalogue failed: ${result.why}`)
    if (!result.damage) return
    noteDamage(this.#dataDir, result.why)
    this.#log.error('the next start of the server repairs the catalogue; please restart it soon')
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#worker?.terminate()
  }

  async #copy(target: string): Promise<CopyResult> {
    const job: CopyJob = { source: databaseFiles(this.#dataDir).catalogue, target }
    this.#worker = new Worker(workerFile('store/copy-worker.ts'), { workerData: job })
    try {
      const stopped: CopyResult = { done: false, why: 'the server was stopped', damage: false }
      const exit = once(this.#worker, 'exit').then(() => stopped)
      return await Promise.race([
        once(this.#worker, 'message').then(([result]) => result as CopyResult),
        exit
      ])
    } finally {
      this.#worker = null
    }
  }
}
