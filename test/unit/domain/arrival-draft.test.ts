import { describe, expect, it } from 'vitest'
import type { ArrivalDraft } from '../../../src-main/contract/arrivals.ts'
import { emptyDraft, fileNameOf, proposeDraft } from '../../../src-main/domain/arrival-draft.ts'

const highest: Record<string, string> = {
  'acme/base': '1.4.9',
  'acme/edge': '2.0.0-rc1',
  'other/base': '7.0'
}
const surroundings = {
  owner: 'acme',
  highestVersion: (organization: string, name: string) => highest[`${organization}/${name}`] ?? null
}

const propose = (
  fileName: string,
  {
    facts = null,
    said = {},
    before = {}
  }: {
    facts?: { provider: string | null; architecture: string | null } | null
    said?: Partial<ArrivalDraft>
    before?: Partial<ArrivalDraft>
  } = {}
): ArrivalDraft =>
  proposeDraft(
    { fileName, facts },
    {
      before: { ...emptyDraft, ...before },
      said,
      touched: new Set(Object.keys(said) as (keyof ArrivalDraft)[])
    },
    surroundings
  )

const nothingInside = { provider: null, architecture: null }

describe('the first proposal', () => {
  it.each<[string, Partial<ArrivalDraft>]>([
    ['tiny.box', { organization: 'acme', name: 'tiny', version: '1.0.0', provider: '', architecture: '' }],
    ['tiny-1.2.0.box', { name: 'tiny', version: '1.2.0' }],
    ['base.box', { name: 'base', version: '1.4.10' }],
    ['edge.box', { version: '2.0.0-rc2' }],
    [
      'base-3.0.0-virtualbox-amd64.box',
      { name: 'base', version: '3.0.0', provider: 'virtualbox', architecture: 'amd64' }
    ],
    ['base_libvirt_x86_64.box', { name: 'base', provider: 'libvirt', architecture: 'amd64' }],
    ['vmware_desktop.box', { name: 'vmware_desktop', provider: '' }],
    ['盒子.box', { name: '', version: '1.0.0' }]
  ])('of %s is %j', (fileName, draft) => expect(propose(fileName)).toMatchObject(draft))

  it('is a private box that is not released, unless somebody says so', () => {
    expect(propose('x.box')).toMatchObject({ private: true, release: false, isDefault: false, checksum: '' })
  })

  it('leaves everything as the person said it, also what they cleared', () => {
    const said = {
      ...{ organization: 'other', name: 'Tiny', version: '', provider: 'kvm', architecture: 'riscv' },
      ...{ release: true, private: false }
    }
    expect(propose('base-1.2.0-libvirt-amd64.box', { said })).toMatchObject(said)
  })
})

describe('what the file says of itself', () => {
  it.each<[string, string | null, string | null, Partial<ArrivalDraft>]>([
    ['base-libvirt.box', 'virtualbox', 'arm64', { provider: 'virtualbox', architecture: 'arm64' }],
    ['base-odd.box', 'odd', 'amd64', { name: 'base', provider: 'odd' }],
    ['my-docker.box', 'virtualbox', 'amd64', { name: 'my-docker' }],
    ['base-vmware.box', 'vmware_desktop', null, { name: 'base', architecture: 'unknown' }],
    ['base-arm64.box', 'virtualbox', null, { name: 'base', architecture: 'arm64' }],
    ['base-libvirt.box', null, null, { name: 'base', provider: 'libvirt', architecture: 'unknown' }]
  ])('counts more than the name %s', (fileName, provider, architecture, draft) =>
    expect(propose(fileName, { facts: { provider, architecture } })).toMatchObject(draft)
  )

  it('fills in what the person has not given, and nothing else', () => {
    const facts = { provider: 'virtualbox', architecture: 'amd64' }
    expect(propose('a.box', { facts, said: { provider: 'mine' } })).toMatchObject({
      provider: 'mine',
      architecture: 'amd64'
    })
  })
})

describe('the proposed version', () => {
  it('follows the box the person names', () => {
    const before = propose('x.box')
    expect(before.version).toBe('1.0.0')
    expect(propose('x.box', { before, said: { name: 'base' } }).version).toBe('1.4.10')
    expect(propose('x.box', { before, said: { name: 'base', organization: 'other' } }).version).toBe('7.1')
  })

  it('stays when others of the same box were published since it was proposed', () => {
    expect(
      propose('base.box', {
        facts: nothingInside,
        before: { organization: 'acme', name: 'base', version: '1.4.9' }
      }).version
    ).toBe('1.4.9')
  })

  it('is the one the file is named after, whatever the box', () => {
    expect(propose('x-3.1.0.box', { said: { name: 'base' } }).version).toBe('3.1.0')
  })
})

it.each([
  ['https://example.org/boxes/base-1.2.0.box?token=x#y', 'base-1.2.0.box'],
  ['https://example.org/a%20b.box', 'a b.box'],
  ['https://example.org/%E0%A4%A.box', '%E0%A4%A.box'],
  ['https://example.org/', '']
])('the file at %s is called "%s"', (url, name) => expect(fileNameOf(url)).toBe(name))
