import { describe, expect, it } from 'vitest'
import { isLoopback, rateLimiter } from '../../../src-main/registry/rate-limit.ts'

describe('rateLimiter', () => {
  it('refuses what comes after the limit, and forgets after a minute', () => {
    let now = 1_000_000
    const standingOf = rateLimiter({ perMinute: 2, loopbackToo: false }, () => now)
    expect(standingOf('10.0.0.1')).toEqual({ limit: 2, remaining: 1, resetAt: 1060, refused: false })
    expect(standingOf('10.0.0.1')).toMatchObject({ remaining: 0, refused: false })
    expect(standingOf('10.0.0.1')).toMatchObject({ remaining: 0, refused: true })
    expect(standingOf('10.0.0.2')).toMatchObject({ remaining: 1, refused: false })
    now += 60_000
    expect(standingOf('10.0.0.1')).toMatchObject({ remaining: 1, refused: false })
  })

  it.each([
    [false, false],
    [true, true]
  ])('counts this machine; when told to refuse it too (%s), it does', (loopbackToo, refused) => {
    const standingOf = rateLimiter({ perMinute: 1, loopbackToo })
    standingOf('127.0.0.1')
    expect(standingOf('127.0.0.1')).toMatchObject({ remaining: 0, refused })
  })

  it('remembers no more clients than it can hold', () => {
    const standingOf = rateLimiter({ perMinute: 1, loopbackToo: false })
    for (let i = 0; i < 20_000; i += 1) standingOf(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
    expect(standingOf('10.0.0.0').refused).toBe(false)
  })
})

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is', (address) =>
    expect(isLoopback(address)).toBe(true)
  )
  it.each(['', '10.0.0.1', '::', '::ffff:10.0.0.1', '2001:db8::127.0.0.1', '128.127.0.1'])(
    '%s is not',
    (address) => expect(isLoopback(address)).toBe(false)
  )
})
