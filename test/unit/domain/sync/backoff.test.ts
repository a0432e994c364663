import { describe, expect, it } from 'vitest'
import { backoff } from '../../../../src-main/domain/sync/backoff.ts'

describe('the time before something is tried again', () => {
  it.each([
    { attempts: 1, most: 2000 },
    { attempts: 2, most: 4000 },
    { attempts: 3, most: 8000 },
    { attempts: 8, most: 256_000 },
    { attempts: 9, most: 300_000 },
    { attempts: 1000, most: 300_000 },
    { attempts: 0, most: 2000 }
  ])('is anything up to $most ms after failure $attempts', ({ attempts, most }) => {
    expect(backoff({ attempts, retryAfter: null, random: 0 })).toBe(0)
    expect(backoff({ attempts, retryAfter: null, random: 0.5 })).toBe(most / 2)
    expect(backoff({ attempts, retryAfter: null, random: 1 })).toBe(most)
  })

  it.each([
    { retryAfter: 30_000, random: 0, wait: 30_000 },
    { retryAfter: 30_000, random: 0.5, wait: 31_000 },
    { retryAfter: 0, random: 0.25, wait: 500 }
  ])('is what the remote asks for, $retryAfter ms, and a little more', ({ retryAfter, random, wait }) => {
    expect(backoff({ attempts: 9, retryAfter, random })).toBe(wait)
  })
})
