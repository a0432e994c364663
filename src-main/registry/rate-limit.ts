import { LRUCache } from 'lru-cache'
import type { RateLimit } from './options.ts'

/** How a client stands in the current minute. */
export interface Standing {
  readonly limit: number
  readonly remaining: number
  /** When the count starts anew, seconds since 1970. */
  readonly resetAt: number
  readonly refused: boolean
}

interface Window {
  count: number
  readonly endsAt: number
}

const minute = 60_000
const clientsRemembered = 10_000

/**
 * Counts requests per client address and minute. The ready-made plug-in does not fit: it leaves clients that are
 * never refused without the headers, and counts only what has a route.
 */
export function rateLimiter({ perMinute, loopbackToo }: RateLimit, now: () => number = Date.now) {
  const windows = new LRUCache<string, Window>({ max: clientsRemembered })
  return (address: string): Standing => {
    const time = now()
    let window = windows.get(address)
    if (!window || window.endsAt <= time) {
      window = { count: 0, endsAt: time + minute }
      windows.set(address, window)
    }
    window.count += 1
    return {
      limit: perMinute,
      remaining: Math.max(0, perMinute - window.count),
      resetAt: Math.ceil(window.endsAt / 1000),
      refused: window.count > perMinute && (loopbackToo || !isLoopback(address))
    }
  }
}

/** Addresses only this machine itself can send from, also when they come over an IPv6 socket. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
