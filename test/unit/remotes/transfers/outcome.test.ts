import { describe, expect, it } from 'vitest'
import { missing, Problem } from '../../../../src-main/domain/problem.ts'
import { outcomeOf, unbegun, type Attempt } from '../../../../src-main/remotes/transfers/outcome.ts'

const attempt: Attempt = {
  ...{ attempts: 0, progressed: false, damaged: 0, now: 1000, random: 0.5 },
  ...{ pausedUntil: null, overNetwork: true }
}
const full = new Problem('no-room', 'The disk is full, so nothing was changed; make room and try again.')

describe('a transfer that could not even be begun', () => {
  it('because the disk was full is tried again by itself', () => {
    expect(unbegun(full, attempt)).toMatchObject({
      ...{ state: 'waiting', waitingFor: 'retry', nextAttemptAt: 2000, attempts: 1 },
      problem: full.sentences
    })
  })

  it.each([new Error('a bug'), new TypeError('another')])('because of %s has failed', (error) => {
    expect(unbegun(error, attempt)).toMatchObject({
      state: 'failed',
      problem: [expect.stringContaining('fault in the program')]
    })
  })
})

it('what was removed here in the middle is told in words that are not those for strangers', () => {
  expect(outcomeOf(missing(), attempt)).toMatchObject({
    state: 'failed',
    problem: [expect.stringContaining('removed or renamed in the middle'), expect.any(String)]
  })
  const other = new Problem('missing', 'There is no organization acme here.')
  expect(outcomeOf(other, attempt).problem).toEqual(other.sentences)
})
