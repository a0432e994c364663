import { describe, expect, it } from 'vitest'
import { withSent } from '../../../../src-main/domain/sync/agreement.ts'
import { planSync } from '../../../../src-main/domain/sync/plan.ts'
import type { SyncPlanInput } from '../../../../src-main/domain/sync/plan-types.ts'
import type {
  BoxSnapshot,
  Content,
  ImageSnapshot,
  VersionSnapshot
} from '../../../../src-main/domain/sync/snapshot.ts'
import { everything, fileContent, traits } from '../../../support/random-sync.ts'

const a = fileContent('a')
const b = fileContent('b')
const known: Content = { ...a, kind: 'known' } as Content
const empty: Content = { kind: 'empty' }
const url = (address: string): Content => ({ kind: 'url', url: address, checksums: {} })
const noChecksum = fileContent('a', [])

const image = (content: Content = a, architecture = 'amd64', isDefault = true): ImageSnapshot => ({
  ...{ provider: 'virtualbox', architecture, isDefault, content }
})
const version = (over: Partial<VersionSnapshot> = {}): VersionSnapshot => ({
  ...{ number: '1.0.0', status: 'active', description: '', images: [image()] },
  ...over
})
const box = (over: Partial<BoxSnapshot> = {}): BoxSnapshot => ({
  ...{ shortDescription: '', description: '', private: false, versions: [version()] },
  ...over
})
/** A box whose one version has that content. */
const having = (content: Content, status: VersionSnapshot['status'] = 'active'): BoxSnapshot =>
  box({ versions: [version({ status, images: [image(content)] })] })
const none = box({ versions: [] })

type Case = Partial<SyncPlanInput> & Pick<SyncPlanInput, 'source' | 'target'>
const plan = (over: Case) =>
  planSync({
    ...{ direction: 'publish', tag: 'acme/base', remoteName: 'Lab', base: null, choices: {} },
    ...{ traits, scope: everything },
    ...over
  })
const keysOf = (over: Case): string[] => plan(over).steps.map(({ key }) => key)

const create = [
  'create-version 1.0.0',
  'create-image 1.0.0 virtualbox/amd64',
  'put-bytes 1.0.0 virtualbox/amd64'
]
const put = 'put-bytes 1.0.0 virtualbox/amd64'

describe('steps', () => {
  it.each<[string, Case, string[]]>([
    [
      'a box that is nowhere there',
      { source: box(), target: null },
      ['create-box', ...create, 'release 1.0.0']
    ],
    ['the same on both sides', { source: box(), target: box() }, []],
    ['a version that is not there', { source: box(), target: none }, [...create, 'release 1.0.0']],
    ['one that is not released here', { source: having(a, 'unreleased'), target: none }, create],
    [
      'one that is not to be released',
      { source: box(), target: none, scope: { ...everything, release: false } },
      create
    ],
    [
      'one that was made there and got no bytes',
      { source: box(), target: having(empty, 'unreleased') },
      [put, 'release 1.0.0']
    ],
    [
      'one that only has to be released',
      { source: box(), target: having(a, 'unreleased') },
      ['release 1.0.0']
    ],
    ['one that was revoked here', { source: having(a, 'revoked'), target: box() }, ['revoke 1.0.0']],
    ['one that was revoked there', { source: box(), target: having(a, 'revoked') }, []],
    ['one that was revoked here and is not there', { source: having(a, 'revoked'), target: none }, []],
    [
      'one that was revoked here and never released there',
      { source: having(a, 'revoked'), target: having(a, 'unreleased') },
      []
    ],
    ['one that is released there alone', { source: having(a, 'unreleased'), target: box() }, []],
    [
      'a number that is written otherwise there',
      { source: box(), target: box({ versions: [version({ number: '1.0', status: 'unreleased' })] }) },
      ['release 1.0']
    ],
    [
      'an image at an address',
      { source: having(url('https://x.example/1')), target: none },
      ['create-version 1.0.0', 'create-image 1.0.0 virtualbox/amd64', 'release 1.0.0']
    ],
    [
      'an address that changed here',
      {
        source: having(url('https://x.example/2')),
        base: having(url('https://x.example/1')),
        target: having(url('https://x.example/1'))
      },
      ['change-image 1.0.0 virtualbox/amd64']
    ],
    [
      'an address that changed there',
      {
        source: having(url('https://x.example/1')),
        base: having(url('https://x.example/1')),
        target: having(url('https://x.example/2'))
      },
      []
    ],
    ['bytes that are only known here', { source: having(known), target: none }, []],
    ['bytes that changed there', { source: box(), base: box(), target: having(b) }, []],
    [
      'a side without checksums, of what both agreed on',
      { source: box(), base: box(), target: having(noChecksum) },
      []
    ],
    [
      'a text that changed here',
      { source: box({ description: 'x' }), base: box(), target: box() },
      ['change-box']
    ],
    ['a text that changed there', { source: box(), base: box(), target: box({ description: 'x' }) }, []],
    [
      'a text that was emptied here',
      { source: box(), base: box({ description: 'x' }), target: box({ description: 'x' }) },
      ['change-box']
    ],
    ['a text that only one side has', { source: box({ description: 'x' }), target: box() }, ['change-box']],
    [
      'a description of a version',
      { source: box({ versions: [version({ description: 'x' })] }), target: box() },
      ['change-version 1.0.0']
    ],
    [
      'another default',
      {
        source: box({ versions: [version({ images: [image(a, 'amd64', false), image(a, 'arm64')] })] }),
        target: box({ versions: [version({ images: [image(), image(a, 'arm64', false)] })] })
      },
      ['change-image 1.0.0 virtualbox/arm64']
    ],
    ['a version that was removed there', { source: box(), base: box(), target: none }, []],
    [
      'one that was removed there, and wanted by name',
      { source: box(), base: box(), target: none, scope: { ...everything, version: '1.0.0' } },
      [...create, 'release 1.0.0']
    ],
    [
      'one that was removed there and changed here',
      { source: box({ versions: [version({ description: 'x' })] }), base: box(), target: none },
      [...create, 'release 1.0.0']
    ],
    ['one that was removed here', { source: none, base: box(), target: box() }, []],
    [
      'one that was removed here, with removals',
      { source: none, base: box(), target: box(), scope: { ...everything, withRemovals: true } },
      ['remove-version 1.0.0']
    ],
    [
      'one that was removed here and changed there',
      { source: none, base: box(), target: having(b), scope: { ...everything, withRemovals: true } },
      []
    ],
    [
      'one that never was here',
      { source: none, target: box(), scope: { ...everything, withRemovals: true } },
      []
    ],
    ['a box that was removed here', { source: null, base: box(), target: box() }, []],
    [
      'a box that was removed here, with removals',
      { source: null, base: box(), target: box(), scope: { ...everything, withRemovals: true } },
      ['remove-box']
    ],
    [
      'a box that was removed here and got more there',
      { source: null, base: none, target: box(), scope: { ...everything, withRemovals: true } },
      []
    ],
    [
      'a remote that can only be read',
      { source: box(), target: null, traits: { ...traits, writable: false } },
      []
    ]
  ])('of %s', (_what, input, keys) => {
    expect(keysOf(input)).toEqual(keys)
    expect(plan(input).conflicts).toEqual([])
  })

  it('of a pull take nothing away because a remote shows none at all', () => {
    const two = box({ versions: [version(), version({ number: '2.0.0' })] })
    const input = { direction: 'pull', base: two, target: two } as const
    const scope = { ...everything, withRemovals: true }
    const one = box({ versions: [version({ number: '2.0.0' })] })
    expect(keysOf({ ...input, source: one, scope })).toEqual(['remove-version 1.0.0'])
    expect(keysOf({ ...input, source: none, scope })).toEqual([])
    expect(plan({ ...input, source: none, scope }).notes.join()).toMatch(/shows no versions at all/)
    const images = [image(), image(b, 'arm64', false)]
    const both = box({ versions: [version({ images })] })
    const ofVersion = { direction: 'pull', base: both, target: both, scope } as const
    expect(keysOf({ ...ofVersion, source: box() })).toEqual(['remove-image 1.0.0 virtualbox/arm64'])
    const withoutImages = box({ versions: [version({ images: [] })] })
    expect(keysOf({ ...ofVersion, source: withoutImages })).toEqual([])
    expect(plan({ ...ofVersion, source: withoutImages }).notes.join()).toMatch(/shows no images at all/)
  })

  it('of a pull fetch what is wanted, and note the rest', () => {
    const input = { direction: 'pull', source: having(a), target: none } as const
    expect(keysOf(input)).toEqual([...create, 'release 1.0.0'])
    const scope = { ...everything, fetches: () => false }
    expect(keysOf({ ...input, scope })).toEqual([create[0], create[1], 'release 1.0.0'])
    expect(plan({ ...input, scope }).bytes).toBe(0)
    // What was fetched once is never given up, and what was only known may be fetched.
    expect(keysOf({ ...input, target: having(a), scope })).toEqual([])
    expect(keysOf({ ...input, target: having(known) })).toEqual([put])
    expect(keysOf({ ...input, target: having(known), scope })).toEqual([])
    // Nothing of one's own is lost where only a note of bytes is.
    expect(keysOf({ ...input, source: having(b), target: having(known), scope })).toEqual([
      'change-image 1.0.0 virtualbox/amd64'
    ])
  })

  it('have versions from the lowest number on, the default image of each first', () => {
    const images = [image(a, 'arm64', false), image(a, 'amd64', true)]
    const versions = ['1.10.0', '1.2.0', '1.2.0-rc1'].map((number) => version({ number, images }))
    expect(
      keysOf({ source: box({ versions }), target: none }).filter((key) => key.startsWith('create'))
    ).toEqual(
      ['1.2.0-rc1', '1.2.0', '1.10.0'].flatMap((number) => [
        `create-version ${number}`,
        `create-image ${number} virtualbox/amd64`,
        `create-image ${number} virtualbox/arm64`
      ])
    )
  })

  it('say what they do in whole sentences', () => {
    const large = { kind: 'bytes', size: 1_400_000_000, checksums: {} } as const
    const { steps, bytes } = plan({ source: having(large), target: null })
    expect(steps.map(({ sentence }) => sentence)).toEqual([
      'Makes the public box acme/base at Lab.',
      'Adds version 1.0.0.',
      'Adds the image virtualbox/amd64 to 1.0.0.',
      'Uploads virtualbox/amd64 of 1.0.0.',
      'Releases 1.0.0 at Lab.'
    ])
    expect(bytes).toBe(large.size)
    expect(steps.map(({ optional }) => optional)).toEqual([false, true, false, false, true])
  })

  it('read bytes under the name they have at the source', () => {
    const source = box({ versions: [version({ images: [image(a, 'unknown')] })] })
    const target = having(empty, 'unreleased')
    const v1 = { ...traits, architectures: false }
    expect(plan({ direction: 'pull', source, target, traits: v1 }).steps[0]).toMatchObject({
      ...{ kind: 'put-bytes', architecture: 'amd64' },
      from: { version: '1.0.0', provider: 'virtualbox', architecture: 'unknown' }
    })
  })

  it('of one version or image are about nothing else', () => {
    const source = box({
      description: 'changed',
      versions: [version({ images: [image(), image(a, 'arm64', false)] }), version({ number: '2.0.0' })]
    })
    const one = { source, base: none, target: none, scope: { ...everything, version: '1.0' } }
    expect(keysOf(one).every((key) => key.includes('1.0.0'))).toBe(true)
    const scope = { ...one.scope, image: { provider: 'virtualbox', architecture: 'arm64' } }
    expect(keysOf({ ...one, scope })).toEqual([
      'create-version 1.0.0',
      'create-image 1.0.0 virtualbox/arm64',
      'put-bytes 1.0.0 virtualbox/arm64',
      'release 1.0.0'
    ])
  })
})

describe('conflicts', () => {
  const choicesOf = (over: Case): string[] =>
    plan(over).conflicts.flatMap(({ choices }) => choices.map(({ choice }) => choice))

  it.each<[string, Case, string[]]>([
    [
      'other bytes of a released version',
      { source: box(), target: having(b) },
      ['new-version', 'keep-both', 'theirs']
    ],
    [
      'of an unreleased one',
      { source: box(), target: having(b, 'unreleased') },
      ['new-version', 'keep-both', 'theirs', 'ours']
    ],
    [
      'that changed here alone',
      { source: having(b), base: box(), target: box() },
      ['new-version', 'keep-both', 'theirs']
    ],
    [
      'when they are pulled',
      { direction: 'pull', source: having(b), target: box() },
      ['keep-both', 'theirs']
    ],
    [
      'bytes nobody can compare',
      { source: box(), target: having(noChecksum) },
      ['new-version', 'keep-both', 'theirs']
    ],
    [
      'a text that changed on both sides',
      {
        source: box({ description: 'x' }),
        base: box({ description: 'z' }),
        target: box({ description: 'y' })
      },
      ['ours', 'theirs', 'keep-both']
    ],
    ['who may see it', { source: box(), target: box({ private: true }) }, ['ours', 'theirs', 'keep-both']]
  ])('about %s offer what is possible, and nothing is done before', (_what, input, choices) => {
    expect(choicesOf(input)).toEqual(choices)
    expect(keysOf(input)).toEqual([])
  })

  const clash = { source: box(), target: having(b, 'unreleased') }
  const [conflict] = plan(clash).conflicts
  const key = conflict?.key ?? ''

  it.each([
    ['keep-both', []],
    ['theirs', []],
    ['ours', [put, 'release 1.0.0']],
    [
      'new-version',
      [
        'create-version 1.0.1',
        'create-image 1.0.1 virtualbox/amd64',
        'put-bytes 1.0.1 virtualbox/amd64',
        'release 1.0.1'
      ]
    ]
  ] as const)('are settled by %s', (choice, keys) => {
    const chosen = plan({ ...clash, choices: { [key]: choice } })
    expect(chosen.steps.map((step) => step.key)).toEqual(keys)
    expect(chosen.conflicts).toMatchObject([{ key, chosen: choice }])
  })

  it('are not settled by what is not offered, nor by what was chosen of other bytes', () => {
    expect(plan({ ...clash, target: having(b), choices: { [key]: 'ours' } }).conflicts).toMatchObject([
      { chosen: null }
    ])
    expect(
      plan({ ...clash, target: having(fileContent('cc'), 'unreleased'), choices: { [key]: 'ours' } })
    ).toMatchObject({
      steps: [],
      conflicts: [{ chosen: null }]
    })
  })

  it('are not asked of again in either direction once both were kept', () => {
    const base = { versions: [], kept: [key] }
    expect(plan({ ...clash, base }).conflicts).toMatchObject([{ chosen: 'keep-both' }])
    const back = { direction: 'pull', source: clash.target, target: clash.source, base } as const
    expect(plan(back).conflicts).toMatchObject([{ key, chosen: 'keep-both' }])
  })

  it('take the next number that is free, for all images of the version', () => {
    const source = box({ versions: [version({ images: [image(), image(a, 'arm64', false)] })] })
    const target = box({
      versions: [version({ images: [image(b)] }), version({ number: '1.0.1', images: [image(b)] })]
    })
    const [first] = plan({ source, target }).conflicts
    expect(first?.choices[0]?.sentence).toBe('Publish the one here as a version of its own, 1.0.2.')
    const keys = keysOf({ source, target, choices: { [first?.key ?? '']: 'new-version' } })
    expect(keys.filter((one) => one.startsWith('put-bytes'))).toEqual([
      'put-bytes 1.0.2 virtualbox/amd64',
      'put-bytes 1.0.2 virtualbox/arm64'
    ])
  })
})

describe('what was sent as a version of its own', () => {
  const here = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }
  const sent = {
    source: box(),
    target: box({ versions: [version({ images: [image(b)] }), version({ number: '1.0.1' })] }),
    base: withSent(null, { ...here, version: '1.0.1', from: here }, a, traits)
  }

  it.each([false, true])('counts as no removal here, with removals: %s', (withRemovals) => {
    const { steps, notes } = plan({ ...sent, scope: { ...everything, withRemovals } })
    expect(steps).toEqual([])
    expect(notes.join(' ')).not.toContain('1.0.1')
  })

  it('is brought by a pull', () => {
    const { source: target, target: source, base } = sent
    expect(keysOf({ direction: 'pull', source, target, base })).toContain('create-version 1.0.1')
  })
})

it.each([
  { what: 'a version', source: none },
  { what: 'an image', source: box({ versions: [version({ images: [image(a, 'arm64')] })] }) }
])('a plan tells whether $what that was removed could go at the target as well', ({ source }) => {
  const target = box({ versions: [version({ images: [image(a, 'arm64'), image(a, 'amd64', false)] })] })
  const sides = { source, base: target, target }
  expect(plan(sides)).toMatchObject({ steps: [], removable: true })
  const asked = plan({ ...sides, scope: { ...everything, withRemovals: true } })
  expect(asked).toMatchObject({ steps: [{ optional: true }], removable: false })
  expect(plan({ source: target, target })).toMatchObject({ removable: false })
})

describe('notes', () => {
  const notesOf = (over: Case): string => plan(over).notes.join(' ')

  it.each<[string, Case, RegExp]>([
    [
      'a short description that is too long',
      {
        source: box({ shortDescription: 'x'.repeat(120) }),
        target: null,
        traits: { ...traits, longestShortDescription: 100 }
      },
      /Lab takes 100 characters; shorten it/
    ],
    [
      'images without a place there',
      {
        source: box({ versions: [version({ images: [image(), image(a, 'arm64', false)] })] }),
        target: none,
        traits: { ...traits, architectures: false }
      },
      /Lab knows no architectures.*virtualbox\/arm64/
    ],
    [
      'bytes that are not on this disk',
      { source: having(known), target: none },
      /not on this disk.*fetch it first/
    ],
    ['what was removed there', { source: box(), base: box(), target: none }, /1\.0\.0 was removed at Lab/],
    [
      'what was removed here',
      { source: none, base: box(), target: box() },
      /1\.0\.0 was removed here and stays at Lab/
    ],
    [
      'what was revoked there',
      { source: box(), target: having(a, 'revoked') },
      /revoked at Lab, which is final/
    ],
    ['other bytes there', { source: box(), base: box(), target: having(b) }, /another file at Lab/],
    [
      'a number nobody here could read',
      { direction: 'pull', source: box({ versions: [version({ number: 'v1' })] }), target: none },
      /cannot be kept here/
    ],
    ['a box that is nowhere', { direction: 'pull', source: null, target: null }, /no such box at Lab/]
  ])('tell of %s', (_what, input, words) => {
    expect(notesOf(input)).toMatch(words)
  })

  it('are never more than can be read', () => {
    const versions = Array.from({ length: 5000 }, (_, i) => version({ number: `v${i}` }))
    const { notes } = plan({ direction: 'pull', source: box({ versions }), target: none })
    expect(notes).toHaveLength(101)
    expect(notes.at(-1)).toMatch(/4,?900 more/)
  })

  it('do not keep a long short description from being left alone later', () => {
    const source = box({ shortDescription: 'x'.repeat(120) })
    expect(keysOf({ source, target: box(), traits: { ...traits, longestShortDescription: 100 } })).toEqual([])
  })
})
