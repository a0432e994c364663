import { describe, expect, it } from 'vitest'
import { fitted, huesOf, tilesOf } from '../../../../src-renderer/ui/treemap.ts'

const items = (...sizes: number[]) => sizes.map((bytes, place) => ({ name: `item ${place}`, bytes }))

describe('a treemap', () => {
  it('gives each item an area of its own in proportion to its bytes, within the picture', () => {
    const tiles = tilesOf(items(100, 600, 300), 1000, 500)
    expect(tiles.map(({ item }) => item.bytes)).toEqual([600, 300, 100])
    for (const { item, x, y, width, height } of tiles) {
      expect((width * height) / (1000 * 500)).toBeCloseTo(item.bytes / 1000, 1)
      expect([x >= 0, y >= 0, x + width <= 1000, y + height <= 500]).toEqual([true, true, true, true])
    }
    const overlaps = tiles.flatMap((a, i) =>
      tiles
        .slice(i + 1)
        .filter(
          (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
        )
    )
    expect(overlaps).toEqual([])
  })

  it('leaves out what takes no room, and is empty when nothing does', () => {
    expect(tilesOf(items(0, 5, 0), 100, 100).map(({ item }) => item.bytes)).toEqual([5])
    expect(tilesOf(items(0, 0), 100, 100)).toEqual([])
    expect(tilesOf([], 100, 100)).toEqual([])
  })

  it('keeps even the smallest in sight', () => {
    for (const { width, height } of tilesOf(items(1e12, ...Array<number>(60).fill(1)), 600, 300))
      expect([width >= 1, height >= 1]).toEqual([true, true])
  })
})

describe('a label', () => {
  const measure = (text: string): number => text.length * 10

  it.each([
    ['debian', 60, 'debian'],
    ['debian', 59, 'debi…'],
    ['debian', 40, 'deb…'],
    ['debian', 39, null],
    ['x', 10, 'x'],
    ['x', 9, null],
    ['', 0, '']
  ])('of %j in a room of %d is %j', (text, room, shown) => {
    expect(fitted(text, room, measure)).toBe(shown)
  })
})

describe('colours', () => {
  it('take turns by name, so that no change of size changes one', () => {
    const hues = huesOf(['c', 'a', 'b'])
    expect([...hues]).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3]
    ])
    expect(huesOf(['a', 'b', 'c'])).toEqual(hues)
    expect(new Set(huesOf([...'abcdefghij']).values()).size).toBe(5)
  })
})
