import type { Outlook } from '../sync/bulk.svelte.ts'
import { counted } from '../../app/format.ts'

/** A line of what would become of many boxes at one remote. */
export interface SummaryLine {
  readonly serious: boolean
  readonly sentence: string
}

const boxes = (count: number): string => counted(count, 'box', 'boxes')
const has = (count: number, one: string, many: string): string =>
  `${boxes(count)} ${count === 1 ? one : many}`

/** What is known of the plans of some boxes, of `all` there are: how many change, wait for a decision or cannot go. */
export function bulkSummary(outlooks: readonly Outlook[], all: number): SummaryLine[] {
  const plans = outlooks.flatMap((outlook) => ('plan' in outlook ? [outlook.plan] : []))
  const problems = outlooks.flatMap((outlook) => ('problem' in outlook ? [outlook.problem.join(' ')] : []))
  const undecided = plans.filter(({ conflicts }) => conflicts.some(({ chosen }) => chosen === null))
  const unknown = plans.filter(({ asSeenAt }) => asSeenAt === 0)
  const known = plans.filter((plan) => !unknown.includes(plan))
  const changed = known.filter(({ steps }) => steps.length > 0)
  const same = known.filter((plan) => plan.steps.length === 0 && !undecided.includes(plan))
  const away = plans.find(({ asSeenAt }) => asSeenAt !== null)
  const rest = all - outlooks.length
  const lines: (SummaryLine | false)[] = [
    away !== undefined && {
      serious: false,
      sentence:
        `It does not answer now; everything goes there when it does. ${away.unreachable?.join(' ') ?? ''}`.trim()
    },
    changed.length > 0 && {
      serious: false,
      sentence: `${has(changed.length, 'has', 'have')} something to publish.`
    },
    same.length > 0 && { serious: false, sentence: `${has(same.length, 'is', 'are')} there already.` },
    undecided.length > 0 && {
      serious: true,
      sentence: `${has(undecided.length, 'needs', 'need')} a decision, which Transfers asks for; the others do not wait for it.`
    },
    problems.length > 0 && {
      serious: true,
      sentence: `${has(problems.length, 'cannot', 'cannot')} be published. ${[...new Set(problems)].slice(0, 2).join(' ')}`
    },
    rest > 0 &&
      outlooks.length > 0 && {
        serious: false,
        sentence: `${counted(rest, 'other is', 'others are')} looked at when their turn comes.`
      }
  ]
  return lines.filter((line) => line !== false)
}
