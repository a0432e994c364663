import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import qs from 'qs'
import type { RegistryLimits } from './options.ts'
import { HttpProblem } from './refusals.ts'

/** What a body may cost; see RegistryLimits. */
export type BodyLimits = Pick<RegistryLimits, 'bodyBytes' | 'bodyTime'>

/** Reads the small body of a request as JSON or form fields; undefined when there is none. */
export async function readBody(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: BodyLimits
): Promise<unknown> {
  if (declaredLength(request) === 0) return undefined
  const parse = parserFor(request.contentType)
  if ((declaredLength(request) ?? 0) > limits.bodyBytes) throw tooLarge(limits.bodyBytes)
  askForBody(request, reply)
  const text = await collect(request.raw, limits)
  return text.trim() === '' ? undefined : parse(text)
}

/** How many bytes the body will have, null when the client does not say beforehand. */
export function declaredLength(request: FastifyRequest): number | null {
  const { headers } = request.raw
  if (headers['transfer-encoding'] !== undefined) return null
  return Number(headers['content-length'] ?? 0)
}

/** Tells a client that waits for it that its body is wanted; called only when nothing speaks against the request. */
export function askForBody(request: FastifyRequest, reply: FastifyReply): void {
  if (/^100-continue$/i.test(request.raw.headers.expect ?? '')) reply.raw.writeContinue()
}

function parserFor(contentType = 'application/json'): (text: string) => unknown {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (/^application\/([a-z0-9.+-]+\+)?json$/.test(type)) return parseJson
  if (type === 'application/x-www-form-urlencoded') return parseForm
  throw new HttpProblem(
    400,
    'A body of this Content-Type cannot be read here; send application/json or application/x-www-form-urlencoded.'
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpProblem(400, 'The body is not valid JSON.')
  }
}

/** Older clients send `box[name]=x`; a key without "=" is what they make of nothing at all. */
function parseForm(text: string): unknown {
  return qs.parse(text, { depth: 2, parameterLimit: 100, arrayLimit: 0, strictNullHandling: true })
}

/** Refusing leaves the body unread but its connection whole, so that the client can read why. */
function collect(body: Readable, { bodyBytes, bodyTime }: BodyLimits): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const settle = (error: Error | null): void => {
      clearTimeout(timer)
      body.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      if (error) reject(error)
      else resolve(Buffer.concat(chunks, length).toString('utf8'))
    }
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      chunks.push(chunk)
      if (length > bodyBytes) settle(tooLarge(bodyBytes))
    }
    const onEnd = (): void => settle(null)
    const onBroken = (): void => settle(new HttpProblem(400, 'The body broke off before its end.'))
    const timer = setTimeout(
      () =>
        settle(new HttpProblem(408, 'The body took too long to arrive; check the connection and try again.')),
      bodyTime
    )
    body.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  })
}

const tooLarge = (most: number): HttpProblem =>
  new HttpProblem(413, `The body is larger than ${most} bytes, the most this registry reads; shorten it.`)
