import { describe, expect, test } from 'vitest'
import { rowHeight, rowWindow, scrolledTo } from '../../../../src-renderer/ui/row-window.ts'

const height = 10 * rowHeight + rowHeight // ten rows below the head

describe('the rows of a grid that are drawn', () => {
  test.each([
    ['of none, none', { top: 0, total: 0 }, { first: 0, last: -1 }],
    ['of few, all', { top: 0, total: 3 }, { first: 0, last: 2 }],
    ['at the top, those in sight and some below', { top: 0, total: 1000 }, { first: 0, last: 18 }],
    ['in the middle, some above as well', { top: 500 * rowHeight, total: 1000 }, { first: 492, last: 518 }],
    ['half a row farther, the same', { top: 500.5 * rowHeight, total: 1000 }, { first: 492, last: 518 }],
    ['at the end, no more than there are', { top: 990 * rowHeight, total: 1000 }, { first: 982, last: 999 }]
  ])('%s', (_, { top, total }, expected) => {
    expect(rowWindow({ top, height, total })).toMatchObject(expected)
  })

  test('are as many however far somebody has scrolled', () => {
    const { first, last } = rowWindow({ top: 80_000 * rowHeight, height, total: 100_000 })
    expect(last - first).toBeLessThan(30)
  })

  test('end where browsers stop scrolling', () => {
    expect(rowWindow({ top: 0, height, total: 5_000_000 }).total).toBe(1_100_000)
  })

  test('before the grid has a height there is room for one', () => {
    expect(rowWindow({ top: 0, height: 0, total: 1000 }).inSight).toBe(1)
  })
})

describe('a grid is scrolled to a row', () => {
  test.each([
    ['not at all while it is seen', 5, 0, 0],
    ['down just so far that it is seen whole', 10, 0, rowHeight],
    ['up just so far that it is the first', 3, 5 * rowHeight, 3 * rowHeight],
    ['up when it is cut off by the head', 3, 3.5 * rowHeight, 3 * rowHeight],
    ['far away', 999, 0, 990 * rowHeight]
  ])('%s', (_, index, top, expected) => {
    expect(scrolledTo(index, { top, height })).toBe(expected)
  })
})
