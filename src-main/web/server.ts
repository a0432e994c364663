import createFastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Refusal, Reply } from '../contract/desk.ts'
import type { Bundle } from '../desk/bundle.ts'
import type { Desk } from '../desk/desk.ts'
import type { Log } from '../log.ts'
import { endIdleConnections, readRemainder } from '../registry/connections.ts'
import { securityHeaders, turnedAway } from './admission.ts'
import { receiveArrival, type Receive } from './arrivals.ts'
import { EventStreams } from './event-streams.ts'
import { defaultWebLimits, type WebLimits } from './limits.ts'
import { Session, type GuessCost } from './session.ts'

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
  readonly #limits: WebLimits

  constructor(parts: WebParts) {
    this.#limits = { ...defaultWebLimits, ...parts.limits }
    this.#session = new Session(() => this.#port, parts.guessCost)
    this.#streams = new EventStreams(parts.desk.hub, this.#limits)
    this.#app = createFastify({
      bodyLimit: this.#limits.callBytes,
      routerOptions: { maxParamLength: this.#limits.urlLength },
      forceCloseConnections: true,
      return503OnClosing: false,
      frameworkErrors: (_error, _request, reply) =>
        void (reply as FastifyReply)
          .headers(securityHeaders)
          .code(400)
          .send(refusal('invalid', 'The address is not a valid URL.')),
      // Files may take as long as bytes come; what else comes has a time of its own, see below.
      http: { headersTimeout: this.#limits.headersTime, requestTimeout: 0 }
    })
    this.#admit()
    this.#answerFailures(parts.log)
    this.#serveBundle(parts.bundle)
    this.#carry(parts)
  }

  /** Listens on this machine's own address, whatever the registry does, and returns where, with the token. */
  async start(port = 0): Promise<string> {
    await this.#app.listen({ host: '127.0.0.1', port })
    return `http://127.0.0.1:${this.#port}/#token=${this.#session.token}`
  }

  /** Where it is, with a token that can be used once and soon: for command lines, which others can read. */
  addressForOnce(): string {
    return `http://127.0.0.1:${this.#port}/#token=${this.#session.tokenForOnce()}`
  }

  async close(): Promise<void> {
    this.#streams.close()
    await this.#app.close()
  }

  get #port(): number {
    const address = this.#app.server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  /** Whatever comes is looked at here before anything is done for it. */
  #admit(): void {
    const { urlLength, connections, idleTime, bodyTime, lingerTime } = this.#limits
    const { server } = this.#app
    server.maxConnections = connections
    endIdleConnections(server, idleTime)
    this.#app.addHook('onRequest', async (request, reply) => {
      reply.headers(securityHeaders)
      const isPage = request.is404 && !isDesk(request)
      const turned = turnedAway(request.raw, { port: this.#port, urlLength, isPage })
      if (turned) return reply.code(turned.status).send(refusal('forbidden', turned.sentence))
      // By the route that would answer: an address can be written in many ways that lead to the same one.
      const isOpen = isPage || request.routeOptions.url === signIn
      if (!isOpen && !this.#session.holds(request.headers.cookie, keyOf(request)))
        return reply.code(401).send(refusal('unauthorized', 'This page is not signed in.'))
      if (request.method === 'POST') endUnlessWhole(request, bodyTime)
    })
    this.#app.addHook('onResponse', async (request) => readRemainder(request.raw, lingerTime))
  }

  #answerFailures(log: Log): void {
    this.#app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const status = error.statusCode ?? 500
      if (status < 500) return reply.code(status).send(refusal('invalid', `${error.message}.`))
      log.error(`${request.method} ${pathOf(request)} failed`, error)
      return reply.code(500).send(refusal('fault', 'This did not work because of a fault in the program.'))
    })
  }

  /** The page and its files hold no secret, and have to be there before a token can be exchanged. */
  #serveBundle(bundle: Bundle): void {
    this.#app.setNotFoundHandler((request, reply) => {
      const reads = request.method === 'GET' || request.method === 'HEAD'
      const file = reads && !isDesk(request) ? bundle.get(pathOf(request)) : null
      if (!file) return reply.code(404).send(refusal('missing', 'There is nothing at this address.'))
      if (file.immutable) reply.header('cache-control', 'private, max-age=31536000, immutable')
      return reply.type(file.type).send(file.body)
    })
  }

  #carry({ desk, receive }: WebParts): void {
    const app = this.#app
    // Forms of other sites can send texts without asking, but no JSON.
    app.removeContentTypeParser('text/plain')
    app.post(signIn, { bodyLimit: 1024 }, async (request, reply) => {
      const signedIn = await this.#session.exchange(tokenIn(request.body))
      if (signedIn === null)
        return reply.code(401).send(refusal('unauthorized', 'This is not the token of this launch.'))
      return reply.header('set-cookie', signedIn.cookie).send({ key: signedIn.key })
    })
    app.post<{ Params: { method: string } }>('/desk/call/:method', async (request) =>
      desk.call(request.params.method, request.body)
    )
    app.get('/desk/events', (_request, reply) => {
      if (this.#streams.full) {
        void reply.code(503).send(refusal('unavailable', 'Too many pages are open; close some.'))
        return
      }
      reply.hijack()
      this.#streams.add(reply.raw, securityHeaders)
    })
    void app.register((scope, _options, done) => {
      // Whatever type a file says it has, its bytes are streamed.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
      scope.put('/desk/arrivals/:id', async (request): Promise<Reply<'arrivals.retry'>> => {
        const { params, query: search } = request
        return desk.reply('a file', () => receiveArrival(receive, request.raw, { params, search }))
      })
      done()
    })
  }
}

/** The one route that needs no session. */
const signIn = '/desk/session'
const sessionBody = z.object({ token: z.string().max(200) })
const tokenIn = (body: unknown): string => sessionBody.safeParse(body).data?.token ?? ''

/** Event streams of browsers can send no headers. */
const keyOf = ({ headers, query }: FastifyRequest): unknown =>
  headers['x-boxyard-key'] ?? (query as Readonly<Record<string, unknown>>)['key']

const pathOf = ({ raw: { url = '' } }: FastifyRequest): string => url.split('?', 1)[0] ?? ''
const isDesk = (request: FastifyRequest): boolean => pathOf(request).startsWith('/desk/')

const refusal = (kind: Refusal['kind'], sentence: string): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal: { kind, sentences: [sentence] }
})

/** A call is small: whoever sends it slowly has no good reason to. */
function endUnlessWhole({ raw }: FastifyRequest, time: number): void {
  const timer = setTimeout(() => raw.socket.destroy(), time).unref()
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}
