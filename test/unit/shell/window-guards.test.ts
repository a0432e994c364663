import { describe, expect, it } from 'vitest'
import { contentSecurityPolicy, type Bundle } from '../../../src-main/desk/bundle.ts'
import { handedOver } from '../../../src-main/shell/hand-over.ts'
import { isOurs, origin } from '../../../src-main/shell/origin.ts'
import { mayHave } from '../../../src-main/shell/permissions.ts'
import { answer } from '../../../src-main/shell/protocol.ts'
import { isTrusted } from '../../../src-main/shell/sender.ts'

describe('an address of ours', () => {
  it.each([
    ['app://boxyard/', true],
    ['app://boxyard/#/library', true],
    ['app://boxyard/assets/x.js', true],
    ['app://other/', false],
    ['app://boxyard.evil.example/', false],
    ['app://user@boxyard/', false],
    ['app://boxyard:80/', false],
    ['https://boxyard/', false],
    ['file:///app://boxyard/', false],
    ['about:blank', false],
    ['', false]
  ])('%s: %s', (address, expected) => {
    expect(isOurs(address)).toBe(expected)
  })
})

describe('a call', () => {
  const ours = { isOurWindow: true, isTopFrame: true, origin }
  it('is answered when it comes from our page', () => {
    expect(isTrusted(ours)).toBe(true)
  })
  it.each([
    ['another window', { ...ours, isOurWindow: false }],
    ['a frame inside the page', { ...ours, isTopFrame: false }],
    ['a page of another origin', { ...ours, origin: 'https://evil.example' }],
    ['a file', { ...ours, origin: 'file://' }],
    ['a frame that is gone', { ...ours, origin: null }],
    ['a sandboxed frame', { ...ours, origin: 'null' }]
  ])('is rejected from %s', (_who, sender) => {
    expect(isTrusted(sender)).toBe(false)
  })
})

describe('a permission', () => {
  it('is given to our page for what it needs', () => {
    expect(mayHave('clipboard-sanitized-write', `${origin}/`)).toBe(true)
  })
  it.each([
    'media',
    'geolocation',
    'notifications',
    'midi',
    'midiSysex',
    'pointerLock',
    'fullscreen',
    'openExternal',
    'clipboard-read',
    'display-capture',
    'fileSystem',
    'hid',
    'serial',
    'usb',
    'idle-detection',
    'unknown',
    'window-management',
    'constructor',
    '__proto__',
    ''
  ])('is refused: %s', (permission) => {
    expect(mayHave(permission, `${origin}/`)).toBe(false)
  })
  it.each(['https://evil.example/', 'about:blank', 'file:///x', ''])('is refused to %s', (page) => {
    expect(mayHave('clipboard-sanitized-write', page)).toBe(false)
  })
})

describe('the interface’s own scheme', () => {
  const page = { type: 'text/html', body: Buffer.from('<p>'), immutable: false }
  const bundle: Bundle = { get: (path) => (path === '/' || path === '/index.html' ? page : null) }

  it('serves the bundle, with its policy', async () => {
    const response = answer({ method: 'GET', url: 'app://boxyard/' }, bundle)
    expect([response.status, await response.text()]).toEqual([200, '<p>'])
    expect(response.headers.get('content-security-policy')).toBe(contentSecurityPolicy)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })
  it.each([
    ['GET', 'app://boxyard/none.js'],
    ['GET', 'app://boxyard/../../etc/passwd'],
    ['GET', 'app://boxyard/%2e%2e/%2e%2e/etc/passwd'],
    ['GET', 'app://boxyard/..%2f..%2fetc/passwd'],
    ['GET', 'app://boxyard//etc/passwd'],
    ['GET', 'app://other/'],
    ['POST', 'app://boxyard/']
  ])('has nothing for %s %s', (method, url) => {
    const response = answer({ method, url }, bundle)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-security-policy')).toBe(contentSecurityPolicy)
  })
})

describe('what a second start hands over', () => {
  it('is its files and links', () => {
    const asked = { files: ['/a.box'], links: ['boxyard://box/acme/base'] }
    expect(handedOver(asked)).toEqual(asked)
  })
  it.each([[null], ['text'], [{}], [{ files: 'x', links: 1 }], [{ files: [1, null], links: [{}] }]])(
    'is nothing when it makes no sense: %j',
    (sent) => {
      expect(handedOver(sent)).toEqual({ files: [], links: [] })
    }
  )
  it('is bounded', () => {
    const { files } = handedOver({
      files: [...Array<string>(2_000).fill('a'), 'b'.repeat(40_000)],
      links: []
    })
    expect(files).toHaveLength(1_000)
  })
})
