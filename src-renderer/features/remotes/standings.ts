import type { Remote } from '../../../src-main/contract/remotes.ts'
import type { Standing } from '../../../src-main/contract/standings.ts'
import { counted } from '../../app/format.ts'
import { standingOrder, standingWords } from '../sync/standing-words.ts'

/** How many boxes stand how. */
export interface Count {
  readonly standing: Standing
  readonly count: number
}

/** Those there are any of, in the order they are shown. */
export const countsOf = ({ standings }: Pick<Remote, 'standings'>): Count[] =>
  standingOrder
    .map((standing) => ({ standing, count: standings[standing] ?? 0 }))
    .filter(({ count }) => count > 0)

const sum = (counts: readonly Count[]): number => counts.reduce((total, { count }) => total + count, 0)

/** All boxes that are known here or there. */
export const inAll = (remote: Pick<Remote, 'standings'>): number => sum(countsOf(remote))

export const outOfStep = (remote: Pick<Remote, 'standings'>): number =>
  inAll(remote) - (remote.standings['in-step'] ?? 0)

/** "120 boxes: 3 newer here, 117 in step" */
export const standingsText = (remote: Pick<Remote, 'standings'>): string =>
  `${counted(inAll(remote), 'box', 'boxes')}: ` +
  countsOf(remote)
    .map(
      ({ standing, count }) => `${count.toLocaleString('en')} ${standingWords[standing].word.toLowerCase()}`
    )
    .join(', ')

/** Shares of a bar, in percent; none is so small that nobody sees it. */
export function sharesOf(counts: readonly Count[], least = 1.5): { standing: Standing; percent: number }[] {
  const total = sum(counts)
  const raised = counts.map(({ standing, count }) => ({
    standing,
    percent: Math.max(least, (100 * count) / total)
  }))
  const whole = raised.reduce((all, { percent }) => all + percent, 0)
  return raised.map(({ standing, percent }) => ({ standing, percent: (100 * percent) / whole }))
}
