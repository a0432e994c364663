export { isPrerelease } from '../contract/words.ts'

const pattern = /^[0-9]+(\.[0-9A-Za-z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/
const longest = 128

/** Says what keeps a text from being a version number that every client can parse, or nothing. */
export function numberFault(number: string): string | null {
  if (number === '') return 'The version number is missing.'
  if (number.length > longest)
    return `The version number is ${number.length} characters long; ${longest} is the most.`
  if (!pattern.test(number))
    return `The version number "${number}" must begin with a number, with segments separated by dots.`
  return null
}

/**
 * Orders numbers as RubyGems does, because Vagrant picks versions with it: negative when `a` comes first.
 * Both must be without fault.
 */
export function compareNumbers(a: string, b: string): number {
  const left = numberKey(a)
  const right = numberKey(b)
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * A text for each number that is equal for numbers that compare equal (1.0 and 1.0.0) and sorts, byte by byte,
 * in their order, so that the database can compare and sort numbers too.
 *
 * RubyGems compares segment by segment, as if endless zeros followed the last one, and a word comes before every
 * number. Zeros are therefore counted into the segment after them: a segment below zero (a word) comes the earlier
 * the fewer zeros stand before it, one above zero the later, and the end of the number lies between the two.
 */
export function numberKey(number: string): string {
  let key = ''
  let zeros = 0
  for (const segment of canonicalSegments(number)) {
    if (segment === '0') zeros += 1
    else {
      key += isWord(segment)
        ? `1${String.fromCharCode(firstPrintable + zeros)}${segment}.`
        : `5${String.fromCharCode(lastPrintable - zeros)}${digitCount(segment)}${segment}`
      zeros = 0
    }
  }
  return `${key}3`
}

const firstPrintable = 0x21
const lastPrintable = 0x7e

/** Sorts by length first, so that digits of any count compare as the numbers they are. */
const digitCount = (digits: string): string =>
  digits.length < 10 ? String(digits.length) : `A${String(digits.length).padStart(3, '0')}`

const isWord = (segment: string): boolean => !/^[0-9]/.test(segment)

/** Numbers without leading zeros, and words; zeros right before the first word and at the end say nothing. */
function canonicalSegments(number: string): string[] {
  const segments = [...number.replaceAll('-', '.pre.').matchAll(/[0-9]+|[A-Za-z]+/g)].map(([segment]) =>
    isWord(segment) ? segment : segment.replace(/^0+(?=.)/, '')
  )
  const firstWord = segments.findIndex(isWord)
  const split = firstWord === -1 ? segments.length : firstWord
  return [...withoutLastZeros(segments.slice(0, split)), ...withoutLastZeros(segments.slice(split))]
}

const withoutLastZeros = (segments: readonly string[]): readonly string[] =>
  segments.slice(0, segments.findLastIndex((segment) => segment !== '0') + 1)

/** The number somebody most likely means by "the next one": the last count in it, one higher. */
export const nextNumber = (number: string): string =>
  number.replace(/([0-9]+)([^0-9]*)$/, (_, count: string, rest: string) => `${BigInt(count) + 1n}${rest}`)

/** The number a next version usually gets, after the highest there is; null when there is none yet. */
export const nextNumberAfter = (highest: string | null): string =>
  highest === null ? '1.0.0' : nextNumber(highest)
