import type { FastifyRequest } from 'fastify'
import { anonymous, type Caller } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'
import type { RegistryServices } from './services.ts'

type Authentication = RegistryServices['authentication']
type User = NonNullable<ReturnType<Authentication['callerFor']>>

/** Somebody known, and the token that told so. */
export interface Credential {
  readonly user: User
  readonly token: string
}

/** Whose request this is. A token nobody knows takes nothing away: what is public stays public. */
export function callerOf(authentication: Authentication, request: FastifyRequest): Caller {
  return credentialOf(authentication, request)?.user ?? anonymous
}

/** Whose request this is, where somebody is needed. */
export function knownCaller(authentication: Authentication, request: FastifyRequest): User {
  return requireCredential(authentication, request).user
}

export function requireCredential(authentication: Authentication, request: FastifyRequest): Credential {
  const credential = credentialOf(authentication, request)
  if (credential) return credential
  throw new Problem(
    'unauthorized',
    tokenOf(request) === null
      ? 'This needs a token; send it in the header "Authorization: Bearer TOKEN".'
      : 'The token is not valid here: it is mistyped, of another registry, or has been revoked. Sign in again.'
  )
}

function credentialOf(authentication: Authentication, request: FastifyRequest): Credential | null {
  const sent = tokenOf(request)
  if (sent === null) return null
  // Clients that also hold credentials of the hosted service send both at once, parted by a semicolon.
  for (const token of sent.includes(';') ? [sent, ...sent.split(';')] : [sent]) {
    const user = token === '' ? null : authentication.callerFor(token)
    if (user) return { user, token }
  }
  return null
}

const legacyHeaders = ['x-atlas-token', 'x-service-token'] as const

/** The token as it was sent: in the header made for it, in one of the older ones, or in the address. */
function tokenOf(request: FastifyRequest): string | null {
  const { headers } = request.raw
  const bearer = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1]?.trim()
  if (bearer) return bearer
  for (const name of legacyHeaders) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  const { access_token: fromAddress } = request.query as Record<string, unknown>
  return typeof fromAddress === 'string' && fromAddress !== '' ? fromAddress : null
}
