import { rootCertificates } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { RemoteFailure } from '../../../src-main/remotes/failure.ts'
import {
  checkedCertificates,
  checkPlainHttp,
  isLoopback,
  trustedCertificates
} from '../../../src-main/remotes/trust.ts'

const [one, two] = rootCertificates as unknown as readonly [string, string]

describe('certificates a person gives', () => {
  it('are kept without what is around them, each once', () => {
    expect(checkedCertificates(`Bag attributes\n${one}\nmore\n${two}\n${one}`)).toBe(`${one}\n${two}`)
  })

  it('can be taken away', () => {
    expect(checkedCertificates(' \n')).toBeNull()
  })

  it.each([
    ['no certificate', /no certificate/],
    ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----', /damaged/],
    [`${one}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`, /Certificate 2 of 2/],
    [`${one}\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----`, /private key/]
  ])('are refused when they hold %j', (text, why) => {
    expect(() => checkedCertificates(text)).toThrow(why)
  })
})

describe('whom a connection trusts', () => {
  it('are those of the runtime and of the system', () => {
    expect(trustedCertificates(null)).toEqual(expect.arrayContaining([one.trim(), two.trim()]))
  })

  it('are those of the remote besides', () => {
    const own = one.replace(/\n[A-Z]/, '\nq')
    expect(trustedCertificates(own)).toEqual([...trustedCertificates(null), own.trim()])
    expect(trustedCertificates(null)).not.toContain(own.trim())
  })
})

describe('plain http', () => {
  it.each(['localhost', 'LOCALHOST', 'a.localhost', '127.0.0.1', '127.1.2.3', '[::1]', '0:0:0:0:0:0:0:1'])(
    'to %s stays on this machine',
    (host) => expect(isLoopback(host)).toBe(true)
  )

  it.each([
    'example.com',
    'localhost.example',
    '10.0.0.1',
    '0.0.0.0',
    '127.0.0.1.example',
    '[::2]',
    '[fe80::1]',
    '128.0.0.1',
    ''
  ])('to %s does not', (host) => expect(isLoopback(host)).toBe(false))

  it.each([
    'http://127.0.0.1:7575',
    'http://localhost',
    'http://[::1]:80',
    'https://example.com',
    '/media/usb'
  ])('is no question for %s', (location) => expect(() => checkPlainHttp(location, false)).not.toThrow())

  it('has to be allowed for others', () => {
    expect(() => checkPlainHttp('http://lab.example:8080/x', false)).toThrow(RemoteFailure)
    expect(() => checkPlainHttp('http://lab.example:8080/x', false)).toThrow(/lab\.example:8080/)
    expect(() => checkPlainHttp('http://lab.example:8080/x', true)).not.toThrow()
  })
})
