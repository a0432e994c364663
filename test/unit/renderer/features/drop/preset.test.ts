import { expect, it } from 'vitest'
import { presetOf, presetWords } from '../../../../../src-renderer/features/drop/preset.ts'

it.each([
  { query: '', preset: null },
  { query: 'organization=&other=1', preset: null },
  {
    query: 'organization=acme&name=base',
    preset: { organization: 'acme', name: 'base' },
    words: 'acme/base'
  },
  {
    query: 'organization=acme&name=base&version=1.2.0&provider=virtualbox&architecture=amd64',
    preset: {
      organization: 'acme',
      name: 'base',
      version: '1.2.0',
      provider: 'virtualbox',
      architecture: 'amd64'
    },
    words: 'acme/base 1.2.0 for virtualbox on amd64'
  }
])('an address with "$query" is for $words', ({ query, preset, words }) => {
  const found = presetOf(new URLSearchParams(query))
  expect(found).toEqual(preset)
  if (found) expect(presetWords(found)).toBe(words)
})
