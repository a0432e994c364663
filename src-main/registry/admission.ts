import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../domain/problem.ts'
import { hostCheck } from './host.ts'
import type { RegistryLimits, RegistryOptions } from './options.ts'
import { defaultRateLimit } from './options.ts'
import { rateLimiter } from './rate-limit.ts'
import { HttpProblem } from './refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Scheme and host as the client wrote them: clients send their token only to the host name they know. */
    base: string
    contentType: string | undefined
  }
}

/** Says no to a request before anything is done for it, by throwing; else readies what every answer carries. */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => void

const always = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store'
}

export function admission(
  options: RegistryOptions,
  limits: RegistryLimits,
  registryId: () => string | null
): Admission {
  const ownHost = following(() => options.allowedHosts ?? noNames, hostCheck)
  const standings = following(() => options.rateLimit ?? defaultRateLimit, rateLimiter)
  return (request, reply) => {
    const { headers, url = '' } = request.raw
    const isOwnHost = ownHost()
    const standing = standings()(request.socket.remoteAddress ?? '')
    reply.headers(always).headers({
      'x-ratelimit-limit': standing.limit,
      'x-ratelimit-remaining': standing.remaining,
      'x-ratelimit-reset': standing.resetAt
    })
    const id = registryId()
    if (id !== null) reply.header('x-registry-id', id)
    takeContentType(request)
    if (!isOwnHost(headers.host))
      throw new HttpProblem(
        421,
        'This registry does not go by the name in the Host header. Use 127.0.0.1 or localhost, or allow that name when starting it.'
      )
    request.base = `http://${headers.host}`
    if (headers.origin !== undefined && headers.origin.toLowerCase() !== request.base.toLowerCase())
      throw new Problem('forbidden', 'Pages of other sites may not use this registry.')
    if (standing.refused)
      throw new HttpProblem(
        429,
        `More than ${standing.limit} requests came from this address within a minute; wait and try again.`,
        Math.max(1, standing.resetAt - Math.floor(Date.now() / 1000))
      )
    if (url.length > limits.urlLength)
      throw new HttpProblem(414, `The address is longer than ${limits.urlLength} characters; shorten it.`)
    if (url.includes('%00'))
      throw new HttpProblem(400, 'The address holds a NUL character, which no name here can.')
    if (options.maintenance?.() && url !== '/')
      throw new Problem('unavailable', 'The registry is under maintenance; try again in a while.')
  }
}

const noNames: readonly string[] = []

/** What is made of an option, made anew when that is another one: options may change while the server runs. */
function following<Option, Made>(read: () => Option, make: (option: Option) => Made): () => Made {
  let option = read()
  let made = make(option)
  return () => {
    const now = read()
    if (now !== option) {
      option = now
      made = make(option)
    }
    return made
  }
}

/**
 * Whatever type a body says it has, the framework must not act on it: an upload's bytes come under any type or none,
 * and small bodies are read by the handlers that want them, once they know who is asking.
 */
function takeContentType(request: FastifyRequest): void {
  const { headers } = request.raw
  request.contentType = headers['content-type']
  if (request.contentType !== undefined) delete headers['content-type']
}
