import { describe, expect, it } from 'vitest'
import { RemoteFailure } from '../../../../../src-main/remotes/failure.ts'
import { proxyFor, type Environment } from '../../../../../src-main/remotes/ends/http/proxy.ts'

const named = (url: string, environment: Environment): string | null =>
  proxyFor(new URL(url), environment)?.host ?? null

describe('the proxy for an address', () => {
  it.each<[string, Environment, string | null]>([
    ['https://reg.example', {}, null],
    ['https://reg.example', { https_proxy: 'http://p:3128' }, 'p:3128'],
    ['https://reg.example', { HTTPS_PROXY: 'http://p:3128' }, 'p:3128'],
    ['https://reg.example', { https_proxy: 'http://small:1', HTTPS_PROXY: 'http://LARGE:2' }, 'small:1'],
    ['https://reg.example', { https_proxy: '', HTTPS_PROXY: 'http://p:2' }, 'p:2'],
    ['https://reg.example', { http_proxy: 'http://p:3128' }, null],
    ['http://reg.example', { http_proxy: 'http://p:3128' }, 'p:3128'],
    ['http://reg.example', { https_proxy: 'http://p:3128' }, null],
    ['https://reg.example', { ALL_PROXY: 'http://p:3128' }, 'p:3128'],
    ['https://reg.example', { all_proxy: 'http://all:1', https_proxy: 'http://p:2' }, 'p:2'],
    ['https://reg.example', { https_proxy: 'p:3128' }, 'p:3128'],
    ['https://reg.example', { https_proxy: 'http://p' }, 'p:80'],
    ['https://reg.example', { https_proxy: 'https://p' }, 'p:443'],
    ['https://reg.example', { https_proxy: 'http://[fd00::1]:3128/' }, '[fd00::1]:3128'],
    ['https://reg.example', { https_proxy: ' http://me:secret@p:3128 ' }, 'p:3128']
  ])('of %s by %j is %s', (url, environment, host) => {
    expect(named(url, environment)).toBe(host)
  })

  it.each(['http://localhost', 'https://127.0.0.1:8443', 'https://[::1]', 'http://box.localhost:1'])(
    'is none for %s: this machine is never reached through another one',
    (url) => expect(named(url, { all_proxy: 'http://p:1' })).toBe(null)
  )

  it.each<[string, string, boolean]>([
    ['https://reg.example', '*', true],
    ['https://reg.example', 'reg.example', true],
    ['https://REG.example', 'Reg.Example', true],
    ['https://reg.example.', 'reg.example', true],
    ['https://a.reg.example', 'reg.example', true],
    ['https://a.reg.example', '.reg.example', true],
    ['https://a.reg.example', '*.reg.example', true],
    ['https://reg.example', '.reg.example', true],
    ['https://myreg.example', 'reg.example', false],
    ['https://reg.example.org', 'reg.example', false],
    ['https://reg.example', 'other.example, reg.example', true],
    ['https://reg.example', 'other.example reg.example', true],
    ['https://reg.example', 'example', true],
    ['https://reg.example', '.', false],
    ['https://reg.example', ',,', false],
    ['https://reg.example:8443', 'reg.example:8443', true],
    ['https://reg.example', 'reg.example:443', true],
    ['https://reg.example', 'reg.example:8443', false],
    ['https://192.168.7.9', '192.168.7.9', true],
    ['https://192.168.7.9', '192.168.0.0/16', true],
    ['https://192.169.7.9', '192.168.0.0/16', false],
    ['https://192.168.7.9', '192.168.0.0/99', false],
    ['https://192.168.7.9', '192.168.0.0/x', false],
    ['https://192.168.7.9', '7.9', false],
    ['https://[fd00::9]', 'fd00::9', true],
    ['https://[fd00::9]:8443', '[fd00::9]:8443', true],
    ['https://[fd00::9]', 'fd00::/8', true],
    ['https://[fe80::9]', 'fd00::/8', false],
    ['https://[fd00::9]', '192.168.0.0/16', false]
  ])('of %s, with the exceptions "%s": is left out, %s', (url, except, isLeftOut) => {
    expect(named(url, { https_proxy: 'http://p:1', NO_PROXY: except })).toBe(isLeftOut ? null : 'p:1')
  })

  it.each([
    ['http://p:1', null],
    ['http://me:secret@p:1', 'me:secret'],
    ['me:secret@p:1', 'me:secret'],
    ['http://me:p%40ss%2F@p:1', 'me:p@ss/'],
    ['http://me:100%25@p:1', 'me:100%'],
    ['http://me:100%@p:1', 'me:100%'],
    ['http://me@p:1', 'me:']
  ])('is told the name and password of %s', (value, login) => {
    const given = proxyFor(new URL('https://reg.example'), { https_proxy: value })?.authorization ?? null
    expect(given).toBe(login === null ? null : `Basic ${Buffer.from(login).toString('base64')}`)
  })

  it.each([
    'socks5://me:geheim@p:1',
    'http://me:ge#heim@p:1',
    'ftp://geheim',
    'http://geheim:99999',
    'http://'
  ])('is refused when the variable says %s, without saying that', (value) => {
    const found = (): unknown => proxyFor(new URL('https://reg.example'), { HTTPS_PROXY: value })
    expect(found).toThrow(RemoteFailure)
    expect(found).toThrow(/HTTPS_PROXY/)
    expect(found).not.toThrow(/geheim|heim/)
  })
})
