import { describe, expect, it } from 'vitest'
import { layOut, orderOfAge } from '../../../../src-renderer/ui/timeline.ts'

const room = { width: 560, column: 14, mostRows: 5 }
const day = 86_400_000
const start = Date.UTC(2026, 0, 1)
/** Newest first, as versions come. */
const daily = (count: number): number[] => Array.from({ length: count }, (_, i) => start + (count - i) * day)

describe('the layout of a time line', () => {
  it('puts a single moment into the middle', () => {
    const { dots } = layOut([start], room)
    expect(dots).toEqual([{ index: 0, x: expect.closeTo(room.width / 2, -1.5), row: 0 }])
  })

  it('runs from the oldest on the left to the newest on the right', () => {
    const { dots } = layOut(daily(10), room)
    const byTime = [...(dots ?? [])].sort((a, b) => a.x - b.x).map(({ index }) => index)
    expect(byTime).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  })

  it('stacks what happened at about the same time, the oldest lowest', () => {
    const { dots } = layOut([start + 3, start + 2, start + 1, start - 300 * day], room)
    const stack = (dots ?? []).filter(({ index }) => index < 3)
    expect(new Set(stack.map(({ x }) => x)).size).toBe(1)
    expect(stack.sort((a, b) => a.row - b.row).map(({ index }) => index)).toEqual([2, 1, 0])
  })

  it('keeps the order of what happened in the same millisecond', () => {
    const { dots } = layOut([start, start, start], room)
    expect([...(dots ?? [])].sort((a, b) => a.row - b.row).map(({ index }) => index)).toEqual([2, 1, 0])
  })

  it.each([500, 10_000])('counts %i points in columns instead of drawing each', (count) => {
    const { dots, columns, most } = layOut(daily(count), room)
    expect(dots).toBeNull()
    expect(columns.length).toBeLessThanOrEqual(room.width / room.column)
    expect(columns.flatMap(({ indexes }) => indexes).sort((a, b) => a - b)).toEqual(
      daily(count).map((_, i) => i)
    )
    expect(most).toBe(Math.max(...columns.map(({ indexes }) => indexes.length)))
  })

  it('keeps every mark and every name within the picture', () => {
    for (const count of [1, 2, 10, 500]) {
      const { columns, ticks } = layOut(daily(count), room)
      for (const { x } of columns)
        expect(x >= room.column / 2 && x <= room.width - room.column / 2).toBe(true)
      for (const { x } of ticks) expect(x > 20 && x < room.width - 20).toBe(true)
    }
  })

  it('needs no more than a column of width', () => {
    const { columns } = layOut(daily(3), { ...room, width: 14 })
    expect(columns).toHaveLength(1)
  })
})

it('orders by age, whatever the order they come in', () => {
  expect(orderOfAge([start, start + 2, start + 1, start])).toEqual([3, 0, 2, 1])
})
