import { RemoteFailure } from '../../failure.ts'
import type { Exchange, Incoming, Outgoing, OutgoingBytes } from './exchange.ts'
import type { HttpLimits } from './limits.ts'
import { readJson } from './read-json.ts'
import { isRedirect, mostRedirects, nextOfCall } from './redirects.ts'
import { failureOf, odd, sentencesOf } from './said.ts'

/** A call of the API. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the address of the remote, or the whole address where the remote said it. */
  readonly at: string | URL
  readonly body?: object
  /** Of an earlier answer: the same one is not sent again. */
  readonly ifNot?: string | null
  readonly signal: AbortSignal
}

/** What a call was answered. */
export interface Answer {
  readonly status: number
  readonly json: unknown
  readonly headers: Incoming['headers']
}

/** The calls of one registry, with the token that belongs to them and goes nowhere else. */
export class Api {
  readonly base: URL
  readonly limits: HttpLimits
  readonly token: string | null
  readonly #exchange: Exchange

  constructor(parts: { base: URL; token: string | null; limits: HttpLimits; exchange: Exchange }) {
    this.base = parts.base
    this.token = parts.token
    this.limits = parts.limits
    this.#exchange = parts.exchange
  }

  get host(): string {
    return this.base.host
  }

  /** Throws a RemoteFailure for every answer that is no success. */
  async call(call: Call): Promise<Answer> {
    const answer = await this.try(call)
    if (answer instanceof RemoteFailure) throw answer
    return answer
  }

  /** The same, with the failure for an answer when that is what the caller wants to look at. */
  async try(call: Call): Promise<Answer | RemoteFailure> {
    const incoming = await this.begin(call)
    if (incoming.status < 200 || incoming.status > 299) return this.refusal(incoming, call.method !== 'GET')
    const read = await readJson(incoming, this.host, this.limits)
    if (!read.isJson) throw odd(this.host, 'something other than JSON')
    return { status: incoming.status, json: read.json, headers: incoming.headers }
  }

  /** Null where there is no such thing. */
  async find(call: Call): Promise<Answer | null> {
    const answer = await this.try(call)
    if (!(answer instanceof RemoteFailure)) return answer
    if (answer.kind === 'missing') return null
    throw answer
  }

  /** An answer whose body is still to be read, whatever its status; redirects within the registry are followed. */
  async begin({ method, at, body, ifNot, signal }: Call): Promise<Incoming> {
    let url = typeof at === 'string' ? new URL(this.base.href.replace(/\/$/, '') + at) : at
    for (let hops = 0; ; hops += 1) {
      const incoming = await this.#exchange.send({
        method,
        url,
        signal,
        headers: {
          accept: 'application/json',
          ...this.#authorization(),
          ...(body && { 'content-type': 'application/json' }),
          ...(ifNot && { 'if-none-match': ifNot })
        },
        ...(body && { body: JSON.stringify(body) })
      })
      if (!isRedirect(incoming.status)) return incoming
      incoming.body.destroy()
      url = this.#next(url, method, incoming, hops)
    }
  }

  /** A request of another kind than a call, over the same connections. The token is only there when it is asked for. */
  send(
    outgoing: Omit<Outgoing, 'method' | 'body'> & {
      method: 'GET' | 'PUT'
      body?: OutgoingBytes
      withToken: boolean
    }
  ): Promise<Incoming> {
    const { withToken, headers, ...rest } = outgoing
    return this.#exchange.send({ ...rest, headers: { ...headers, ...(withToken && this.#authorization()) } })
  }

  /** What an answer that is no success means. Reads it to its end. */
  async refusal(incoming: Incoming, changes: boolean, host: string = this.host): Promise<RemoteFailure> {
    const read = await readJson(incoming, host, { ...this.limits, jsonBytes: 256 * 1024 }).catch(
      (error: unknown) => {
        // What it says besides is worth having, and nothing without which the status would mean less.
        if (error instanceof RemoteFailure) return { isJson: error.kind !== 'odd', json: null }
        throw error
      }
    )
    return failureOf({
      status: incoming.status,
      host,
      isJson: read.isJson,
      sentences: read.isJson ? sentencesOf(read.json, this.token) : [],
      retryAfter: incoming.headers['retry-after'],
      changes
    })
  }

  close(): void {
    this.#exchange.close()
  }

  #authorization(): { authorization: string } | undefined {
    return this.token === null || this.token === '' ? undefined : { authorization: `Bearer ${this.token}` }
  }

  #next(url: URL, method: string, incoming: Incoming, hops: number): URL {
    const location = incoming.headers.location ?? ''
    const repeatable = method === 'GET' || incoming.status === 307 || incoming.status === 308
    const next = repeatable && hops < mostRedirects ? nextOfCall(this.base, url, location) : null
    if (next) return next
    if (hops >= mostRedirects)
      throw new RemoteFailure('odd', [
        `${this.host} sends requests on from one address to the next without end. Check the address of this remote.`
      ])
    throw new RemoteFailure('odd', [
      `${this.host} sends requests on to ${shownHost(location, url, this.token)}, where nothing was sent: tokens go to the registry they are for alone.`,
      'If the registry has moved, change the address of this remote.'
    ])
  }
}

/** Where a redirect leads, in words: only what can be shown to anybody. */
function shownHost(location: string, from: URL, token: string | null): string {
  const host = URL.canParse(location, from) ? new URL(location, from).host : ''
  // A host is written in lower case, also when it holds a token.
  const isTelling = token !== null && token !== '' && host.includes(token.toLowerCase())
  return host === '' || isTelling ? 'another address' : host.slice(0, 200)
}
