import { describe, expect, it } from 'vitest'
import type { SyncRequest } from '../../../../src-main/contract/sync.ts'
import { widened } from '../../../../src-main/remotes/transfers/widening.ts'

const base = { direction: 'publish', remoteId: 1, organization: 'acme', box: 'base' } as const
const image = { provider: 'virtualbox', architecture: 'amd64' }
const other = { provider: 'libvirt', architecture: 'amd64' }
const filter = { newest: 1, prereleases: false, providers: [], architectures: [], largestBytes: null }
type Said = Omit<Partial<SyncRequest>, keyof typeof base>

describe('a request of a box that has one waiting', () => {
  it.each<{ what: string; before: Said; later: Said; after: Said | null }>([
    { what: 'the same', before: { version: '1' }, later: { version: '1' }, after: { version: '1' } },
    { what: 'more of it', before: { version: '1' }, later: {}, after: {} },
    { what: 'a part of it', before: {}, later: { version: '1' }, after: {} },
    {
      what: 'an image of it',
      before: { version: '1' },
      later: { version: '1', image },
      after: { version: '1' }
    },
    { what: 'another version', before: { version: '1' }, later: { version: '2' }, after: null },
    {
      what: 'another image',
      before: { version: '1', image },
      later: { version: '1', image: other },
      after: null
    },
    {
      what: 'a part of it, released, where the whole is not',
      before: { release: false },
      later: { version: '1' },
      after: null
    },
    {
      what: 'the whole, which a part wanted with removals',
      before: { version: '1', withRemovals: true },
      later: {},
      after: null
    },
    {
      what: 'the same, released after all',
      before: { release: false },
      later: {},
      after: {}
    },
    {
      what: 'the same, with other steps left out',
      before: { leftOut: ['a', 'b'] },
      later: { leftOut: ['b', 'c'] },
      after: { leftOut: ['b', 'c'] }
    },
    {
      what: 'a part of it, with other steps left out',
      before: { leftOut: ['a', 'b'] },
      later: { version: '1', leftOut: ['b', 'c'] },
      after: { leftOut: ['b'] }
    },
    {
      what: 'the same, with files this time',
      before: { images: 'none' },
      later: {},
      after: {}
    },
    { what: 'the same without files', before: {}, later: { images: 'none' }, after: {} },
    {
      what: 'a part with its file, where the whole goes without',
      before: { images: 'none' },
      later: { version: '1', image },
      after: null
    },
    {
      what: 'an image, where of the whole some images alone are fetched',
      before: { filter },
      later: { version: '1', image },
      after: null
    },
    {
      what: 'the whole of which some images alone are fetched, where another image waits',
      before: { version: '1', image },
      later: { filter },
      after: null
    },
    {
      what: 'the whole with other images, as the rule says now',
      before: { filter: { ...filter, newest: 3 } },
      later: { filter },
      after: { filter }
    },
    {
      what: 'the same, with more decided',
      before: { choices: { a: 'ours', b: 'ours' } },
      later: { choices: { b: 'theirs' } },
      after: { choices: { a: 'ours', b: 'theirs' } }
    },
    {
      what: 'the whole, where only what was chosen waits',
      before: { choices: { a: 'theirs' }, choicesAlone: true },
      later: {},
      after: null
    }
  ])('for $what', ({ before, later, after }) => {
    expect(widened({ ...base, ...before }, { ...base, ...later })).toEqual(after && { ...base, ...after })
  })
})
