import { parentPort, workerData } from 'node:worker_threads'
import { openCatalogueReadOnly } from '../store/open.ts'
import { usageReader, type FileTotals, type NodeUsage, type UsageNode } from '../store/usage.ts'
import { answerQuestions } from './questions.ts'

/** What the worker is started with. */
export interface UsageWorkerData {
  readonly dataDir: string
  /** So many shares of a node are named; the others become one, named ''. */
  readonly mostShares: number
}

/** What can be asked. */
export interface UsageCalls {
  node(node: UsageNode): NodeUsage | null
  totals(): FileTotals
  boxCounts(): ReadonlyMap<number, number>
}

const { dataDir, mostShares } = workerData as UsageWorkerData
const reader = usageReader(openCatalogueReadOnly(dataDir))
const calls = {
  node: (node: UsageNode) => bounded(reader.usage(node)),
  totals: reader.totals,
  boxCounts: reader.boxCounts
} satisfies UsageCalls

answerQuestions(parentPort, calls)

function bounded(usage: NodeUsage | null): NodeUsage | null {
  if (!usage || usage.shares.length <= mostShares) return usage
  const rest = usage.shares.slice(mostShares)
  const bytes = rest.reduce((all, share) => all + share.bytes, 0)
  return {
    ...usage,
    shares: [...usage.shares.slice(0, mostShares), { name: '', bytes, count: rest.length }]
  }
}
