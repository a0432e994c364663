const base = 2000
const cap = 5 * 60_000

/** After how many milliseconds something that failed is tried again. */
export interface BackoffInput {
  /** How often it failed in a row, this time included. */
  readonly attempts: number
  /** What the remote asked to be left alone for, in milliseconds; null when it said nothing. */
  readonly retryAfter: number | null
  /** From 0 to below 1. */
  readonly random: number
}

/**
 * Exponential with full jitter, so that many that failed together do not come back together. What the remote asks for is
 * the least, with a little on top for the same reason.
 */
export function backoff({ attempts, retryAfter, random }: BackoffInput): number {
  const most = Math.min(cap, base * 2 ** Math.min(Math.max(attempts, 1) - 1, 30))
  if (retryAfter === null) return Math.ceil(random * most)
  return Math.ceil(retryAfter + random * base)
}
