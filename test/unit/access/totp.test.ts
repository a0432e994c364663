import { describe, expect, it } from 'vitest'
import { newTotpSecret, totpStep, totpUrl } from '../../../src-main/access/totp.ts'

/** The letters of the secret "12345678901234567890" of RFC 6238, appendix B; its codes end with these six digits. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('a time-based code', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130']
  ])('at %i s is the published one', (time, code) => {
    expect(totpStep(secret, code, time * 1000)).toBe(Math.floor(time / 30))
    expect(totpStep(secret, code, (time + 3600) * 1000)).toBeNull()
  })

  it('has a fresh secret of 160 bits, which apps can read from an address', () => {
    const [one, two] = [newTotpSecret(), newTotpSecret()]
    expect(one).toMatch(/^[A-Z2-7]{32}$/)
    expect(one).not.toBe(two)
    const url = new URL(totpUrl('a.b-c_d', one))
    expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Boxyard:a.b-c_d'
    ])
    expect(Object.fromEntries(url.searchParams)).toEqual({ secret: one, issuer: 'Boxyard' })
  })
})
