import { request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest, type AgentOptions } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { RemoteFailure } from '../../failure.ts'
import { headersFor, wayTo, type Proxy } from './proxy.ts'
import { brokenProxy, proxyRefused } from './proxy-trouble.ts'

type Create = HttpsAgent['createConnection']

/** Where a connection leads, as the agent is told. */
interface Place {
  readonly host?: string | null
  readonly port?: string | number | null
}

const slow = (): RemoteFailure =>
  new RemoteFailure('offline', ['The proxy took too long to make a connection.'])

/**
 * Connections over TLS through a proxy, which sees where they lead and nothing of what is said: whom they trust and which
 * name the other side has to prove is what it is without one. They are handed out once that is proven.
 */
export class TunnelAgent extends HttpsAgent {
  readonly #proxy: Proxy
  readonly #opening = new Set<Duplex>()
  readonly #time: number
  readonly #authorities: AgentOptions['ca']

  /** A connection that has not come about after `time` is given up. */
  constructor(options: AgentOptions, proxy: Proxy, time: number) {
    super(options)
    this.#proxy = proxy
    this.#time = time
    this.#authorities = options.ca
  }

  override createConnection(...[options, callback]: Parameters<Create>): ReturnType<Create> {
    const { host, port } = options as Place
    const target = `${isIP(host ?? '') === 6 ? `[${host}]` : host}:${port}`
    this.#open(target, (error, socket) => {
      if (!socket) return callback?.(error, null as never)
      this.#watch(super.createConnection(Object.assign({}, options, { socket })) as TLSSocket, callback)
    })
    return undefined
  }

  override destroy(): void {
    for (const socket of this.#opening) socket.destroy()
    super.destroy()
  }

  #open(target: string, done: (error: Error | null, socket: Socket | null) => void): void {
    const { secure } = this.#proxy
    const request = (secure ? httpsRequest : httpRequest)({
      ...{ method: 'CONNECT', path: target, ...wayTo(this.#proxy), agent: false },
      ...(secure && { ca: this.#authorities }),
      headers: { host: target, ...headersFor(this.#proxy) }
    })
    const timer = setTimeout(() => request.destroy(slow()), this.#time)
    request.once('socket', (socket) => this.#keep(socket))
    request.once('close', () => clearTimeout(timer))
    request.once('error', (error) => done(brokenProxy(error, this.#proxy, target), null))
    request.once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      clearTimeout(timer)
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head)
        return done(null, socket)
      }
      socket.destroy()
      done(proxyRefused(statusCode, this.#proxy, target), null)
    })
    request.end()
  }

  #watch(secured: TLSSocket, callback: Parameters<Create>[1]): void {
    this.#keep(secured)
    const timer = setTimeout(() => secured.destroy(new Error('no answer in time')), this.#time)
    const settle = (error: Error | null): void => {
      clearTimeout(timer)
      secured.off('error', settle).off('secureConnect', connected)
      this.#opening.delete(secured)
      callback?.(error, secured)
    }
    const connected = (): void => settle(null)
    secured.once('error', settle).once('secureConnect', connected)
  }

  #keep(socket: Duplex): void {
    this.#opening.add(socket)
    socket.once('close', () => this.#opening.delete(socket))
  }
}
