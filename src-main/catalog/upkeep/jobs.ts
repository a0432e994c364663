import { Worker } from 'node:worker_threads'
import type { CleanUpReport, Job, JobRequest } from '../../contract/storage.ts'
import { Problem, type ProblemKind } from '../../domain/problem.ts'
import type { Log } from '../../log.ts'
import { workerFile } from '../../worker-file.ts'
import { checkJob, graceMsOf } from './job-rules.ts'
import type { Upkeep } from './upkeep.ts'

/** What the thread of a job is started with. */
export interface JobWorkerData {
  readonly dataDir: string
  readonly request: JobRequest
}

/** What it tells. The last message is done, cancelled or failed; a failure without sentences is a fault of the program. */
export type JobMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number | null }
  | { readonly kind: 'problem'; readonly sentence: string }
  | { readonly kind: 'log'; readonly level: keyof Log; readonly message: string }
  | { readonly kind: 'done'; readonly sentences: readonly string[] }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed'
      readonly problem: { readonly kind: ProblemKind; readonly sentences: readonly string[] } | null
    }

type Listener = (job: Job) => void

interface Outcome {
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly sentences: readonly string[]
  readonly problems: readonly string[]
}

/** Listeners hear of progress no more often. */
const tellEveryMs = 200
const mostProblems = 200
const mostItems = 100

/**
 * The jobs on the whole store that the person at the window starts: one at a time, each in a thread with a connection of
 * its own, as if a command were run beside the server. A job goes on when nobody looks; what the last one came to stays
 * to be read.
 */
export class Jobs {
  readonly #dataDir: string
  readonly #upkeep: Pick<Upkeep, 'collectGarbage'>
  readonly #log: Log
  readonly #now: () => number
  readonly #listeners = new Set<Listener>()
  #job: Job | null = null
  #worker: Worker | null = null
  /** Told by the thread; the job has ended once the thread has let go of everything. */
  #outcome: Outcome | null = null
  #ended: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #toldAt = -Infinity

  constructor(parts: {
    dataDir: string
    upkeep: Pick<Upkeep, 'collectGarbage'>
    log: Log
    now?: () => number
  }) {
    this.#dataDir = parts.dataDir
    this.#upkeep = parts.upkeep
    this.#log = parts.log
    this.#now = parts.now ?? Date.now
  }

  /** The one that runs, or the last that ended. */
  get current(): Job | null {
    return this.#job
  }

  /** Returns what ends the listening. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  start(request: JobRequest): Job {
    if (this.#job?.state === 'running')
      throw new Problem('conflict', 'Another job is at work. Wait until it has ended, then try again.')
    checkJob(request, this.#dataDir)
    const job: Job = {
      job: request.job,
      state: 'running',
      // What a restore has begun to put in place has to be there as a whole.
      cancellable: request.job !== 'restore',
      done: 0,
      total: null,
      sentences: [],
      problems: [],
      startedAt: this.#now(),
      endedAt: null
    }
    this.#job = job
    this.#tell()
    this.#ended = this.#run(request)
    return job
  }

  /** Has the one that runs end where nothing is left half done; whatever it had come to by then is so. */
  cancel(): void {
    if (this.#job?.state !== 'running') return
    if (!this.#job.cancellable)
      throw new Problem('conflict', 'A restore that has begun is brought to its end.')
    this.#worker?.postMessage('cancel')
  }

  /** What a clean-up would remove now. */
  async previewCleanUp(graceHours: number): Promise<CleanUpReport> {
    const items: { what: string; bytes: number }[] = []
    const report = await this.#upkeep.collectGarbage({
      graceMs: graceMsOf(graceHours),
      dryRun: true,
      onFound: (what, bytes) => {
        if (items.length < mostItems) items.push({ what, bytes })
      }
    })
    return { ...report, items }
  }

  /** Resolves once the job that runs has ended. */
  async settled(): Promise<void> {
    await this.#ended
  }

  /** A job that still runs is cut off, which all of them survive, as they survive a power cut. */
  async close(): Promise<void> {
    this.#listeners.clear()
    await this.#worker?.terminate()
    await this.#ended
  }

  async #run(request: JobRequest): Promise<void> {
    const workerData: JobWorkerData = { dataDir: this.#dataDir, request }
    const worker = new Worker(workerFile('job-worker.ts'), { workerData })
    this.#worker = worker
    worker.on('message', (message: JobMessage) => this.#hear(message))
    worker.on('error', (error) => this.#log.error(`the job ${request.job} failed`, error))
    await new Promise((resolve) => worker.once('exit', resolve))
    this.#worker = null
    if (!this.#outcome) this.#outcome = { state: 'failed', sentences: [], problems: [faultSentence] }
    this.#end(this.#outcome)
    this.#outcome = null
  }

  #hear(message: JobMessage): void {
    switch (message.kind) {
      case 'progress':
        return this.#change({ done: message.done, total: message.total })
      case 'problem':
        return this.#addProblem(message.sentence)
      case 'log':
        return this.#log[message.level](message.message)
      case 'done':
        this.#outcome = { state: 'done', sentences: message.sentences, problems: [] }
        return
      case 'cancelled':
        this.#outcome = { state: 'cancelled', sentences: sentencesOfCancelled(this.#job?.job), problems: [] }
        return
      case 'failed':
        this.#outcome = {
          state: 'failed',
          sentences: [],
          problems: message.problem?.sentences ?? [faultSentence]
        }
    }
  }

  #addProblem(sentence: string): void {
    const problems = this.#job?.problems ?? []
    if (problems.length < mostProblems) this.#change({ problems: [...problems, sentence] })
    else if (problems.length === mostProblems) this.#change({ problems: [...problems, 'There are more.'] })
  }

  #change(more: Partial<Job>): void {
    if (!this.#job) return
    this.#job = { ...this.#job, ...more }
    this.#timer ??= setTimeout(
      () => this.#tell(),
      Math.max(0, this.#toldAt + tellEveryMs - performance.now())
    ).unref()
  }

  #end({ state, sentences, problems }: Outcome): void {
    if (!this.#job) return
    const { done, total } = this.#job
    this.#job = {
      ...this.#job,
      state,
      done: state === 'done' ? (total ?? done) : done,
      sentences,
      problems: [...this.#job.problems, ...problems],
      endedAt: this.#now()
    }
    this.#tell()
  }

  #tell(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#toldAt = performance.now()
    const job = this.#job
    if (!job) return
    for (const listener of this.#listeners) {
      try {
        listener(job)
      } catch (error) {
        this.#log.error('a listener to jobs failed', error)
      }
    }
  }
}

function sentencesOfCancelled(job: Job['job'] | undefined): readonly string[] {
  switch (job) {
    case 'verify':
      return ['What was looked at until then is noted; the other files were not looked at.']
    case 'clean-up':
      return [
        'What was removed until then is gone, and can no longer be undone; the rest stays for the next one.'
      ]
    case 'back-up':
      return ['Nothing is left of the file that was being written.']
    default:
      return []
  }
}

const faultSentence = 'This did not work because of a fault in the program; its log says more.'
