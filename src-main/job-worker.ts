import { parentPort, workerData } from 'node:worker_threads'
import { createApp } from './app.ts'
import { asProblem, runJob } from './catalog/upkeep/job-run.ts'
import type { JobMessage, JobWorkerData } from './catalog/upkeep/jobs.ts'
import { withCause, type Log } from './log.ts'

/** One job on the whole store, with the product opened a second time: what the window shows goes on meanwhile. */
const { dataDir, request } = workerData as JobWorkerData
const tell = (message: JobMessage): void => parentPort?.postMessage(message)
const log: Log = {
  info: (message) => tell({ kind: 'log', level: 'info', message }),
  warn: (message) => tell({ kind: 'log', level: 'warn', message }),
  error: (message, cause) => tell({ kind: 'log', level: 'error', message: withCause(message, cause) })
}

/** Progress comes with every chunk that is read; a few times a second is enough. */
const tellEveryMs = 100
let toldAt = -Infinity
function progress(done: number, total: number | null): void {
  const now = performance.now()
  if (now - toldAt < tellEveryMs) return
  toldAt = now
  tell({ kind: 'progress', done, total })
}

const stop = new AbortController()
parentPort?.once('message', () => stop.abort())
// Nobody has to say anything for the thread to end.
parentPort?.unref()

try {
  const app = await createApp({ dataDir, log })
  try {
    const problem = (sentence: string): void => tell({ kind: 'problem', sentence })
    tell({ kind: 'done', sentences: await runJob(app, request, { progress, problem, signal: stop.signal }) })
  } finally {
    await app.close()
  }
} catch (error) {
  if (stop.signal.aborted && error === stop.signal.reason) tell({ kind: 'cancelled' })
  else {
    const problem = asProblem(error)
    if (!problem) log.error(`the job ${request.job} failed`, error)
    tell({ kind: 'failed', problem: problem && { kind: problem.kind, sentences: problem.sentences } })
  }
}
