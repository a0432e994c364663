import { describe, expect, it } from 'vitest'
import {
  afterAnswer,
  afterFailure,
  afterIntroduction,
  afterRateLimit,
  closedBreaker,
  forgottenAfter,
  longestPause,
  mostFailures,
  pausedUntil,
  probeTime,
  shortestPause,
  whenAsked,
  whenUrged,
  type Breaker
} from '../../../../src-main/domain/sync/breaker.ts'

const start = 1_000_000

type Event =
  | { readonly failed: number; readonly askedFor?: number }
  | { readonly limited: number; readonly askedFor: number | null }
  | { readonly asked: number }
  | { readonly introduced: true }
  | { readonly answered: true }

/** Times are in milliseconds since the start. */
const after = (...events: readonly Event[]): Breaker =>
  events.reduce<Breaker>((breaker, event) => {
    if ('failed' in event) return afterFailure(breaker, start + event.failed, event.askedFor ?? null)
    if ('limited' in event) return afterRateLimit(breaker, start + event.limited, event.askedFor)
    if ('asked' in event) return whenAsked(breaker, start + event.asked)
    return 'introduced' in event ? afterIntroduction(breaker) : afterAnswer()
  }, closedBreaker)

const failures = (count: number, at = 0): Event[] => Array.from({ length: count }, () => ({ failed: at }))
const open = failures(mostFailures)
const second = shortestPause + 1

/** What happened, when it is asked about, and until when it is paused then. */
const cases: readonly (readonly [string, readonly Event[], number, number | null])[] = [
  ['nothing happened', [], 0, null],
  ['it failed less often than that', failures(mostFailures - 1), 1, null],
  ['it failed that often in a row', open, 1, shortestPause],
  ['the pause is over', open, shortestPause, null],
  ['it answered in between', [...failures(mostFailures - 1), { answered: true }, { failed: 1 }], 2, null],
  ['others fail that were under way', [...open, { failed: 5 }, { failed: 6 }], 7, shortestPause],
  ['one tries it after the pause', [...open, { asked: second }], second, second + probeTime],
  ['that one is never heard of again', [...open, { asked: second }], second + probeTime, null],
  ['that one gets through', [...open, { asked: second }, { introduced: true }], second, null],
  [
    'that one fails',
    [...open, { asked: second }, { failed: second + 5 }],
    second + 6,
    second + 5 + 2 * shortestPause
  ],
  [
    'it says who it is and still cannot do it',
    [...open, { asked: second }, { introduced: true }, { failed: second + 5 }],
    second + 6,
    second + 5 + 2 * shortestPause
  ],
  [
    'it did what that one asked for, and failed once after',
    [...open, { asked: second }, { introduced: true }, { answered: true }, { failed: second + 5 }],
    second + 6,
    null
  ],
  ['it asks for time when it fails', [{ failed: 0, askedFor: 4000 }], 1, 4000],
  ['it asks for more time than the pause', [...open, { failed: 1, askedFor: 60_000 }], 2, 60_001],
  ['it asks for less time than the pause', [...open, { failed: 1, askedFor: 10 }], 2, shortestPause],
  ['it limits requests', [{ limited: 0, askedFor: 7000 }], 1, 7000],
  ['it limits requests and says not for how long', [{ limited: 0, askedFor: null }], 1, shortestPause],
  ['a limit is no failure', [{ limited: 0, askedFor: 1 }, ...failures(mostFailures - 1, 5)], 6, null],
  ['a shorter limit comes in a longer pause', [...open, { limited: 1, askedFor: 10 }], 2, shortestPause]
]

describe('a remote that fails', () => {
  it.each(cases)('when %s', (_, events, at, until) => {
    expect(pausedUntil(after(...events), start + at)).toBe(until === null ? null : start + until)
  })

  it('is left alone for longer each time, up to a limit', () => {
    let breaker = after(...open)
    let now = start
    const pauses: number[] = []
    for (let i = 0; i < 40; i++) {
      const until = pausedUntil(breaker, now) as number
      pauses.push(until - now)
      now = until
      breaker = afterFailure(whenAsked(breaker, now), now)
    }
    expect(pauses[0]).toBe(shortestPause)
    const twice = pauses.slice(1).map((_pause, i) => Math.min(2 * (pauses[i] as number), longestPause))
    expect(pauses.slice(1)).toEqual(twice)
    expect(pauses.at(-1)).toBe(longestPause)
  })

  it('is asked at once when a person wants it, and left alone again when it still fails', () => {
    const urged = whenUrged(after(...open), start + 1)
    expect(pausedUntil(urged, start + 1)).toBeNull()
    const again = afterFailure(whenAsked(urged, start + 1), start + 1)
    expect(pausedUntil(again, start + 1)).toBe(start + 1 + 2 * shortestPause)
  })

  it('is not asked by impatience before the time it asked for itself', () => {
    const limited = after({ limited: 0, askedFor: 60_000 })
    expect(whenUrged(limited, start + 1)).toEqual(limited)
    expect(whenUrged(closedBreaker, start)).toEqual(closedBreaker)
  })

  it('is tried like any other when that was long ago', () => {
    expect(whenAsked(after(...open), start + forgottenAfter)).toEqual(closedBreaker)
  })
})

it('a clock that is set back does not keep a remote from being asked, nor from being left alone when it fails again', () => {
  const back = -500_000
  const asked = whenAsked(after(...open), start + back)
  expect(pausedUntil(after(...open), start + back)).toBeNull()
  const again = afterFailure(asked, start + back)
  expect(pausedUntil(again, start + back)).toBeLessThanOrEqual(start + back + longestPause)
  const limited = afterRateLimit(after(...open), start + back, 1000)
  expect(pausedUntil(limited, start + back)).toBe(start + back + 1000)
})
