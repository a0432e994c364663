import { RemoteFailure, type FailureKind } from '../../failure.ts'
import { retryAfterOf } from './retry-after.ts'

/** What a remote said that is passed on is no longer than this. */
const mostSentences = 3
const longestSentence = 300

/** What an answer that is no success says. */
export interface Said {
  readonly status: number
  readonly host: string
  /** Whether it said it as a registry does. */
  readonly isJson: boolean
  readonly sentences: readonly string[]
  readonly retryAfter: string | undefined
  /** Whether the request was to change something. */
  readonly changes: boolean
}

/** The sentences of an `errors` field, made fit to be shown, and without the token should it be repeated there. */
export function sentencesOf(json: unknown, token: string | null): string[] {
  const errors = typeof json === 'object' && json !== null && 'errors' in json ? json.errors : null
  const list = Array.isArray(errors) ? errors : [errors]
  return list
    .slice(0, mostSentences)
    .map(textOf)
    .map((text) => shown(text, token))
    .filter((text) => text !== '')
}

function textOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return ''
  return Object.entries(error)
    .slice(0, mostSentences)
    .map(([key, value]) => `${key} ${wordsOf(value)}`)
    .join(', ')
}

/** No deeper than registries say it: what is nested without end has no words, and would fill the stack. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.slice(0, mostSentences).map(plain).join(', ')
  return plain(value)
}

const plain = (value: unknown): string => (typeof value === 'object' && value !== null ? '…' : String(value))

/** The token goes before anything is cut: half of one is told no more than the whole. */
function shown(text: string, token: string | null): string {
  const safe = token === null || token === '' ? text : text.replaceAll(token, '…')
  const line = safe
    .slice(0, 10 * longestSentence)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
  const short = line.length > longestSentence ? `${line.slice(0, longestSentence - 1)}…` : line
  return short === '' || /[.!?…]$/.test(short) ? short : `${short}.`
}

/** Why a call did not do what it was for. */
export function failureOf(said: Said): RemoteFailure {
  const { status, host, sentences } = said
  const retryAfter = retryAfterOf(said.retryAfter)
  // After such an answer it may have done it all the same: what stands between gave up, or it broke down on the way out.
  const ambiguous = said.changes && status >= 500 && status !== 501 && status !== 507
  const fail = (kind: FailureKind, ...own: string[]): RemoteFailure =>
    new RemoteFailure(kind, own, { retryAfter, ambiguous })

  if (status === 429)
    return fail('rate-limited', `${host} asks for fewer requests; it is asked again when it allows.`)
  if (status === 507)
    return fail(
      'no-room',
      `${host} has no room left, so nothing was changed there. Make room there, then retry.`
    )
  if (status === 501) return fail('refused', `${host} does not know how to do this.`, ...sentences)
  if (status >= 500 || status === 408 || status === 425)
    return fail('busy', `${host} cannot answer just now (status ${status}).`, ...sentences)
  if (!said.isJson) return odd(host, `status ${status} and something other than JSON`)
  switch (status) {
    case 401:
      return fail(
        'unauthorized',
        `${host} does not take the token: it is mistyped, over or revoked.`,
        ...orAdvice(sentences, 'Give this remote a new one.')
      )
    case 402:
      return fail(
        'billing',
        `${host} asks for a bill to be paid before it goes on.`,
        ...orAdvice(sentences, 'Its owner has to see to that there.')
      )
    case 403:
      return fail('forbidden', `${host} does not allow this with this token.`, ...sentences)
    case 404:
      return fail(
        'missing',
        `There is no such thing at ${host}, or not for this token.`,
        ...specific(sentences)
      )
    case 413:
      return fail('refused', `${host} does not take anything this large.`, ...sentences)
    default:
      return fail(
        'refused',
        `${host} refused it${sentences.length > 0 ? ':' : ` (status ${status}).`}`,
        ...sentences
      )
  }
}

/** An answer no registry gives. */
export const odd = (host: string, what: string, cause?: unknown): RemoteFailure =>
  new RemoteFailure(
    'odd',
    [
      `${host} answered with ${what}, as no registry does.`,
      'Check the address of this remote, and whether a sign-in page or a proxy answers in its place.'
    ],
    { cause }
  )

const orAdvice = (sentences: readonly string[], advice: string): string[] => [...sentences, advice]

const specific = (sentences: readonly string[]): string[] =>
  sentences.filter((sentence) => !/^(resource )?not found[.!]?$/i.test(sentence))
