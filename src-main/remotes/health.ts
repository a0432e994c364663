import type { RemoteHealth } from '../contract/remotes.ts'
import type { FailureKind, RemoteFailure } from './failure.ts'

/** What a failure says of how its remote does; null for what is about a box and not about the remote. */
export function healthAfter(failure: RemoteFailure): RemoteHealth | null {
  return healthByKind[failure.kind]
}

const healthByKind: Readonly<Record<FailureKind, RemoteHealth | null>> = {
  offline: 'unreachable',
  busy: 'unreachable',
  unauthorized: 'refused',
  billing: 'billing',
  odd: 'odd',
  untrusted: 'odd',
  another: 'another',
  // It is there and takes the token.
  'rate-limited': null,
  damaged: null,
  expired: null,
  forbidden: null,
  missing: null,
  refused: null,
  'no-room': null
}

/** What a failure means to the breaker. */
export type BreakerNews = 'failure' | 'rate-limit' | 'answer'

export function breakerNews({ kind }: RemoteFailure): BreakerNews {
  if (kind === 'offline' || kind === 'busy') return 'failure'
  return kind === 'rate-limited' ? 'rate-limit' : 'answer'
}
