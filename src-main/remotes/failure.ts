/** Why something with a remote did not work, in the kinds that decide what happens next. */
export type FailureKind =
  /** No answer: no network, refused, timed out, cut off. Tried again by itself. */
  | 'offline'
  /** It said it cannot just now: 500, 502, 503, 504. Tried again by itself. */
  | 'busy'
  /** 429. Tried again by itself, not before it allows. */
  | 'rate-limited'
  /** The bytes that arrived are not the ones they should be. Tried again once, from the beginning. */
  | 'damaged'
  /** An upload address that was not used in time; a new one is asked for. */
  | 'expired'
  /** 401: the token is wrong or over. The person has to act. */
  | 'unauthorized'
  /** 403, or a place that can only be read. */
  | 'forbidden'
  /** 402. */
  | 'billing'
  /** It is not there, or not for this token. */
  | 'missing'
  /** It said no, and would say so again: 4xx with its sentences. */
  | 'refused'
  /** It answers as no registry does: HTML, no JSON, redirects elsewhere. */
  | 'odd'
  /** Something else answers at that address than before. */
  | 'another'
  /** A certificate nobody here trusts, plain http where that is not allowed, a proxy that lets nothing through. */
  | 'untrusted'
  /** No room on the folder's disk, or 507. */
  | 'no-room'

/** A remote that asks to be left alone for longer has another idea of time. */
export const longestAskedFor = 60 * 60_000

interface Details {
  readonly cause?: unknown
  /** Milliseconds it asked to be left alone for. */
  readonly retryAfter?: number | null
  /** Whether it may have done what was asked all the same: the answer was lost, or came after the last byte. */
  readonly ambiguous?: boolean
}

/** Bytes came to an image after the plan was made: nobody has said that they may be replaced. Looked at again by itself. */
export const othersAreThere = (what: string): RemoteFailure =>
  new RemoteFailure('busy', [
    `There is another file for ${what} now than when it was looked there last, so it was not replaced.`,
    'Both sides are compared again.'
  ])

/** What goes wrong with a remote, in sentences the person understands: what happened, why, and what to do. */
export class RemoteFailure extends Error {
  readonly kind: FailureKind
  readonly sentences: readonly string[]
  /** As far as it is believed. */
  readonly retryAfter: number | null
  readonly ambiguous: boolean

  constructor(kind: FailureKind, sentences: readonly string[], details: Details = {}) {
    super(sentences.join(' '), { cause: details.cause })
    this.name = 'RemoteFailure'
    this.kind = kind
    this.sentences = sentences
    const asked = details.retryAfter ?? null
    this.retryAfter = asked === null ? null : Math.min(Math.max(asked, 0), longestAskedFor)
    this.ambiguous = details.ambiguous ?? false
  }
}
