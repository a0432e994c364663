import { describe, expect, it } from 'vitest'
import { GuessLimit } from '../../../src-main/access/guess-limit.ts'
import { Clock, minutes, seconds } from '../../support/access.ts'

function afterWrong(times: number) {
  const clock = new Clock()
  const limit = new GuessLimit(clock.now)
  for (let i = 0; i < times; i += 1) limit.wrong('alice')
  return { clock, limit }
}

describe('the pause after wrong passwords', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 1],
    [6, 2],
    [10, 32],
    [11, 60],
    [5000, 60]
  ])('after %i of them is %i s', (times, pause) => {
    const { clock, limit } = afterWrong(times)
    expect(limit.pauseMs('alice')).toBe(seconds(pause))
    clock.pass(seconds(pause))
    expect(limit.pauseMs('alice')).toBe(0)
  })

  it('holds for one login alone', () => {
    expect(afterWrong(9).limit.pauseMs('bob')).toBe(0)
  })

  it('ends with the right password, and starts from nothing then', () => {
    const { limit } = afterWrong(9)
    limit.right('alice')
    limit.wrong('alice')
    expect(limit.pauseMs('alice')).toBe(0)
  })

  it('is forgotten when nobody guesses for a while', () => {
    const { clock, limit } = afterWrong(11)
    clock.pass(minutes(15))
    limit.wrong('alice')
    expect(limit.pauseMs('alice')).toBe(0)
  })

  it('locks nobody out when the clock is set back', () => {
    const { clock, limit } = afterWrong(11)
    clock.pass(-minutes(60 * 24))
    expect(limit.pauseMs('alice')).toBe(0)
  })
})
