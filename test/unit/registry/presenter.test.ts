import { describe, expect, it } from 'vitest'
import type { BoxWithVersions, Image, Version } from '../../../src-main/domain/model.ts'
import { v1, v2 } from '../../../src-main/registry/dialect.ts'
import { presenter } from '../../../src-main/registry/presenter.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const time = '2026-01-02T03:04:05.006Z'

const image = (facts: Partial<Image>): Image => ({
  id: 1,
  provider: 'virtualbox',
  architecture: 'amd64',
  isDefault: true,
  url: null,
  checksum: 'abc',
  checksumType: 'sha256',
  blob: 'abc',
  known: null,
  size: 3,
  hostedToken: 'token',
  createdAt: at,
  updatedAt: at,
  ...facts
})

const version: Version = {
  id: 1,
  number: '1.0.0-rc.1',
  status: 'active',
  description: '*v*',
  descriptionHtml: '<em>v</em>',
  createdAt: at,
  updatedAt: at,
  images: [
    image({ architecture: 'arm64', isDefault: false }),
    image({}),
    image({ provider: 'libvirt', architecture: 'unknown', url: 'http://e/x', hostedToken: null })
  ]
}

const box: BoxWithVersions = {
  id: 1,
  organization: 'Acme',
  name: 'tiny',
  shortDescription: 's',
  description: '*d*',
  descriptionHtml: '<em>d</em>',
  private: false,
  downloads: 7,
  revision: 1,
  createdAt: at,
  updatedAt: at,
  currentVersion: version,
  versions: [version]
}

const base = 'http://localhost:7575'

describe('v2', () => {
  it('presents every image with its architecture', () => {
    expect(presenter(v2).version(base, 'Acme', 'tiny', version)).toEqual({
      version: '1.0.0-rc.1',
      number: '1.0.0-rc.1',
      status: 'active',
      description: '*v*',
      description_html: '<em>v</em>',
      description_markdown: '*v*',
      created_at: time,
      updated_at: time,
      release_url: `${base}/api/v2/box/Acme/tiny/version/1.0.0-rc.1/release`,
      revoke_url: `${base}/api/v2/box/Acme/tiny/version/1.0.0-rc.1/revoke`,
      providers: [
        expect.objectContaining({ architecture: 'arm64', default_architecture: false }),
        {
          name: 'virtualbox',
          architecture: 'amd64',
          default_architecture: true,
          hosted: true,
          hosted_token: 'token',
          original_url: null,
          created_at: time,
          updated_at: time,
          download_url: `${base}/Acme/boxes/tiny/versions/1.0.0-rc.1/providers/virtualbox/amd64/vagrant.box`,
          checksum: 'abc',
          checksum_type: 'sha256',
          size: 3
        },
        expect.objectContaining({
          name: 'libvirt',
          hosted: false,
          original_url: 'http://e/x',
          hosted_token: null
        })
      ]
    })
  })
})

describe('v1', () => {
  it('presents one entry a provider name, without architectures', () => {
    const { providers } = presenter(v1).version(base, 'Acme', 'tiny', version)
    expect(providers).toEqual([
      {
        name: 'virtualbox',
        hosted: true,
        hosted_token: 'token',
        original_url: null,
        created_at: time,
        updated_at: time,
        download_url: `${base}/Acme/boxes/tiny/versions/1.0.0-rc.1/providers/virtualbox.box`,
        checksum: 'abc',
        checksum_type: 'sha256',
        size: 3
      },
      expect.objectContaining({ name: 'libvirt' })
    ])
  })
})

describe('both', () => {
  it.each([v1, v2])('list a box under the keys clients allow in a search: $name', (dialect) => {
    expect(Object.keys(presenter(dialect).listedBox(base, box)).sort()).toEqual([
      'created_at',
      'current_version',
      'description',
      'description_html',
      'description_markdown',
      'downloads',
      'name',
      'private',
      'short_description',
      'tag',
      'updated_at',
      'username'
    ])
  })

  it.each([v1, v2])('say nothing in a search that clients do not know of a provider: $name', (dialect) => {
    const [listed] = presenter(dialect).listedBox(base, box).current_version?.providers ?? []
    expect(listed).not.toHaveProperty('size')
  })

  it('show that bytes are here also where no upload brought them', () => {
    const place = { organization: 'Acme', box: 'tiny', version: '1.0.0' }
    const tokenOf = (facts: Partial<Image>) => presenter(v2).provider(base, place, image(facts)).hosted_token
    expect(tokenOf({ hostedToken: null, blob: 'abc' })).toBe('abc')
    expect(tokenOf({ hostedToken: null, blob: null })).toBeNull()
  })

  it.each([v1, v2])('present a single box with its versions too: $name', (dialect) => {
    const shown = presenter(dialect).box(base, box)
    expect(shown).toMatchObject({ tag: 'Acme/tiny', username: 'Acme', downloads: 7, created_at: time })
    expect(shown.versions).toEqual([shown.current_version])
  })

  it.each([v1, v2])('present a box without a release as one: $name', (dialect) => {
    expect(presenter(dialect).box(base, { ...box, currentVersion: null, versions: [] })).toMatchObject({
      current_version: null,
      versions: []
    })
  })

  it('write names into addresses so that they stay one segment', () => {
    const odd = image({ provider: 'a/b?c', architecture: '#' })
    const place = { organization: 'o', box: 'b', version: '1' }
    expect(presenter(v2).provider(base, place, odd).download_url).toBe(
      `${base}/o/boxes/b/versions/1/providers/a%2Fb%3Fc/%23/vagrant.box`
    )
  })
})
