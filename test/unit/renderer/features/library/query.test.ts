import { describe, expect, test } from 'vitest'
import type { LibraryQuery } from '../../../../../src-main/contract/library.ts'
import {
  everything,
  isNarrowed,
  naturalOrder,
  queryOf,
  queryText
} from '../../../../../src-renderer/features/library/query.ts'

const read = (text: string): LibraryQuery => queryOf(new URLSearchParams(text))

describe('a query in an address', () => {
  test('is nothing while everything is asked for', () => expect(queryText(everything)).toBe(''))

  test.each<Partial<LibraryQuery>>([
    { q: 'ubuntu & "docker" 100%' },
    { provider: 'virtualbox', architecture: 'arm64' },
    { organization: 'acme', visibility: 'private' },
    { state: 'elsewhere', sort: 'size', order: 'desc' }
  ])('comes back as it was: %o', (changes) => {
    const query = { ...everything, ...changes }
    expect(read(queryText(query))).toEqual(query)
  })

  test('leaves out what makes no sense, and keeps the rest', () =>
    expect(read('q=base&sort=colour&order=up&visibility=secret&unknown=1&state=here')).toEqual({
      ...everything,
      q: 'base',
      state: 'here'
    }))

  test('is not believed when it is endless', () => expect(read(`q=${'a'.repeat(5000)}`)).toEqual(everything))
})

test.each<[Partial<LibraryQuery>, boolean]>([
  [{}, false],
  [{ sort: 'size', order: 'desc' }, false],
  [{ q: 'a' }, true],
  [{ state: 'here' }, true]
])('%o narrows what is found: %s', (changes, expected) =>
  expect(isNarrowed({ ...everything, ...changes })).toBe(expected)
)

test('a column is first sorted the way it is mostly wanted', () =>
  expect([naturalOrder('name'), naturalOrder('downloads')]).toEqual(['asc', 'desc']))
