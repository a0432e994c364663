import { describe, expect, it } from 'vitest'
import {
  checkOrganizationMap,
  checkRemoteName,
  organizationHere,
  organizationThere,
  placeOf,
  suggestedName
} from '../../../src-main/remotes/naming.ts'

describe('what a person writes as the place of a remote', () => {
  it.each([
    ['https://Registry.Example', 'https://registry.example'],
    ['https://registry.example/', 'https://registry.example'],
    ['  https://registry.example///\n', 'https://registry.example'],
    ['HTTPS://registry.example:443', 'https://registry.example'],
    ['https://registry.example:8443/', 'https://registry.example:8443'],
    ['https://registry.example/api/v2', 'https://registry.example'],
    ['https://registry.example/api/v1/', 'https://registry.example'],
    ['https://registry.example/api/v2/vagrant', 'https://registry.example'],
    ['https://registry.example/boxes/api/v2/vagrant/', 'https://registry.example/boxes'],
    ['https://registry.example/some/path/', 'https://registry.example/some/path'],
    ['http://127.0.0.1:7575', 'http://127.0.0.1:7575'],
    ['http://[::1]:7575/', 'http://[::1]:7575']
  ])('is the registry %s', (written, location) => {
    expect(placeOf(written)).toEqual({ kind: 'http', location })
  })

  it.each([
    ['/media/usb/boxes', '/media/usb/boxes'],
    ['/media/usb/boxes/', '/media/usb/boxes'],
    ['/media/../srv//boxes', '/srv/boxes'],
    ['/', '/'],
    ['file:///media/usb%20stick/', '/media/usb stick'],
    ['/media/töst/盒', '/media/töst/盒']
  ])('is the folder %s', (written, location) => {
    expect(placeOf(written)).toEqual({ kind: 'folder', location })
  })

  it.each([
    ['https://alice:hunter2@registry.example', /name or a password/],
    ['https://:hunter2@registry.example', /name or a password/],
    ['https://registry.example/?access_token=hunter2', /before any "\?"/],
    ['https://registry.example/#hunter2', /before any "\?"/],
    ['ftp://registry.example/hunter2', /cannot be reached by "ftp"/],
    ['javascript://hunter2', /cannot be reached/],
    ['registry.example/hunter2', /neither/],
    ['boxes/hunter2', /neither/],
    ['', /neither/],
    ['https://', /cannot be read/],
    ['https://hunter2:99999', /cannot be read/],
    ['file://another-host/hunter2', /no folder of this machine/]
  ])('is refused when it is %s, without being repeated', (written, why) => {
    expect(() => placeOf(written)).toThrow(why)
    expect(() => placeOf(written)).not.toThrow(/hunter2/)
  })
})

describe('a name for a remote', () => {
  it.each([
    ['https://boxes.acme.example', 'acme'],
    ['https://www.acme.example', 'acme'],
    ['https://acme.example', 'acme'],
    ['https://lab.acme.example', 'lab.acme.example'],
    ['http://127.0.0.1:7575', '127.0.0.1-7575'],
    ['http://localhost:7575', 'localhost-7575'],
    ['http://nas', 'nas'],
    ['/media/usb/My boxes', 'My-boxes'],
    ['/', 'remote'],
    ['/media/2024', 'remote-2024'],
    ['/media/töst', 'töst'],
    [`/media/${'x'.repeat(200)}`, 'x'.repeat(56)]
  ])('is taken from %s', (written, name) => {
    expect(suggestedName(placeOf(written), () => false)).toBe(name)
  })

  it.each(['http://[::1]:7575', 'http://[::1]', '/media/---', '/media/1/2', 'https://1.2.3.4'])(
    'taken from %s could be given',
    (written) => {
      const name = suggestedName(placeOf(written), () => false)
      expect(() => checkRemoteName(name)).not.toThrow()
    }
  )

  it('is one nobody has', () => {
    const taken = new Set(['acme', 'acme-2'])
    expect(suggestedName(placeOf('https://ACME.example'), (key) => taken.has(key))).toBe('acme-3')
  })

  it.each(['Lab', 'Acme staging', 'Büro', 'a', 'x'.repeat(64), '2024-archive', 'a/b'])(
    'may be "%s"',
    (name) => {
      expect(() => checkRemoteName(name)).not.toThrow()
    }
  )

  it.each(['', ' ', ' Lab', 'Lab ', '12', 'a\nb', 'a\u0000b', 'a\u202eb', 'x'.repeat(65)])(
    'may not be "%s"',
    (name) => {
      expect(() => checkRemoteName(name)).toThrow(/The name of the remote/)
    }
  )
})

describe('organizations by two names', () => {
  const map = { lab: 'acme', Home: 'House' }
  it.each([
    ['lab', 'acme'],
    ['LAB', 'acme'],
    ['home', 'House'],
    ['other', 'other']
  ])('%s here is %s there', (here, there) => {
    expect(organizationThere(map, here)).toBe(there)
  })
  it.each([
    ['acme', 'lab'],
    ['ACME', 'lab'],
    ['house', 'Home'],
    ['other', 'other']
  ])('%s there is %s here', (there, here) => {
    expect(organizationHere(map, there)).toBe(here)
  })

  it.each([
    [{ lab: 'acme', home: 'ACME' }, /both be ACME/],
    [{ lab: 'a', LAB: 'b' }, /Two names/],
    [{ 'no org': 'a' }, /may hold only/],
    [{ lab: '../x' }, /may hold only/],
    [{ lab: '' }, /missing/]
  ])('are refused as %j', (wrong, why) => {
    expect(() => checkOrganizationMap(wrong)).toThrow(why)
  })
})
