import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rangeOf } from '../../../src-main/registry/range.ts'

describe('rangeOf', () => {
  it.each([
    ['bytes=0-', 0, 99],
    ['bytes=10-19', 10, 19],
    ['bytes=10-10', 10, 10],
    ['bytes=90-500', 90, 99],
    ['bytes=99-', 99, 99],
    ['bytes=-1', 99, 99],
    ['bytes=-500', 0, 99],
    [' bytes=5- ', 5, 99]
  ])('%s of 100 bytes is from %i to %i', (header, start, end) => {
    expect(rangeOf(header, 100)).toEqual({ start, end })
  })

  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=-0',
    'bytes=100-',
    'bytes=1000-2000',
    'bytes=5-1',
    'bytes=0-1,3-4',
    'bytes=x-',
    'bytes=1.5-',
    'bytes=+1-',
    'lines=0-1',
    `bytes=${'9'.repeat(400)}-`
  ])('%s of 100 bytes is all of them', (header) => {
    expect(rangeOf(header, 100)).toBeNull()
  })

  it('of nothing is nothing', () => {
    for (const header of ['bytes=0-', 'bytes=-5', 'bytes=0-0']) expect(rangeOf(header, 0)).toBeNull()
  })

  it('always lies within the file', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (first, last, size) => {
        for (const header of [`bytes=${first}-${last}`, `bytes=${first}-`, `bytes=-${last}`]) {
          const range = rangeOf(header, size)
          if (range) expect(0 <= range.start && range.start <= range.end && range.end < size).toBe(true)
        }
      })
    )
  })
})
