import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../domain/problem.ts'
import { isDamage } from './failures.ts'
import { copyDatabase } from './snapshot.ts'

/** What is to be copied where. */
export interface CopyJob {
  readonly source: string
  readonly target: string
}

/** How it went; `damage` says that the source, not the copying, is at fault. */
export type CopyResult =
  { readonly done: true } | { readonly done: false; readonly why: string; readonly damage: boolean }

const { source, target } = workerData as CopyJob
const result = await copyDatabase(source, target).then(
  (): CopyResult => ({ done: true }),
  (error: unknown): CopyResult => ({
    done: false,
    why: error instanceof Error ? error.message : String(error),
    damage: error instanceof Problem || isDamage(error)
  })
)
parentPort?.postMessage(result)
