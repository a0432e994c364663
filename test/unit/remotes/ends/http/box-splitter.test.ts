import { describe, expect, it } from 'vitest'
import { BoxSplitter, NotAListing } from '../../../../../src-main/remotes/ends/http/box-splitter.ts'

function split(json: string | Buffer, sizes: (at: number) => number, longest = 10_000): unknown[] {
  const bytes = Buffer.from(json as string)
  const splitter = new BoxSplitter(longest)
  const found: unknown[] = []
  for (let at = 0; at < bytes.length;) {
    const size = sizes(at)
    for (const text of splitter.take(bytes.subarray(at, at + size))) found.push(JSON.parse(text))
    at += size
  }
  splitter.end()
  return found
}

const boxes = [
  { name: 'plain' },
  { name: 'quotes " and \\ and \\" and }]{[,:', nested: { boxes: [1, [2, { a: '}' }]], list: [] } },
  { name: 'ü漢字🎁', text: '\u2028\n\t"boxes":[' },
  'text, even',
  7.5e-3,
  true,
  null,
  [],
  {},
  [[[]]],
  { '': '' }
]
const around = {
  username: 'acme',
  text: '"boxes":[{"name":"wrong"}]',
  inner: { boxes: ['wrong'] },
  n: -1,
  nothing: null
}

const listings: Readonly<Record<string, object>> = {
  'at the end': { ...around, boxes },
  'at the beginning': { boxes, ...around },
  'in the middle': { a: [1, { b: '2' }], boxes, ...around },
  alone: { boxes },
  'of nothing': { ...around, boxes: [] }
}

describe('the boxes of a listing', () => {
  for (const [where, listing] of Object.entries(listings))
    for (const [how, json] of [
      ['tight', JSON.stringify(listing)],
      ['loose', JSON.stringify(listing, null, 3).replaceAll('\n', '\r\n\t')]
    ] as const)
      it(`come out whole, ${where}, ${how}, wherever it is cut`, () => {
        const expected = 'boxes' in listing ? listing.boxes : []
        const length = Buffer.byteLength(json)
        for (const size of [1, 2, 3, 7, 64, length]) expect(split(json, () => size)).toEqual(expected)
        // In two parts, at every byte: within letters of several bytes, escapes and keys too.
        for (let cut = 1; cut < length; cut += 1)
          expect(split(json, (at) => (at === 0 ? cut : length))).toEqual(expected)
      })

  it('are held one at a time', () => {
    const splitter = new BoxSplitter(100)
    expect([...splitter.take(Buffer.from('{"boxes":[{"a":1},{"b"'))]).toEqual(['{"a":1}'])
    expect([...splitter.take(Buffer.from(':2},'))]).toEqual(['{"b":2}'])
    expect([...splitter.take(Buffer.from('3]}'))]).toEqual(['3'])
  })

  it.each([
    ['nothing', ''],
    ['a list', '[1]'],
    ['text', '"boxes"'],
    ['a number', '7'],
    ['a page', '<!doctype html>'],
    ['an object without them', '{"username":"acme"}'],
    ['an object in their place', '{"boxes":{"a":1}}'],
    ['them deeper down alone', '{"a":{"boxes":[1]}}'],
    ['an end that is missing', '{"boxes":[1,2]'],
    ['a list that breaks off', '{"boxes":[1,2'],
    ['a text that breaks off', '{"boxes":["a'],
    ['more after the end', '{"boxes":[]} {'],
    ['more ends than beginnings', '{"boxes":[]}}']
  ])('are not found in %s', (_what, json) => {
    for (const size of [1, 5, 1000]) expect(() => split(json, () => size)).toThrow(NotAListing)
  })

  it('that are too long, too deep or have keys without end cost nothing', () => {
    const long = `{"boxes":["${'x'.repeat(200)}"]}`
    expect(() => split(long, () => 10, 100)).toThrow(/longer than 100 bytes/)
    expect(() => split(long, () => 1000, 100)).toThrow(/longer than 100 bytes/)
    expect(() => split(`{"boxes":[${'['.repeat(300)}`, () => 10)).toThrow(/too deep/)
    expect(() => split(`{"${'k'.repeat(100_000)}":1}`, () => 1000)).toThrow(/no list of boxes/)
  })

  it('are not taken for them because a longer key begins alike', () => {
    expect(() => split('{"boxesx":[1]}', () => 3)).toThrow(NotAListing)
    expect(split('{"box\\u0065s":[2],"boxes":[1]}', () => 3)).toEqual([1])
  })
})
