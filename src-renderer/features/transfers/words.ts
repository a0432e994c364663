import type { Step } from './merge.ts'

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
