import { describe, expect, it } from 'vitest'
import {
  callbackAddress,
  downloadHop,
  nextOfCall,
  uploadAddress
} from '../../../../../src-main/remotes/ends/http/redirects.ts'

const secure = 'https://reg.example'
const lab = 'http://127.0.0.1:7575'
const plain = 'http://reg.lab'

describe('a call of the API is followed', () => {
  it.each<[api: string, location: string, to: string | null]>([
    [secure, '/api/v2/x', `${secure}/api/v2/x`],
    [secure, 'x', `${secure}/api/v2/x`],
    [secure, `${secure}/y`, `${secure}/y`],
    [secure, `${secure}:443/y`, `${secure}/y`],
    // Whatever stands before it speaks TLS for it.
    [secure, 'http://reg.example/y', `${secure}/y`],
    [secure, `${secure}:8443/y`, null],
    [secure, 'https://other.example/y', null],
    [secure, '//other.example/y', null],
    [secure, 'https://reg.example.evil.example/y', null],
    [secure, 'https://user@reg.example/y', null],
    [secure, 'https://reg.example@evil.example/', null],
    [secure, 'javascript:alert(1)', null],
    [secure, 'file:///etc/passwd', null],
    [secure, 'https://', null],
    [lab, '/y', `${lab}/y`],
    [lab, 'http://localhost:7575/y', null],
    [lab, 'http://127.0.0.1:7576/y', null],
    [lab, 'https://127.0.0.1:7575/y', null]
  ])('from %s by %s to %s', (api, location, to) => {
    const from = new URL('/api/v2/box', api)
    expect(nextOfCall(new URL(api), from, location)?.href ?? null).toBe(to)
  })
})

describe('a download goes', () => {
  it.each<[api: string, location: string, to: string | null, withToken?: boolean]>([
    [secure, '/f.box', `${secure}/f.box`, true],
    [secure, 'https://storage.example/f', 'https://storage.example/f', false],
    [secure, `${secure}:8443/f`, `${secure}:8443/f`, false],
    [secure, 'http://reg.example/f', `${secure}/f`, true],
    [secure, 'http://reg.example:8080/f', null],
    [secure, 'http://storage.example/f', null],
    [secure, 'http://127.0.0.1/f', null],
    [secure, 'ftp://storage.example/f', null],
    [secure, 'https://u:p@storage.example/f', null],
    [lab, '/f', `${lab}/f`, true],
    [lab, 'http://127.0.0.1:1/f', 'http://127.0.0.1:1/f', false],
    [lab, 'http://localhost:7575/f', 'http://localhost:7575/f', false],
    [lab, 'https://storage.example/f', 'https://storage.example/f', false],
    [plain, 'https://storage.lab/f', 'https://storage.lab/f', false],
    [plain, 'http://reg.lab:9000/f', 'http://reg.lab:9000/f', false],
    // Plain http was allowed for the remote alone.
    [plain, 'http://storage.lab/f', null],
    [lab, 'http://storage.lab/f', null],
    // What listens on this machine for this machine is none of the business of others.
    ...[
      '127.0.0.1:7575',
      'localhost',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      'a.localhost'
    ].map((host): [string, string, null] => [plain, `http://${host}/f`, null]),
    [plain, 'http://169.254.169.254/latest/meta-data', null]
  ])('from %s by %s to %s, with the token: %s', (api, location, to, withToken = false) => {
    const hop = downloadHop(new URL(api), new URL(api), location)
    expect(hop?.url.href ?? null).toBe(to)
    expect(hop?.withToken ?? false).toBe(withToken)
  })

  it('without the token for good once it has left, unless it comes back', () => {
    const api = new URL(secure)
    const away = downloadHop(api, api, 'https://storage.example/a')
    expect(downloadHop(api, away!.url, '/b')).toMatchObject({ withToken: false })
    expect(downloadHop(api, away!.url, `${secure}/c`)).toMatchObject({ withToken: true })
  })
})

describe('a file may be sent', () => {
  it.each<[api: string, address: string, to: string | null]>([
    [secure, 'https://storage.example/u?sig=1', 'https://storage.example/u?sig=1'],
    [secure, '/upload/1', `${secure}/upload/1`],
    [secure, 'http://reg.example/upload/1', `${secure}/upload/1`],
    [secure, 'http://storage.example/u', null],
    [secure, 'http://127.0.0.1/u', null],
    [lab, `${lab}/upload/1?key=x`, `${lab}/upload/1?key=x`],
    [lab, 'http://localhost:9000/u', 'http://localhost:9000/u'],
    [lab, 'http://storage.lab/u', null],
    [plain, 'http://reg.lab/upload/1', 'http://reg.lab/upload/1'],
    [plain, 'http://127.0.0.1/u', null],
    [plain, 'http://storage.lab/u', null],
    [secure, '', `${secure}/`],
    [secure, 'data:,x', null]
  ])('by %s to %s: %s', (api, address, to) => {
    expect(uploadAddress(new URL(api), address)?.href ?? null).toBe(to)
  })
})

describe('an upload is completed', () => {
  it.each<[api: string, callback: string, at: string | null]>([
    [secure, `${secure}/api/v2/box/a/b/upload/direct/1`, `${secure}/api/v2/box/a/b/upload/direct/1`],
    // At the API itself whatever host is named: clients have always done so, and the token goes along.
    [secure, 'http://inner:8080/api/v1/x?y=1', `${secure}/api/v1/x?y=1`],
    [secure, 'https://evil.example/api/v2/x', `${secure}/api/v2/x`],
    [`${secure}/prefix`, '/prefix/api/v2/x', `${secure}/prefix/api/v2/x`],
    [secure, '/somewhere/else', null],
    [secure, 'https://evil.example/steal', null],
    [secure, 'mailto:a@b', null],
    [secure, '', null]
  ])('of %s, by %s, at %s', (api, callback, at) => {
    expect(callbackAddress(new URL(api), callback)?.href ?? null).toBe(at)
  })
})
