import { describe, expect, it } from 'vitest'
import { Documents, matches } from '../../../src-main/registry/documents.ts'

describe('Documents', () => {
  it('makes an answer once, until anything changes', () => {
    let revision = 'a'
    let made = 0
    const documents = new Documents(() => revision, 100_000)
    const read = (): string => documents.of(['x'], () => ({ made: (made += 1) })).body.toString()
    expect([read(), read()]).toEqual(['{"made":1}', '{"made":1}'])
    revision = 'b'
    expect(read()).toBe('{"made":2}')
    revision = 'a'
    expect(read()).toBe('{"made":3}')
  })

  it('keeps apart what differs in any part', () => {
    const documents = new Documents(() => 'a', 100_000)
    const keys = [['a', 'b'], ['ab', ''], ['a', 'b', ''], ['a'], ['b', 'a']]
    expect(keys.map((parts, i) => documents.of(parts, () => i).body.toString())).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4'
    ])
    expect(keys.map((parts) => documents.of(parts, () => 'new').body.toString())).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4'
    ])
  })

  it('keeps nothing of what could not be made', () => {
    const documents = new Documents(() => 'a', 100_000)
    const fail = (): never => {
      throw new Error('no')
    }
    expect(() => documents.of(['x'], fail)).toThrow('no')
    expect(documents.of(['x'], () => 1).body.toString()).toBe('1')
  })

  it('holds no more than it may', () => {
    const documents = new Documents(() => 'a', 100_000)
    let made = 0
    const read = (name: string): void => void documents.of([name], () => ((made += 1), 'x'.repeat(4_000)))
    for (let i = 0; i < 100; i += 1) read(String(i))
    read('0')
    expect(made).toBe(101)
    read('99')
    expect(made).toBe(101)
  })

  it('gives the same content the same tag, and other content another', () => {
    const documents = new Documents(() => 'a', 100_000)
    const tags = [1, 1, 2].map((value, i) => documents.of([String(i)], () => value).etag)
    expect(tags[0]).toBe(tags[1])
    expect(tags[0]).not.toBe(tags[2])
  })
})

describe('matches', () => {
  it.each(['"a"', 'W/"a"', '"x", "a"', '*', '"x",W/"a"'])('%s names "a"', (header) =>
    expect(matches(header, '"a"')).toBe(true)
  )
  it.each([undefined, '', 'a', '"b"', '"ab"'])('%s does not', (header) =>
    expect(matches(header, '"a"')).toBe(false)
  )
})
