import { describe, expect, it } from 'vitest'
import type { ArrivalDraft } from '../../../src-main/contract/arrivals.ts'
import { emptyDraft } from '../../../src-main/domain/arrival-draft.ts'
import {
  planArrival,
  type PlannedFile,
  type PlannedImage,
  type PlanSurroundings
} from '../../../src-main/domain/arrival-plan.ts'

const sha256 = 'a'.repeat(64)
const file: PlannedFile = {
  kind: 'path',
  origin: '/base.box',
  size: 1_400_000_000,
  digest: { sha256, checksums: { sha256 } }
}
const unread: PlannedFile = { ...file, digest: null }
const link: PlannedFile = { kind: 'url', origin: 'https://example.org/base.box', size: null, digest: null }

const draft: ArrivalDraft = {
  ...emptyDraft,
  ...{ organization: 'acme', name: 'base', version: '1.2.0', provider: 'virtualbox', architecture: 'amd64' }
}
const organization = { name: 'acme' }
const nothing: PlanSurroundings = { organization, box: null, version: null }
const box = { organization: 'acme', name: 'base' }
const image = (over: Partial<PlannedImage> = {}): PlannedImage => ({
  ...{ provider: 'virtualbox', architecture: 'amd64', isDefault: true, url: null, blob: 'b'.repeat(64) },
  declared: { type: null, expected: null },
  ...over
})
const version = (
  status: 'unreleased' | 'active' | 'revoked' = 'unreleased',
  ...images: PlannedImage[]
): PlanSurroundings => ({ organization, box, version: { number: '1.2.0', status, images } })

interface Case {
  readonly file?: PlannedFile
  readonly said?: Partial<ArrivalDraft>
  readonly there?: PlanSurroundings
}
const plan = ({ file: of = file, said = {}, there = nothing }: Case) =>
  planArrival(of, { ...draft, ...said }, there)

describe('publishing', () => {
  it.each<[string, Case, readonly string[]]>([
    [
      'what is wholly new',
      { said: { release: true } },
      [
        'create-box: Makes the private box acme/base.',
        'create-version: Adds version 1.2.0.',
        'create-image: Adds the image virtualbox/amd64 (1.4 GB).',
        'release: Releases 1.2.0.'
      ]
    ],
    [
      'a public box, under the name its organization has',
      { said: { private: false, organization: 'ACME' } },
      [
        'create-box: Makes the public box acme/base.',
        'create-version: Adds version 1.2.0.',
        'create-image: Adds the image virtualbox/amd64 (1.4 GB).'
      ]
    ],
    [
      'a new version of a box',
      { there: { organization, box, version: null } },
      ['create-version: Adds version 1.2.0.', 'create-image: Adds the image virtualbox/amd64 (1.4 GB).']
    ],
    [
      'another architecture of a version',
      { said: { architecture: 'arm64' }, there: version('unreleased', image()) },
      ['create-image: Adds the image virtualbox/arm64 (1.4 GB).']
    ],
    [
      'another architecture of a released version, as the default',
      { said: { architecture: 'arm64', isDefault: true, release: true }, there: version('active', image()) },
      [
        'create-image: Adds the image virtualbox/arm64 (1.4 GB) to 1.2.0, which has been released: it can be used at once.',
        'create-image: Makes arm64 the default architecture of virtualbox, in place of amd64.'
      ]
    ],
    [
      'without an architecture',
      { said: { architecture: '' }, there: { organization, box, version: null } },
      ['create-version: Adds version 1.2.0.', 'create-image: Adds the image virtualbox/unknown (1.4 GB).']
    ],
    [
      'into an image that has no file yet',
      { there: version('unreleased', image({ blob: null })) },
      ['create-image: Gives the image virtualbox/amd64 of 1.2.0 its file (1.4 GB).']
    ],
    [
      'over the file of an unreleased version',
      { there: version('unreleased', image()), said: { release: true } },
      ['replace-image: Replaces the file of virtualbox/amd64 in 1.2.0.', 'release: Releases 1.2.0.']
    ],
    [
      'over the file of a released version',
      { there: version('active', image()) },
      [
        'replace-image: Replaces the file of virtualbox/amd64 in 1.2.0, which has been released: ' +
          'everybody who adds it from now on gets the new bytes.'
      ]
    ],
    [
      'the very same file',
      { there: version('active', image({ blob: sha256 })), said: { release: true } },
      ['nothing: virtualbox/amd64 of 1.2.0 is this very file already.']
    ],
    [
      'a url',
      { file: link },
      [
        'create-box: Makes the private box acme/base.',
        'create-version: Adds version 1.2.0.',
        'create-image: Adds the image virtualbox/amd64, whose file stays at https://example.org/base.box.'
      ]
    ],
    [
      'a url over a file',
      { file: link, there: version('unreleased', image()) },
      ['replace-image: Replaces the file of virtualbox/amd64 in 1.2.0 by https://example.org/base.box.']
    ],
    [
      'what has yet to be read',
      { file: unread, there: version('unreleased', image()) },
      ['replace-image: Replaces the file of virtualbox/amd64 in 1.2.0.']
    ],
    [
      'what may yet say its provider',
      { file: unread, said: { provider: '', release: true } },
      [
        'create-box: Makes the private box acme/base.',
        'create-version: Adds version 1.2.0.',
        'release: Releases 1.2.0.'
      ]
    ],
    [
      'texts that what is there keeps',
      { said: { shortDescription: 'a', versionDescription: 'b' }, there: version() },
      [
        'nothing: acme/base is there already and keeps its short description.',
        'nothing: Version 1.2.0 is there already and keeps its description.',
        'create-image: Adds the image virtualbox/amd64 (1.4 GB).'
      ]
    ]
  ])('%s', (_, of, steps) => {
    const { steps: found, problems } = plan(of)
    expect(found.map(({ kind, sentence }) => `${kind}: ${sentence}`)).toEqual(steps)
    expect(problems).toEqual([])
  })
})

const wrong = 'c'.repeat(64)

describe('what speaks against it', () => {
  it.each<[string, Case, readonly (string | RegExp)[]]>([
    [
      'no organization',
      { said: { organization: '' }, there: { ...nothing, organization: null } },
      ['The organization name is missing.']
    ],
    [
      'one that is not there',
      { said: { organization: 'nobody' }, there: { ...nothing, organization: null } },
      ['There is no organization nobody; add it first, or choose another.']
    ],
    ['no name', { said: { name: '' } }, ['The box name is missing.']],
    ['a name no box can have', { said: { name: 'a b' } }, [/The box name "a b" may hold only/]],
    ['no version', { said: { version: '' } }, ['The version number is missing.']],
    ['a version that is none', { said: { version: 'v1' } }, [/The version number "v1" must begin/]],
    [
      'the same number, written otherwise',
      { said: { version: '1.2' }, there: version() },
      ['Version 1.2 is the same number as 1.2.0, which already exists; write it that way, or choose another.']
    ],
    [
      'a revoked version, however it is written',
      { said: { version: '1.2' }, there: version('revoked') },
      ['Version 1.2.0 was revoked, which is final; choose another number.']
    ],
    [
      'no provider, in the file or from the person',
      { said: { provider: '' } },
      ['The provider name is missing, and the file does not say which provider it is for.']
    ],
    ['no provider of a url', { file: link, said: { provider: '' } }, ['The provider name is missing.']],
    [
      'a provider no image can have',
      { said: { provider: 'a/b' } },
      [/The provider name "a\/b" may hold only/]
    ],
    [
      'an architecture of no processor',
      { said: { architecture: 'AMD 64' } },
      [/The architecture "AMD 64" must be one of/]
    ],
    [
      'a url that is none',
      { file: { ...link, origin: 'ftp://x/y' } },
      [/The url "ftp:\/\/x\/y" must be a whole address/]
    ],
    [
      'a short description that is long',
      { said: { shortDescription: 'x'.repeat(256) } },
      [/256 characters long/]
    ],
    [
      'a description that is too long',
      { said: { versionDescription: 'x'.repeat(262_145) } },
      [/262145 characters long/]
    ],
    ['a checksum that is none', { said: { checksum: 'xyz' } }, [/The checksum "xyz" is not a sha256 one/]],
    [
      'another checksum than the one that was given',
      { said: { checksum: wrong } },
      [
        `The sha256 checksum of the file is ${sha256}, not the one given; this is another file, or one that was damaged on its way.`
      ]
    ],
    [
      'another checksum than the one declared for the image',
      { there: version('unreleased', image({ blob: null, declared: { type: 'sha256', expected: wrong } })) },
      [/The sha256 checksum of the uploaded file is a+, but c+ was declared for it/]
    ],
    [
      'all of it at once',
      { said: { name: '', version: 'x', provider: '', architecture: '!' } },
      [
        'The box name is missing.',
        /The version number "x"/,
        /The provider name is missing/,
        /The architecture "!"/
      ]
    ]
  ])('%s', (_, of, problems) => {
    const found = plan(of).problems
    expect(found).toHaveLength(problems.length)
    problems.forEach((problem, i) => expect(found[i]).toMatch(problem))
  })

  it.each<[string, Case]>([
    ['the checksum the file has', { said: { checksum: sha256.toUpperCase() } }],
    [
      'a checksum of another type, which is looked at when the bytes are',
      { said: { checksum: 'd'.repeat(32), checksumType: 'md5' } }
    ],
    ['a checksum of what was not read', { file: unread, said: { checksum: wrong } }],
    ['the checksum of a url', { file: link, said: { checksum: wrong } }],
    ['long texts for what is there', { said: { shortDescription: 'x'.repeat(256) }, there: version() }]
  ])('is not %s', (_, of) => expect(plan(of).problems).toEqual([]))

  it('still lets the rest be told, as far as it is sure', () => {
    const { steps } = plan({ said: { provider: 'a/b', version: '1.2.0' }, there: version() })
    expect(steps).toEqual([])
    expect(plan({ said: { version: 'x' } }).steps.map(({ kind }) => kind)).toEqual(['create-box'])
  })
})
