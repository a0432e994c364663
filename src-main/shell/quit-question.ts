import type { Transfers } from '../contract/arrivals.ts'
import type { Question } from './questions.ts'

const mostNamed = 5

/** What quitting now would interrupt, as a question; null when nothing runs. */
export function quitQuestion({
  arrivals,
  clientUploads,
  remoteTransfers
}: Transfers): Question<'Quit' | 'Keep running'> | null {
  const reading = arrivals.filter(({ state }) => ['waiting', 'reading', 'publishing'].includes(state))
  const names = [
    ...reading.map(({ fileName, kind }) =>
      kind === 'stream' ? `${fileName} (has to be dropped again)` : `${fileName} (goes on at the next start)`
    ),
    ...remoteTransfers
      .filter(({ state }) => state === 'running' || state === 'verifying')
      .map(
        ({ organization, box, direction, remoteName }) =>
          `${organization}/${box} ${direction === 'publish' ? 'to' : 'from'} ${remoteName} (goes on at the next start)`
      ),
    ...clientUploads.map(({ what }) => `${what} (its client has to send it again)`)
  ]
  if (names.length === 0) return null
  const more = names.length - mostNamed
  return {
    message:
      names.length === 1 ? 'A transfer is still running.' : `${names.length} transfers are still running.`,
    detail: [
      'Quitting interrupts:',
      '',
      ...names.slice(0, mostNamed).map((name) => `• ${name}`),
      ...(more > 0 ? [`• and ${more} more`] : [])
    ].join('\n'),
    kind: 'question',
    answers: ['Quit', 'Keep running']
  }
}
