import { parentPort, workerData } from 'node:worker_threads'
import { openCatalogueReadOnly } from '../store/open.ts'
import { usageReader, type FileTotals, type NodeUsage, type UsageNode } from '../store/usage.ts'

/** What the worker is started with. */
export interface UsageWorkerData {
  readonly dataDir: string
  /** So many shares of a node are named; the others become one, named ''. */
  readonly mostShares: number
}

/** What can be asked, and what is answered. */
export interface UsageQuestions {
  node: { readonly ask: UsageNode; readonly answer: NodeUsage | null }
  totals: { readonly ask: null; readonly answer: FileTotals }
  boxCounts: { readonly ask: null; readonly answer: ReadonlyMap<number, number> }
}
export type UsageQuestion = keyof UsageQuestions

/** A question, and its answer under the same number. */
export interface UsageJob {
  readonly number: number
  readonly question: UsageQuestion
  readonly ask: UsageQuestions[UsageQuestion]['ask']
}
export type UsageAnswer =
  | { readonly number: number; readonly answer: UsageQuestions[UsageQuestion]['answer'] }
  | { readonly number: number; readonly failure: unknown }

const { dataDir, mostShares } = workerData as UsageWorkerData
const reader = usageReader(openCatalogueReadOnly(dataDir))

parentPort?.on('message', (job: UsageJob) => parentPort?.postMessage(answer(job)))

function answer({ number, question, ask }: UsageJob): UsageAnswer {
  try {
    return { number, answer: look(question, ask) }
  } catch (failure) {
    return { number, failure }
  }
}

function look(question: UsageQuestion, ask: UsageJob['ask']): UsageQuestions[UsageQuestion]['answer'] {
  switch (question) {
    case 'node':
      return ask && bounded(reader.usage(ask))
    case 'totals':
      return reader.totals()
    case 'boxCounts':
      return reader.boxCounts()
  }
}

function bounded(usage: NodeUsage | null): NodeUsage | null {
  if (!usage || usage.shares.length <= mostShares) return usage
  const rest = usage.shares.slice(mostShares)
  const bytes = rest.reduce((all, share) => all + share.bytes, 0)
  return {
    ...usage,
    shares: [...usage.shares.slice(0, mostShares), { name: '', bytes, count: rest.length }]
  }
}
