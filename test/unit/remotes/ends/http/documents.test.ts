import { describe, expect, it } from 'vitest'
import { boxOf, imageOf, listedOf, versionOf } from '../../../../../src-main/remotes/ends/http/documents.ts'

const sha256 = 'AB'.repeat(32)

describe('a provider', () => {
  it.each<[string, Record<string, unknown>, object]>([
    [
      'of ours, with a file',
      { hosted: true, hosted_token: 't', checksum: sha256, checksum_type: 'sha256', size: 7 },
      { kind: 'bytes', size: 7, checksums: { sha256: sha256.toLowerCase() } }
    ],
    [
      'that is declared and has nothing yet',
      { hosted: true, hosted_token: null, checksum: sha256, checksum_type: 'sha256' },
      { kind: 'empty' }
    ],
    [
      'that has nothing yet',
      { hosted: true, hosted_token: null, checksum: null, checksum_type: null },
      { kind: 'empty' }
    ],
    [
      'with a file and no checksum',
      { hosted: true, hosted_token: 't', checksum: null, checksum_type: null },
      { kind: 'bytes', size: null, checksums: {} }
    ],
    [
      'of a registry that knows no tokens',
      { hosted: true, checksum: '', checksum_type: 'none' },
      { kind: 'bytes', size: null, checksums: {} }
    ],
    ['of one that says next to nothing', {}, { kind: 'bytes', size: null, checksums: {} }],
    [
      'that lies elsewhere',
      {
        hosted: false,
        hosted_token: null,
        original_url: 'http://e/x',
        checksum: sha256,
        checksum_type: 'SHA256'
      },
      { kind: 'url', url: 'http://e/x', checksums: { sha256: sha256.toLowerCase() } }
    ],
    [
      'that lies elsewhere, without saying that it is not here',
      { original_url: 'http://e/x' },
      { kind: 'url', url: 'http://e/x', checksums: {} }
    ],
    ['that lies nowhere', { hosted: false, original_url: null }, { kind: 'empty' }],
    [
      'with a checksum that is none',
      { hosted: true, hosted_token: 't', checksum: 'xyz', checksum_type: 'sha256' },
      { kind: 'bytes', size: null, checksums: {} }
    ],
    [
      'with a checksum of another length',
      { hosted: true, hosted_token: 't', checksum: 'ab', checksum_type: 'md5' },
      { kind: 'bytes', size: null, checksums: {} }
    ],
    [
      'with a type nobody knows',
      { hosted: true, hosted_token: 't', checksum: sha256, checksum_type: 'crc32' },
      { kind: 'bytes', size: null, checksums: {} }
    ],
    [
      'with a size that is none',
      { hosted: true, hosted_token: 't', size: -1 },
      { kind: 'bytes', size: null, checksums: {} }
    ],
    [
      'with fields of other kinds',
      { hosted: 'yes', hosted_token: { a: 1 }, original_url: 7, checksum: [], size: 'x' },
      { kind: 'bytes', size: null, checksums: {} }
    ]
  ])('%s', (_what, fields, content) => {
    expect(imageOf({ name: 'virtualbox', architecture: 'amd64', unheard_of: 1, ...fields })?.content).toEqual(
      content
    )
  })

  it('without an architecture is the default one of its name', () => {
    expect(imageOf({ name: 'virtualbox' })).toMatchObject({ architecture: 'unknown', isDefault: true })
    expect(imageOf({ name: 'virtualbox', architecture: null })).toMatchObject({
      architecture: 'unknown',
      isDefault: true
    })
    expect(imageOf({ name: 'virtualbox', architecture: 'arm64' })).toMatchObject({ isDefault: false })
  })

  it.each([
    null,
    7,
    'x',
    [],
    {},
    { name: 7 },
    { name: '' },
    { name: '../x' },
    { name: 'a b' },
    { name: 'ok', architecture: 'a/b' }
  ])('that could not be had here is none: %j', (json) => {
    expect(imageOf(json)).toBeNull()
  })
})

describe('a version', () => {
  it('is released when it is said to be, and unreleased when nobody can tell', () => {
    const statusOf = (status: unknown) => versionOf({ version: '1.0.0', status })?.status
    expect(
      ['active', 'released', 'revoked', 'unreleased', 'pending', null, 7, undefined].map(statusOf)
    ).toEqual([
      'active',
      'active',
      'revoked',
      ...['unreleased', 'unreleased', 'unreleased', 'unreleased', 'unreleased']
    ])
  })

  it('has each image once, and one default for each provider, whatever is said', () => {
    const providers = [
      { name: 'a', architecture: 'amd64', default_architecture: true, hosted_token: 'first' },
      { name: 'a', architecture: 'arm64', default_architecture: true },
      { name: 'a', architecture: 'amd64', hosted_token: null },
      { name: 'b', architecture: 'amd64', default_architecture: false },
      { name: 'b', architecture: 'arm64', default_architecture: false },
      null,
      'x'
    ]
    expect(
      versionOf({ number: '1.0.0', providers })?.images.map((one) => [
        one.provider,
        one.architecture,
        one.isDefault,
        one.content.kind
      ])
    ).toEqual([
      ['a', 'amd64', true, 'bytes'],
      ['a', 'arm64', false, 'bytes'],
      ['b', 'amd64', true, 'bytes'],
      ['b', 'arm64', false, 'bytes']
    ])
  })

  it.each([null, {}, { version: 'v1' }, { version: '1.0+build' }, { version: '../1' }, { version: 1 }])(
    'that could not be had here is none: %j',
    (json) => {
      expect(versionOf(json)).toBeNull()
    }
  )
})

describe('a box', () => {
  it('keeps what is known of it, and passes over what could not be had here', () => {
    const shown = boxOf({
      name: 'tiny',
      updated_at: '2026-01-02',
      short_description: 's',
      description_markdown: 'from markdown',
      private: true,
      versions: [
        { version: '1.0.0', status: 'active', description: 'v', providers: null },
        { version: 'bad!' },
        null,
        { version: '1.0' },
        { version: '1.0.0' }
      ]
    })
    expect(shown).toEqual({
      stamp: '2026-01-02',
      snapshot: {
        shortDescription: 's',
        description: 'from markdown',
        private: true,
        versions: [{ number: '1.0.0', status: 'active', description: 'v', images: [] }]
      }
    })
  })

  it('with a stamp that is none has none', () => {
    const updated_at = '2'.repeat(101)
    expect(boxOf({ name: 'tiny', updated_at })?.stamp).toBeNull()
    expect(listedOf({ name: 'tiny', updated_at }, 'acme')?.stamp).toBeNull()
    expect(listedOf({ name: 'tiny', updated_at: updated_at.slice(1) }, 'acme')?.stamp).toHaveLength(100)
  })

  it('may say next to nothing', () => {
    expect(boxOf({ tag: 'acme/tiny' })).toEqual({
      stamp: null,
      snapshot: { shortDescription: '', description: '', private: false, versions: [] }
    })
  })

  it.each([null, 7, {}, 'none', { 0: { version: '1.0.0' } }])(
    'whose versions are no list is none, rather than one that has lost them: %j',
    (list) => {
      expect(boxOf({ name: 'tiny', versions: list })).toBeNull()
      if (list !== null)
        expect(boxOf({ name: 'tiny', versions: [{ version: '1.0.0', providers: list }] })).toBeNull()
    }
  )

  it('with more versions or images than can be compared is none', () => {
    const many = (count: number, one: (i: number) => object) =>
      Array.from({ length: count }, (_, i) => one(i))
    const versions = many(10_000, (i) => ({ version: String(i) }))
    expect(boxOf({ name: 'tiny', versions })?.snapshot.versions).toHaveLength(10_000)
    expect(boxOf({ name: 'tiny', versions: [...versions, { version: '1.5' }] })).toBeNull()
    const full = { version: '1', providers: many(10_001, (i) => ({ name: `p${i}` })) }
    expect(boxOf({ name: 'tiny', versions: [full] })).not.toBeNull()
    expect(boxOf({ name: 'tiny', versions: [full, { ...full, version: '2' }] })).toBeNull()
  })

  it.each([null, 7, 'x', [], {}, { hello: 'world' }, { name: 7 }])('is none in %j', (json) => {
    expect(boxOf(json)).toBeNull()
  })
})

describe('a box of a listing', () => {
  it.each<[unknown, string | null]>([
    [{ name: 'tiny', updated_at: 'x' }, 'tiny'],
    [{ tag: 'acme/tiny' }, 'tiny'],
    [{ tag: 'tiny' }, null],
    [{ name: '..' }, null],
    [{ name: 'x'.repeat(129) }, null],
    [{}, null],
    [null, null],
    ['tiny', null]
  ])('%j is called %j', (json, name) => {
    expect(listedOf(json, 'acme')?.name ?? null).toBe(name)
  })
})
