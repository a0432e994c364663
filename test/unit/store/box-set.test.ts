import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  andStored,
  changeStored,
  chunkSize,
  countBits,
  hasBit,
  listBits,
  noBits,
  orStored,
  storedSet
} from '../../../src-main/store/box-set.ts'

const read = (stored: Buffer | null): number[] => {
  const bits = noBits()
  if (stored) orStored(bits, storedSet(stored))
  return listBits(bits)
}
const sorted = (offsets: Iterable<number>) => [...new Set(offsets)].sort((a, b) => a - b)

/** Few, many, and just about as many as change how a set is stored. */
const offsets = fc.oneof(
  fc.array(fc.integer({ min: 0, max: chunkSize - 1 }), { maxLength: 40 }),
  fc
    .tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(100, 2046, 2047, 2048, 2049, 5000))
    .map(([stride, count]) => Array.from({ length: count }, (_, n) => (n * stride) % chunkSize)),
  fc.constant(Array.from({ length: chunkSize }, (_, n) => n))
)

describe('a stored set of boxes', () => {
  it('holds what was put into it and not taken out again', () => {
    fc.assert(
      fc.property(offsets, offsets, offsets, (first, added, removed) => {
        const stored = changeStored(null, sorted(first))
        expect(read(stored)).toEqual(sorted(first))
        const gone = new Set(removed)
        const extra = sorted(added).filter((offset) => !gone.has(offset))
        const left = sorted([...first.filter((offset) => !gone.has(offset)), ...extra])
        const changed = changeStored(stored, extra, sorted(removed))
        expect(read(changed)).toEqual(left)
        if (left.length === 0) expect(changed).toBeNull()
      }),
      { numRuns: 60 }
    )
  })

  it('meets other sets', () => {
    fc.assert(
      fc.property(offsets, offsets, (some, others) => {
        const bits = noBits()
        const stored = changeStored(null, sorted(others))
        for (const part of [changeStored(null, sorted(some))]) if (part) orStored(bits, storedSet(part))
        const inOthers = new Set(others)
        const both = sorted(some.filter((offset) => inOthers.has(offset)))
        if (stored) expect(andStored(bits, storedSet(stored))).toBe(both.length > 0)
        expect(stored ? listBits(bits) : []).toEqual(both)
        if (stored) expect(countBits(bits)).toBe(both.length)
        for (const offset of both.slice(0, 10)) expect(hasBit(bits, offset)).toBe(true)
      }),
      { numRuns: 40 }
    )
  })

  it('never takes more than a bitmap', () => {
    const everybody = changeStored(
      null,
      Array.from({ length: chunkSize }, (_, n) => n)
    )
    expect(everybody?.length).toBe(chunkSize / 8)
    expect(changeStored(null, [7])?.length).toBe(2)
  })

  it('is read wherever in memory it lies', () => {
    const stored = changeStored(null, [1, 2, 65_535]) as Buffer
    const shifted = Buffer.concat([Buffer.alloc(1), stored]).subarray(1)
    expect(read(shifted)).toEqual([1, 2, 65_535])
  })
})
