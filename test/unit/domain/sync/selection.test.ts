import { describe, expect, it } from 'vitest'
import type { ImageFilter } from '../../../../src-main/contract/sync.ts'
import type { BoxSnapshot } from '../../../../src-main/domain/sync/snapshot.ts'
import { everyImage, lacksSome, selected, selectImages } from '../../../../src-main/domain/sync/selection.ts'
import { boxOf, imageOf, versionOf } from '../../../support/memory-end.ts'

const libvirt = (over = {}) => imageOf({ provider: 'libvirt', ...over })
const known = (size: number | null = 100) => imageOf({ content: { kind: 'known', size, checksums: {} } })

const box = boxOf({
  versions: [
    versionOf('1.9.0', { images: [imageOf(), libvirt()] }),
    versionOf('1.10.0', { images: [imageOf(), imageOf({ architecture: 'arm64', size: 900 })] }),
    versionOf('2.0.0', { images: [libvirt({ size: 5000 })] }),
    versionOf('2.1.0-rc1'),
    versionOf('2.2.0', { status: 'unreleased' }),
    versionOf('2.3.0', { status: 'revoked' }),
    versionOf('2.4.0', { images: [] }),
    versionOf('2.5.0', {
      images: [imageOf({ content: { kind: 'url', url: 'http://x.example/', checksums: {} } })]
    })
  ]
})

const chosen = (filter: Partial<ImageFilter>, of: BoxSnapshot = box): string[] => {
  const fetches = selectImages({ ...everyImage, ...filter }, of)
  return of.versions.flatMap(({ number, images }) =>
    images
      .filter(({ provider, architecture, content }) =>
        fetches({ version: number, provider, architecture }, content.kind === 'bytes' ? content.size : null)
      )
      .map(({ provider, architecture }) => `${number} ${provider}/${architecture}`)
  )
}

describe('which images a filter lets through', () => {
  it.each<[string, Partial<ImageFilter>, string[]]>([
    ['no file at all of the newest none', { newest: 0 }, []],
    [
      'all of the newest version by the order of numbers, released ones alone',
      { newest: 1, prereleases: false },
      ['2.0.0 libvirt/amd64']
    ],
    ['prereleases count if they are wanted', { newest: 1 }, ['2.1.0-rc1 virtualbox/amd64']],
    [
      'a version without an image for a provider does not count for it',
      { newest: 1, prereleases: false, providers: ['virtualbox'] },
      ['1.10.0 virtualbox/amd64', '1.10.0 virtualbox/arm64']
    ],
    [
      'nor one without an image for an architecture',
      { newest: 2, prereleases: false, architectures: ['ARM64'] },
      ['1.10.0 virtualbox/arm64']
    ],
    [
      'one that is too large counts, for an older one is no substitute',
      { newest: 1, prereleases: false, providers: ['libvirt'], largestBytes: 1000 },
      []
    ],
    [
      'what is as large as the limit goes through',
      { newest: 2, prereleases: false, largestBytes: 900 },
      ['1.10.0 virtualbox/amd64', '1.10.0 virtualbox/arm64']
    ],
    [
      'without a number of versions, unreleased and revoked ones too',
      { prereleases: false, providers: ['VirtualBox'], architectures: ['amd64'] },
      [
        ...['1.9.0 virtualbox/amd64', '1.10.0 virtualbox/amd64', '2.2.0 virtualbox/amd64'],
        ...['2.3.0 virtualbox/amd64']
      ]
    ]
  ])('%s', (_what, filter, images) => {
    expect(chosen(filter)).toEqual(images)
  })

  it('lets everything through that has nothing to be chosen by', () => {
    expect(chosen({})).toHaveLength(box.versions.flatMap(({ images }) => images).length)
  })

  it('is not led astray by numbers that are none', () => {
    const odd = boxOf({ versions: [versionOf('latest'), versionOf('../x'), versionOf('1.0.0')] })
    expect(chosen({ newest: 1 }, odd)).toEqual(['1.0.0 virtualbox/amd64'])
  })

  it('fetches a file whose size nobody tells', () => {
    expect(
      selectImages({ ...everyImage, largestBytes: 1 }, box)(
        { version: '1.9.0', provider: 'virtualbox', architecture: 'amd64' },
        null
      )
    ).toBe(true)
  })
})

describe('what a filter comes to', () => {
  it('counts what is not here yet, and what stays known', () => {
    const there = boxOf({
      versions: [
        versionOf('1.0.0'),
        versionOf('2.0.0', { images: [imageOf({ size: null }), libvirt({ size: 7 })] })
      ]
    })
    const filter = { ...everyImage, newest: 1 }
    expect(selected(filter, there, null)).toEqual({ images: 2, bytes: 7, unknownSize: true, notFetched: 1 })
    const here = boxOf({ versions: [versionOf('2.0.0', { images: [libvirt()] })] })
    expect(selected(filter, there, here)).toEqual({ images: 1, bytes: 0, unknownSize: true, notFetched: 1 })
  })

  it.each([
    ['a known one it wants', [versionOf('1.0.0', { images: [known()] })], true],
    ['a known one it does not want', [versionOf('1.0.0', { images: [known()] }), versionOf('2.0.0')], false],
    ['bytes', [versionOf('1.0.0')], false],
    ['an empty one', [versionOf('1.0.0', { images: [imageOf({ content: { kind: 'empty' } })] })], false]
  ])('tells whether a mirror lacks some: %s', (_what, versions, lacks) => {
    expect(lacksSome({ ...everyImage, newest: 1 }, boxOf({ versions }))).toBe(lacks)
  })
})
