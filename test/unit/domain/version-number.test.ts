import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareNumbers,
  isPrerelease,
  nextNumber,
  numberFault,
  numberKey
} from '../../../src-main/domain/version-number.ts'
import gemOrder from '../../fixtures/gem-version-order.json'

const segment = fc.oneof(
  fc.constantFrom('0', '00', '1', '01', 'a', 'rc1', '1a', 'pre', 'A'),
  fc.nat(30).map(String),
  fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
  fc.string({ unit: fc.constantFrom(...'abAZ019'), minLength: 1, maxLength: 4 })
)
const dotted = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('.'))
const anyNumber = fc
  .tuple(
    fc.oneof(fc.nat(3), fc.bigInt({ min: 0n, max: 10n ** 30n })),
    fc.option(dotted),
    fc.option(fc.oneof(dotted, fc.constantFrom('-', 'a-1', '--')))
  )
  .map(
    ([first, rest, tail]) => `${first}${rest === null ? '' : `.${rest}`}${tail === null ? '' : `-${tail}`}`
  )
  .filter((number) => number.length <= 120)

describe('the order of version numbers', () => {
  // Recorded from RubyGems' own Gem::Version: groups of equal numbers, lowest first.
  it('is the one RubyGems has', () => {
    const groups: readonly (readonly string[])[] = gemOrder
    const ranked = groups.flatMap((group, rank) => group.map((number) => ({ number, rank })))
    const wrong = ranked.flatMap((a) =>
      ranked
        .filter((b) => compareNumbers(a.number, b.number) !== Math.sign(a.rank - b.rank))
        .map((b) => `${a.number} and ${b.number}`)
    )
    expect(ranked.length).toBeGreaterThan(200)
    expect(wrong).toEqual([])
  })

  it('is total: it turns around, and carries over', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, anyNumber, (a, b, c) => {
        expect(numberFault(a)).toBeNull()
        expect(compareNumbers(a, a)).toBe(0)
        expect(compareNumbers(a, b) + compareNumbers(b, a)).toBe(0)
        const [low, middle, high] = [a, b, c].sort(compareNumbers) as [string, string, string]
        expect(compareNumbers(low, middle)).toBeLessThanOrEqual(0)
        expect(compareNumbers(low, high)).toBeLessThanOrEqual(0)
      })
    )
  })

  it('takes numbers for equal exactly when their keys are', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (a, b) => {
        expect(numberKey(a) === numberKey(b)).toBe(compareNumbers(a, b) === 0)
        expect(numberKey(`${a}.0`)).toBe(numberKey(a))
      })
    )
  })

  it.each([
    ['1.2.3', false],
    ['1.2.3-4', true],
    ['1.0.0.pre', true],
    ['1.0a', true],
    ['20240101.0.0', false]
  ])('%s is a prerelease: %s', (number, expected) => expect(isPrerelease(number)).toBe(expected))
})

describe('the form of a version number', () => {
  it.each(['0', '1', '1.0.0', '1.0.0-beta.1', '3.0.0.pre', '1.0.0-a-b', '01.2', '1'.repeat(128)])(
    '%s is accepted',
    (number) => expect(numberFault(number)).toBeNull()
  )

  it.each([
    'v1.0',
    'v1.x',
    '1..0',
    '1.',
    '.1',
    '1.0+build',
    '1.0 ',
    '1.0\n',
    '1_0',
    '1.0-',
    'latest',
    '１.0'
  ])('%j is refused with the sentence clients know', (number) =>
    expect(numberFault(number)).toMatch(/must begin with a number, with segments separated by dots\.$/)
  )

  it('has an end', () => expect(numberFault('1'.repeat(129))).toMatch(/129 characters long; 128 is the most/))
  it('is not empty', () => expect(numberFault('')).toMatch(/missing/))
  it('is checked without a runaway pattern', () => {
    const start = performance.now()
    numberFault(`1${'.0-'.repeat(40)}!`)
    expect(performance.now() - start).toBeLessThan(100)
  })
})

describe('the next number', () => {
  it.each([
    ['1.2.3', '1.2.4'],
    ['1.9', '1.10'],
    ['7', '8'],
    ['1.0.0-beta.1', '1.0.0-beta.2'],
    ['1.0.0.pre', '1.0.1.pre'],
    ['1.9007199254740993', '1.9007199254740994']
  ])('after %s is %s', (number, next) => expect(nextNumber(number)).toBe(next))

  it('is always a higher one', () => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        expect(compareNumbers(nextNumber(number), number)).toBe(1)
      })
    )
  })
})
