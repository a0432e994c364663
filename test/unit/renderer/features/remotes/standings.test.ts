import { describe, expect, it } from 'vitest'
import { standings } from '../../../../../src-main/contract/standings.ts'
import {
  countsOf,
  inAll,
  outOfStep,
  sharesOf,
  standingsText
} from '../../../../../src-renderer/features/remotes/standings.ts'
import { standingOrder } from '../../../../../src-renderer/features/sync/standing-words.ts'

const remote = { standings: { 'in-step': 1170, ahead: 3, 'only-here': 1, behind: 0 } }

describe('how boxes stand', () => {
  it('is told of each standing there is, what waits for somebody first', () => {
    expect(countsOf(remote)).toEqual([
      { standing: 'ahead', count: 3 },
      { standing: 'only-here', count: 1 },
      { standing: 'in-step', count: 1170 }
    ])
    expect(standingsText(remote)).toBe('1,174 boxes: 3 newer here, 1 only here, 1,170 in step')
    expect([inAll(remote), outOfStep(remote)]).toEqual([1174, 4])
  })

  it('knows every standing', () => {
    expect([...standingOrder].sort()).toEqual([...standings].sort())
  })

  it('is nothing before anything was looked at', () => {
    expect([countsOf({ standings: {} }), sharesOf([])]).toEqual([[], []])
  })
})

describe('the parts of the bar', () => {
  it('fill it, and none is too small to be seen', () => {
    const shares = sharesOf(countsOf(remote))
    expect(shares.reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100)
    for (const { percent } of shares) expect(percent).toBeGreaterThan(1.4)
    expect(shares.at(-1)?.percent).toBeGreaterThan(90)
  })
})
