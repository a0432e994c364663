import { describe, expect, it } from 'vitest'
import { fold, matches, queryFault, queryWords } from '../../../src-main/domain/search-words.ts'

const box = (tag: string, description = '') => ({ tag: fold(tag), description: fold(description) })
const finds = (q: string, tag: string, description?: string) => matches(box(tag, description), queryWords(q))

describe('the words of a query', () => {
  it.each([
    ['  two \t words\n', ['two', 'words']],
    ['', []],
    [' \u00a0\u3000 ', []],
    ['Twice tWICE', ['twice']],
    ['"quoted text" OR -not*', ['"quoted', 'text"', 'or', '-not*']]
  ])('of %j are %j', (q, words) => {
    expect(queryWords(q)).toEqual(words)
  })
})

describe('a query that is too long', () => {
  const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(' ')
  it.each([
    ['', false],
    [words(64), false],
    [`${words(64)} W1 w2`, false],
    [words(65), true],
    ['x'.repeat(1000), false],
    ['x'.repeat(1001), true],
    [' '.repeat(1001), true]
  ])('is told: %j: %j', (q, isRefused) => {
    expect(queryFault(q) !== null).toBe(isRefused)
  })
})

describe('a query', () => {
  it.each([
    ['', 'acme/base', ''],
    // the beginning of a word of any of the three
    ['a', 'acme/base', ''],
    ['b', 'acme/base', ''],
    ['m', 'acme/base', 'A minimal system'],
    ['mini', 'acme/base', 'A minimal system'],
    ['04', 'acme/ubuntu-22.04', ''],
    ['22.04', 'acme/ubuntu-22.04', ''],
    ['box', 'acme/my_box', ''],
    // any part of the organization or name
    ['cme', 'acme/base', ''],
    ['-22', 'acme/ubuntu-22.04', ''],
    // whole tags, or most of them
    ['acme/base', 'acme/base', ''],
    ['ACME/b', 'acme/base', ''],
    ['me/ba', 'acme/base', ''],
    ['a/', 'a/base', ''],
    // all words, wherever each is
    ['acme system', 'acme/base', 'A minimal system'],
    // characters that mean something elsewhere
    ['c++', 'acme/base', 'for C++ people'],
    ['"best"', 'acme/base', 'the "best" one'],
    ['-', 'acme/base', 'small - and good'],
    ['OR', 'oracle/base', ''],
    // other scripts
    ['ÉCOLE', 'acme/base', 'une e\u0301cole'],
    ['STRASSE', 'acme/base', 'Die Straße'],
    ['ΟΔΟΣ', 'acme/base', 'οδοσα'],
    ['日', 'acme/base', '日本語'],
    ['😀', 'acme/base', '😀'],
    ['𐐨', 'acme/base', '-𐐀']
  ])('%j finds %s, %j', (q, tag, description) => {
    expect(finds(q, tag, description)).toBe(true)
  })

  it.each([
    ['cm', 'acme/base', ''],
    ['/', 'acme/base', ''],
    ['e/', 'acme/base', ''],
    ['nimal', 'acme/base', 'A minimal system'],
    ['base x', 'acme/base', ''],
    ['-', 'my-org/my-base', 'ready-made'],
    ['"base"', 'acme/base', 'base'],
    ['ba*', 'acme/base', 'base'],
    ['%', 'acme/base', '100 percent'],
    ['_', 'acme/my_box', ''],
    ['e', 'acme/base', 'é'],
    ['base/acme', 'acme/base', ''],
    ['basea', 'acme/base', 'acme base'],
    ['本', 'acme/base', '日本語'],
    ['\u0301cole', 'acme/base', 'q\u0301cole']
  ])('%j does not find %s, %j', (q, tag, description) => {
    expect(finds(q, tag, description)).toBe(false)
  })
})
