import type { RemoteTransfer } from '../../../src-main/contract/transfers.ts'
import type { RemoteStep, Step } from './merge.ts'

const told = {
  ready: (file: string) => `${file} was read and is ready to be published.`,
  published: (file: string) => `${file} was published.`,
  failed: (file: string, problem: readonly string[]) => `${file} failed. ${problem.join(' ')}`
}
type Told = keyof typeof told
const inSum: Record<Told, (count: number) => string> = {
  ready: (count) => `${count} files were read and are ready to be published.`,
  published: (count) => `${count} files were published.`,
  failed: (count) => `${count} files failed.`
}

const isTold = (state: string): state is Told => Object.hasOwn(told, state)

/** What somebody who does not look should hear of steps that came together; '' when nothing of it matters. */
export function announcementOf(steps: readonly Step[]): string {
  const sentences = (Object.keys(told) as Told[]).flatMap((state) => {
    const some = steps.filter(
      ({ arrival }) => arrival.state === state && !(state === 'ready' && arrival.confirmed)
    )
    const [first] = some
    if (!first) return []
    if (some.length > 2) return [inSum[state](some.length)]
    return some.map(({ arrival }) => told[state](arrival.fileName, arrival.problem ?? []))
  })
  return sentences.join(' ')
}

/** Those worth a word to somebody who went elsewhere: what was meant to happen has happened, or has not. */
export const worthAToast = (steps: readonly Step[]): Step[] =>
  steps.filter(({ arrival: { state }, from }) => from !== null && isTold(state) && state !== 'ready')

const box = ({ organization, box, what }: RemoteTransfer): string => `${organization}/${box} ${what}`
const place = ({ direction, remoteName }: RemoteTransfer): string =>
  direction === 'publish' ? `to ${remoteName}` : `from ${remoteName}`
const remoteTold = {
  done: {
    one: (transfer: RemoteTransfer) =>
      `${box(transfer)} was ${transfer.direction === 'publish' ? 'published' : 'fetched'} ${place(transfer)}.`,
    many: (count: number) => `${count} transfers are done.`
  },
  failed: {
    one: (transfer: RemoteTransfer) =>
      `${box(transfer)} ${place(transfer)} needs you. ${transfer.problem?.join(' ') ?? ''}`.trim(),
    many: (count: number) => `${count} transfers need you.`
  },
  waiting: {
    one: (transfer: RemoteTransfer) =>
      `${box(transfer)} ${place(transfer)} waits. ${transfer.problem?.join(' ') ?? ''}`.trim(),
    many: (count: number) => `${count} transfers wait.`
  }
}

/** The same of boxes to and from remotes. */
export function remoteAnnouncementOf(steps: readonly RemoteStep[]): string {
  const sentences = (['done', 'failed', 'waiting'] as const).flatMap((state) => {
    const some = steps.filter(({ transfer, from }) => from !== null && transfer.state === state)
    const { one, many } = remoteTold[state]
    return some.length > 2 ? [many(some.length)] : some.map(({ transfer }) => one(transfer))
  })
  return sentences.join(' ')
}

/** Mirrors run by themselves, and only what goes wrong with them is news to somebody elsewhere. */
export const remoteWorthAToast = (steps: readonly RemoteStep[]): RemoteStep[] =>
  steps.filter(
    ({ transfer: { state, byMirror }, from }) =>
      from !== null && (state === 'failed' || (state === 'done' && !byMirror))
  )
