import { describe, expect, it } from 'vitest'
import type { BoxDetails, ImageDetails, VersionDetails } from '../../../../../src-main/contract/boxes.ts'
import {
  contentsOf,
  forkConsequences,
  isReleasable,
  meaningOf,
  nothingFound,
  releaseConsequences,
  removeBoxConsequences,
  removeVersionConsequences,
  revokeConsequences
} from '../../../../../src-renderer/features/box/consequences.ts'

const image = (size: number | null, state: ImageDetails['state'] = 'here'): ImageDetails => ({
  provider: 'virtualbox',
  architecture: 'amd64',
  isDefault: true,
  state,
  url: null,
  checksum: null,
  checksumType: null,
  size,
  verifiedAt: null,
  createdAt: 0,
  updatedAt: 0
})

const version = (
  number: string,
  status: VersionDetails['status'],
  images: readonly ImageDetails[] = []
): VersionDetails => ({
  number,
  status,
  description: '',
  descriptionHtml: '',
  createdAt: 0,
  updatedAt: 0,
  images
})

/** Versions from the newest number on. */
const box = (currentVersion: string | null, ...versions: VersionDetails[]): BoxDetails => ({
  id: 1,
  organization: 'acme',
  name: 'base',
  shortDescription: '',
  description: '',
  descriptionHtml: '',
  private: true,
  downloads: 0,
  currentVersion,
  nextVersion: '9.0.0',
  createdAt: 0,
  updatedAt: 0,
  versions
})

describe('a release', () => {
  it.each([
    {
      case: 'of the newest number',
      of: box('1.1.0', version('1.2.0', 'unreleased'), version('1.1.0', 'active')),
      number: '1.2.0',
      says: 'It becomes the current version.'
    },
    {
      case: 'of an older number',
      of: box('1.2.0', version('1.2.0', 'active'), version('1.1.0', 'unreleased')),
      number: '1.1.0',
      says: 'The current version stays 1.2.0.'
    },
    {
      case: 'of a prerelease beside a release',
      of: box('1.2.0', version('2.0.0-beta', 'unreleased'), version('1.2.0', 'active')),
      number: '2.0.0-beta',
      says: 'The current version stays 1.2.0.'
    },
    {
      case: 'of a prerelease where nothing else is released',
      of: box(null, version('2.0.0-beta', 'unreleased')),
      number: '2.0.0-beta',
      says: 'It becomes the current version.'
    }
  ])('$case says what becomes current', ({ of, number, says }) => {
    const sentences = releaseConsequences(of, number)
    expect(sentences).toContain(says)
    expect(sentences[0]).toBe(`Everybody who may see acme/base gets ${number} from now on.`)
    expect(sentences.at(-1)).toBe('This cannot be undone; a released version can only be revoked.')
  })
})

describe('revoking', () => {
  it.each([
    {
      case: 'the current version',
      of: box('1.2.0', version('1.2.0', 'active'), version('1.1.0', 'revoked'), version('1.0.0', 'active')),
      says: '1.0.0 becomes the current version.'
    },
    {
      case: 'the only released version',
      of: box('1.2.0', version('1.3.0', 'unreleased'), version('1.2.0', 'active')),
      says: 'acme/base then has no released version, so nobody can use it until another one is released.'
    },
    {
      case: 'another than the current version',
      of: box('1.3.0', version('1.3.0', 'active'), version('1.2.0', 'active')),
      says: 'The current version stays 1.3.0.'
    }
  ])('$case says what becomes current', ({ of, says }) => {
    expect(revokeConsequences(of, '1.2.0')).toContain(says)
  })
})

describe('deleting', () => {
  it('names what goes with a box, and counts only bytes that are here', () => {
    const of = box(
      '1.1.0',
      version('1.1.0', 'active', [image(1_400_000_000), image(5, 'external')]),
      version('1.0.0', 'active', [image(600_000_000)])
    )
    expect(removeBoxConsequences(of)).toEqual([
      '2 versions with 3 images, 2.0 GB go with it.',
      'Clients that use it do not find it any more.',
      'It can be restored until a clean-up empties the trash.'
    ])
  })

  it('says of an empty box that nothing goes with it', () => {
    expect(removeBoxConsequences(box(null))[0]).toBe('It has no versions.')
    expect(contentsOf([version('1.0.0', 'unreleased')])).toBe('1 version')
  })

  it('says what becomes current when the current version goes', () => {
    const current = version('1.1.0', 'active', [image(2_000)])
    expect(removeVersionConsequences(box('1.1.0', current, version('1.0.0', 'active')), current)).toEqual([
      '1 image, 2.0 kB, goes with it.',
      'Clients that ask for it do not find it any more.',
      '1.0.0 becomes the current version.',
      'It can be restored until a clean-up empties the trash.'
    ])
    expect(removeVersionConsequences(box('1.1.0', current), current)).toContain(
      'No released version is left.'
    )
  })
})

describe('of a mirrored box', () => {
  const known = version('1.0.0', 'active', [image(10, 'known'), image(10, 'known')])

  it('a fork says which images lose their file', () => {
    const own = forkConsequences(box('1.0.0', version('1.0.0', 'active', [image(10)])), 'Lab')
    expect(own.join(' ')).toContain('no longer follows Lab')
    expect(own.join(' ')).not.toContain('without a file')
    expect(forkConsequences(box(null, known), 'Lab')[1]).toBe(
      '2 images whose file is at Lab alone become images without a file. Fetch them first to keep them.'
    )
  })

  it('deleting it says that nothing goes there, and that a rule brings it again', () => {
    expect(removeBoxConsequences(box(null, known), 'Lab').join(' ')).toContain('At Lab nothing is deleted')
    expect(removeBoxConsequences(box(null, known)).join(' ')).not.toContain('mirror')
  })

  it('a version whose files are all elsewhere is not offered, and not said to be', () => {
    expect(meaningOf(box(null, known), known)).toContain('once one of its files is here')
  })
})

it.each([
  { versions: [], said: 'Nothing is released' },
  { versions: [version('1.0.0', 'unreleased')], said: 'Nothing is released' },
  { versions: [version('1.0.0', 'revoked')], said: 'All versions are revoked' },
  { versions: [version('1.0.0', 'active', [image(1, 'known')])], said: 'No file is here yet' }
])('says why clients find nothing: $said', ({ versions, said }) => {
  expect(nothingFound({ versions })).toBe(said)
})

it('says of each state what it means', () => {
  const [a, b, c, d] = [
    version('1.2.0', 'unreleased', [image(10)]),
    version('1.1.0', 'active'),
    version('1.0.0', 'active'),
    version('0.9.0', 'revoked')
  ] as const
  const meanings = [a, b, c, d].map((one) => meaningOf(box('1.1.0', a, b, c, d), one))
  expect(meanings[0]).toContain('before it is released')
  expect(meanings[1]).toContain('current version')
  expect(meanings[2]).toBe('Clients that ask for it get it.')
  expect(meanings[3]).toContain('No client finds it any more')
})

it.each([
  { has: 'nothing', images: [], can: false },
  { has: 'only images without a file', images: [image(null, 'empty')], can: false },
  { has: 'a file', images: [image(null, 'empty'), image(10)], can: true },
  { has: 'an address', images: [image(null, 'external')], can: true }
] as const)('a version with $has can be released: $can', ({ images, can }) => {
  const one = version('1.0.0', 'unreleased', images)
  expect(isReleasable(one)).toBe(can)
  expect(meaningOf(box(null, one), one)).toContain(can ? 'before it is released' : 'It can be released once')
})
