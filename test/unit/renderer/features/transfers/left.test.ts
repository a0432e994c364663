import { describe, expect, it } from 'vitest'
import { secondsLeft } from '../../../../../src-renderer/features/transfers/left.ts'

describe('the time that is left', () => {
  it('is not said of the first seconds, then follows the speed', () => {
    const running = { id: 'a', done: 100, total: 1100, bytesPerSecond: 100 }
    expect(secondsLeft(running, 0)).toBeNull()
    expect(secondsLeft(running, 2_999)).toBeNull()
    expect(secondsLeft(running, 3_000)).toBe(10)
    expect(secondsLeft({ ...running, done: 1_050 }, 4_000)).toBe(0.5)
  })

  it('begins anew after a pause', () => {
    const running = { id: 'b', done: 0, total: 100, bytesPerSecond: 10 }
    secondsLeft(running, 0)
    expect(secondsLeft({ ...running, bytesPerSecond: null }, 5_000)).toBeNull()
    expect(secondsLeft(running, 6_000)).toBeNull()
    expect(secondsLeft(running, 9_000)).toBe(10)
  })

  it('is never said where nobody knows how much there is', () => {
    const running = { id: 'c', done: 0, total: null, bytesPerSecond: 10 }
    secondsLeft(running, 0)
    expect(secondsLeft(running, 10_000)).toBeNull()
  })
})
