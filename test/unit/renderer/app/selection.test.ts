import { expect, test } from 'vitest'
import { Selection } from '../../../../src-renderer/app/selection.ts'

const range = (from: number, to: number): [number, string][] =>
  Array.from({ length: to - from + 1 }, (_, place) => [from + place, `row ${from + place}`])
const chosen = (selection: Selection<number, string>): number[] => selection.keys.sort((a, b) => a - b)

test('a row is chosen and given up again', () => {
  const selection = new Selection<number, string>()
  selection.toggle(3, 'row 3')
  selection.toggle(5, 'row 5')
  selection.toggle(3, 'row 3')
  expect(chosen(selection)).toEqual([5])
  expect(selection.values).toEqual(['row 5'])
})

test('a range drawn farther, or back, takes the place of the one before', () => {
  const selection = new Selection<number, string>()
  selection.toggle(1, 'row 1')
  selection.extend(range(1, 9))
  selection.extend(range(1, 3))
  expect(chosen(selection)).toEqual([1, 2, 3])
})

test('a range that begins elsewhere adds to what is chosen', () => {
  const selection = new Selection<number, string>()
  selection.extend(range(1, 3))
  selection.endRange()
  selection.extend(range(7, 9))
  selection.extend(range(7, 8))
  expect(chosen(selection)).toEqual([1, 2, 3, 7, 8])
})

test('no more are chosen than may be, one by one or in a range', () => {
  const selection = new Selection<number, string>(3)
  selection.extend(range(1, 9))
  expect(chosen(selection)).toEqual([1, 2, 3])
  selection.toggle(8, 'row 8')
  expect(selection.count).toBe(3)
  selection.toggle(2, 'row 2')
  selection.toggle(8, 'row 8')
  expect(chosen(selection)).toEqual([1, 3, 8])
})

test('what is kept of a chosen row can be brought up to date, and nothing is kept of others', () => {
  const selection = new Selection<number, string>()
  selection.toggle(1, 'row 1')
  selection.update(1, 'another')
  selection.update(2, 'a stranger')
  expect(selection.values).toEqual(['another'])
})

test('nothing is left of a selection that was cleared, nor of its range', () => {
  const selection = new Selection<number, string>()
  selection.extend(range(1, 9))
  selection.clear()
  expect(selection.count).toBe(0)
  selection.extend(range(4, 5))
  expect(chosen(selection)).toEqual([4, 5])
})
