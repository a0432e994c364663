import { expect, test } from 'vitest'
import { slidTo } from '../../../../src-renderer/ui/slider-keys.ts'

test.each([
  ['ArrowRight', 2, 5, 3],
  ['ArrowUp', 2, 5, 3],
  ['ArrowLeft', 2, 5, 1],
  ['ArrowDown', 2, 5, 1],
  ['Home', 2, 5, 0],
  ['End', 2, 5, 4],
  ['ArrowRight', 4, 5, 4],
  ['ArrowLeft', 0, 5, 0],
  ['Enter', 2, 5, null],
  ['toString', 2, 5, null],
  ['Home', 0, 0, null]
])('%s at %i of %i leads to %j', (key, place, count, expected) => {
  expect(slidTo(key, place, count)).toBe(expected)
})
