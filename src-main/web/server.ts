import type { Readable } from 'node:stream'
import createFastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Refusal, Reply } from '../contract/desk.ts'
import type { Bundle } from '../desk/bundle.ts'
import type { Desk } from '../desk/desk.ts'
import type { Log } from '../log.ts'
import { securityHeaders, turnedAway } from './admission.ts'
import { EventStreams } from './event-streams.ts'
import { defaultWebLimits, type WebLimits } from './limits.ts'
import { Session, type GuessCost } from './session.ts'

/** Takes the bytes of a file that a page sends, until they are in and looked into. */
export type Receive = (file: {
  readonly id: string
  readonly name: string
  readonly draft: string
  readonly bytes: Readable
  readonly length: number | null
  readonly signal: AbortSignal
}) => Promise<Reply<'arrivals.retry'>>

/** What the interface's server is made of. */
export interface WebParts {
  readonly desk: Desk
  readonly bundle: Bundle
  readonly receive: Receive
  readonly log: Log
  readonly limits?: Partial<WebLimits>
  readonly guessCost?: GuessCost
}

/** The interface for a browser on this machine, and only for whoever has the address with its token. */
export class WebServer {
  readonly #app: FastifyInstance
  readonly #session: Session
  readonly #streams: EventStreams

  constructor({ desk, bundle, receive, log, limits: some, guessCost }: WebParts) {
    const limits = { ...defaultWebLimits, ...some }
    this.#session = new Session(() => this.#port, guessCost)
    this.#streams = new EventStreams(desk.hub, limits)
    this.#app = createFastify({
      bodyLimit: limits.callBytes,
      routerOptions: { maxParamLength: limits.urlLength },
      forceCloseConnections: true,
      return503OnClosing: false,
      frameworkErrors: (_error, _request, reply) =>
        void (reply as FastifyReply)
          .headers(securityHeaders)
          .code(400)
          .send(refusal('invalid', 'The address is not valid.')),
      http: { headersTimeout: limits.headersTime, requestTimeout: 0 }
    })
    const app = this.#app
    app.server.maxConnections = limits.connections
    app.server.setTimeout(limits.idleTime)
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(securityHeaders)
      const turned = turnedAway(request.raw, this.#port, limits.urlLength)
      if (turned) return reply.code(turned.status).send(refusal('forbidden', turned.sentence))
      if (!isOpenToAll(request) && !this.#session.holds(request.headers.cookie))
        return reply.code(401).send(refusal('unauthorized', 'This page is not signed in.'))
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const status = error.statusCode ?? 500
      if (status >= 500) log.error(`${request.method} ${pathOf(request)} failed`, error)
      return status >= 500
        ? reply.code(500).send(refusal('fault', 'This did not work because of a fault in the program.'))
        : reply.code(status).send(refusal('invalid', `${error.message}.`))
    })
    app.setNotFoundHandler((request, reply) => {
      const file = request.method === 'GET' || request.method === 'HEAD' ? bundle.get(pathOf(request)) : null
      if (!file) return reply.code(404).send(refusal('missing', 'There is nothing at this address.'))
      if (file.immutable) reply.header('cache-control', 'private, max-age=31536000, immutable')
      return reply.type(file.type).send(file.body)
    })

    app.post('/desk/session', { bodyLimit: 1024 }, async (request, reply) => {
      const cookie = await this.#session.exchange(tokenIn(request.body))
      if (cookie === null)
        return reply.code(401).send(refusal('unauthorized', 'This is not the token of this launch.'))
      return reply.header('set-cookie', cookie).code(204).send()
    })
    app.post<{ Params: { method: string } }>('/desk/call/:method', async (request) =>
      desk.call(request.params.method, request.body)
    )
    app.get('/desk/events', (request, reply) => {
      if (this.#streams.full)
        return reply.code(503).send(refusal('unavailable', 'Too many pages are open; close some.'))
      reply.hijack()
      request.raw.socket.setTimeout(0)
      this.#streams.add(reply.raw, securityHeaders)
    })
    void app.register((scope, _options, done) => {
      // Whatever type a file says it has, its bytes are streamed.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
      scope.put('/desk/arrivals/:id', async (request, reply) => this.#arrival(request, reply, receive))
      done()
    })
  }

  get #port(): number {
    const address = this.#app.server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  /** Listens on this machine's own address, whatever the registry does, and returns where, with the token. */
  async start(port = 0): Promise<string> {
    await this.#app.listen({ host: '127.0.0.1', port })
    return `http://127.0.0.1:${this.#port}/#token=${this.#session.token}`
  }

  async close(): Promise<void> {
    this.#streams.close()
    await this.#app.close()
  }

  async #arrival(request: FastifyRequest, reply: FastifyReply, receive: Receive): Promise<unknown> {
    const query = arrivalQuery.safeParse(request.query)
    const { id } = request.params as { id: string }
    if (!query.success || !uuid.test(id))
      return reply.code(400).send(refusal('invalid', 'A file is sent under an id and a name.'))
    const gone = new AbortController()
    request.raw.once('close', () => {
      if (!request.raw.complete) gone.abort()
    })
    const length = Number(request.headers['content-length'] ?? NaN)
    return receive({
      id,
      ...query.data,
      bytes: request.raw,
      length: Number.isSafeInteger(length) ? length : null,
      signal: gone.signal
    })
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const arrivalQuery = z.object({
  name: z.string().min(1).max(1000),
  draft: z.string().max(8192).default('{}')
})
const sessionBody = z.object({ token: z.string().max(200) })

const tokenIn = (body: unknown): string => sessionBody.safeParse(body).data?.token ?? ''

const pathOf = ({ raw: { url = '' } }: FastifyRequest): string => url.split('?', 1)[0] ?? ''

/** The page itself holds no secret, and has to be there before a token can be exchanged. */
const isOpenToAll = (request: FastifyRequest): boolean =>
  pathOf(request) === '/desk/session' || !pathOf(request).startsWith('/desk/')

const refusal = (kind: Refusal['kind'], sentence: string): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal: { kind, sentences: [sentence] }
})
