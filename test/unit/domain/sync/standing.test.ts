import { describe, expect, it } from 'vitest'
import type { BoxSnapshot, VersionSnapshot } from '../../../../src-main/domain/sync/snapshot.ts'
import { compareSides } from '../../../../src-main/domain/sync/standing.ts'

const version = (number: string, digit = '1'): VersionSnapshot => ({
  number,
  status: 'active',
  description: '',
  images: [
    {
      ...{ provider: 'virtualbox', architecture: 'amd64', isDefault: true },
      content: { kind: 'bytes', size: 10, checksums: { sha256: digit.repeat(64) } }
    }
  ]
})
const box = (...versions: VersionSnapshot[]): BoxSnapshot => ({
  ...{ shortDescription: '', description: '', private: false },
  versions
})
const lab = {
  ...{ name: 'Lab', tag: 'acme/base', hereTag: 'acme/base' },
  traits: { architectures: true, longestShortDescription: 255, writable: true }
}
const [one, two] = [version('1.0.0'), version('2.0.0', '2')]

describe('a box that is at both sides', () => {
  it.each([
    { of: 'the same', here: box(one), there: box(one), base: null, standing: 'in-step', says: [] },
    {
      ...{ of: 'more here', here: box(one, two), there: box(one), base: null, standing: 'ahead' },
      says: ['Version 2.0.0 is here and not at Lab.']
    },
    {
      ...{ of: 'more there', here: box(one), there: box(one, two), base: null, standing: 'behind' },
      says: ['Version 2.0.0 is at Lab and not here.']
    },
    {
      ...{
        of: 'other bytes',
        here: box(version('1.0.0', '3')),
        there: box(one),
        base: null,
        standing: 'apart'
      },
      says: [expect.stringContaining('1.0.0')]
    },
    {
      ...{ of: 'one removed here', here: box(one), there: box(one, two), base: box(one, two) },
      ...{ standing: 'in-step', says: ['Version 2.0.0 was removed here.'] }
    },
    {
      ...{ of: 'one removed there', here: box(one, two), there: box(one), base: box(one, two) },
      ...{ standing: 'in-step', says: ['Version 2.0.0 was removed at Lab.'] }
    }
  ])('stands as it should, and says why: $of', ({ here, there, base, standing, says }) => {
    expect(compareSides({ here, there, base }, lab)).toEqual({ standing, differences: says })
  })
})
