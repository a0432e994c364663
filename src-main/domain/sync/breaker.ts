/**
 * What keeps a remote from being asked again and again while it fails. Closed, everything goes; after some failures in a
 * row it is open, and nothing goes until a time; then one goes ahead of the others, and what that one finds decides.
 */
export interface Breaker {
  /** In a row, since it last did what was asked. */
  readonly failures: number
  /** How often in a row it was left alone. */
  readonly pauses: number
  /** Not asked before then; null while it may be asked. */
  readonly until: number | null
  /** Whether one is trying it while the others wait until then. */
  readonly probing: boolean
  readonly lastFailureAt: number | null
}

export const closedBreaker: Breaker = {
  failures: 0,
  pauses: 0,
  until: null,
  probing: false,
  lastFailureAt: null
}

/** So many in a row, and it is left alone. */
export const mostFailures = 3
export const shortestPause = 15_000
export const longestPause = 10 * 60_000
/** The others wait so long for the one that goes ahead; if nothing is heard of it, the next one does. */
export const probeTime = 30_000
/** What it did so long ago says nothing of today. */
export const forgottenAfter = 30 * 60_000

/** Until when it is not to be asked; null when it may be. */
export const pausedUntil = ({ until, lastFailureAt }: Breaker, now: number): number | null =>
  until !== null && now < until && !isAhead(lastFailureAt, now) ? until : null

/** What has happened at a time that is still to come was before the clock was set back: it holds nobody up. */
const isAhead = (time: number | null, now: number): boolean => time !== null && time > now

/** A person says that it may be asked again: one goes ahead at once. Only a pause after failures ends so, not a limit. */
export const whenUrged = (breaker: Breaker, now: number): Breaker =>
  breaker.pauses > 0 && !breaker.probing && breaker.until !== null
    ? { ...breaker, until: Math.min(breaker.until, now) }
    : breaker

/** Somebody begins to ask it. After a pause that one goes ahead of the others. */
export function whenAsked(breaker: Breaker, now: number): Breaker {
  const { lastFailureAt, pauses } = breaker
  if (lastFailureAt === null || now - lastFailureAt >= forgottenAfter) return closedBreaker
  return pauses > 0 && breaker.until !== null
    ? { ...breaker, until: now + probeTime, probing: true }
    : breaker
}

/** It said who it is: the others may ask as well. Whether it can do what is asked is still to be seen. */
export const afterIntroduction = (breaker: Breaker): Breaker =>
  breaker.probing ? { ...breaker, until: null, probing: false } : breaker

/** It did what was asked, or said a considered no. */
export const afterAnswer = (): Breaker => closedBreaker

/**
 * It did not answer, or could not. Once it was left alone, one failure more is enough for the next time, which is twice as
 * long. `askedFor` is how long it asked to be left alone for.
 */
export function afterFailure(breaker: Breaker, now: number, askedFor: number | null = null): Breaker {
  const { failures, pauses, probing } = breaker
  const until = pausedUntil(breaker, now)
  const asked = askedFor === null ? null : now + askedFor
  // Those that were under way when it was left alone tell nothing new.
  if (!probing && until !== null)
    return { ...breaker, until: Math.max(until, asked ?? until), lastFailureAt: now }
  const counted = { failures: failures + 1, probing: false, lastFailureAt: now }
  if (pauses === 0 && counted.failures < mostFailures) return { ...counted, pauses, until: asked }
  const pause = now + Math.min(shortestPause * 2 ** Math.min(pauses, 20), longestPause)
  return { ...counted, pauses: pauses + 1, until: Math.max(pause, asked ?? pause) }
}

/** It asked for fewer requests, which is no failure. */
export const afterRateLimit = (breaker: Breaker, now: number, askedFor: number | null): Breaker => ({
  ...breaker,
  until: Math.max(pausedUntil(breaker, now) ?? 0, now + (askedFor ?? shortestPause)),
  probing: false,
  lastFailureAt: now
})
