import { describe, expect, it } from 'vitest'
import { rowsInSight } from '../../../../../src-renderer/features/box/versions.ts'

describe('the rows of a long list that are drawn', () => {
  it.each([
    { case: 'at the top', top: 0, from: 0, to: 18 },
    { case: 'in the middle', top: 14_000, from: 492, to: 518 },
    { case: 'at the end', top: 27_720, from: 982, to: 1_000 },
    { case: 'before anything was measured', top: 0, height: 0, from: 0, to: 8 }
  ])('$case', ({ top, height = 280, from, to }) => {
    expect(rowsInSight(1_000, 28, top, height)).toEqual({ from, to })
  })

  it('are all of a short one', () => {
    expect(rowsInSight(3, 28, 0, 280)).toEqual({ from: 0, to: 3 })
  })
})
