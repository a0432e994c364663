import { counted } from '../contract/counted.ts'
import type { SyncStepView, SyncConflict, SyncPlanView } from '../contract/sync.ts'
import { sizeText } from '../contract/size-text.ts'
import { printable, shortTime } from './table.ts'

/** A plan as lines for people: what would be done, in its order, and what has to be decided first. */
export function planText(plan: SyncPlanView, remoteName: string): string {
  const { steps, conflicts, notes, direction, asSeenAt, unreachable } = plan
  const done = steps.filter(({ leftOut }) => !leftOut)
  const tag = `${plan.organization}/${plan.box}`
  const head = direction === 'publish' ? `${tag} to ${remoteName}` : `${tag} from ${remoteName}`
  const lines = [
    `${head}: ${done.length === 0 ? 'nothing to do' : `${counted(done.length, 'step')}, ${sizeText(plan.bytes)} to ${direction === 'publish' ? 'send' : 'fetch'}`}`,
    ...done.map((step) => `  ${stepText(step)}`),
    ...conflicts.flatMap(conflictLines),
    ...notes.map((note) => `  Note: ${note}`)
  ]
  if (asSeenAt !== null)
    lines.push(
      `  ${[...(unreachable ?? [])].join(' ')}`,
      asSeenAt === 0
        ? '  What is there has never been seen, so this is only what would go there at most.'
        : `  This is by what was seen there on ${shortTime(asSeenAt)}.`
    )
  return lines.map(printable).join('\n')
}

const stepText = ({ sentence, bytes }: SyncStepView): string =>
  bytes === 0 ? sentence : sentence.replace(/\.$/, ` (${sizeText(bytes)}).`)

/** What has to be chosen, and what to write for each choice. */
export const conflictLines = ({ key, sentence, choices, chosen }: SyncConflict): string[] => [
  `  ${sentence}`,
  ...choices.map(
    ({ choice, sentence }) =>
      `    ${choice === chosen ? 'chosen: ' : ''}--choose "${key}=${choice}"  ${sentence}`
  )
]
