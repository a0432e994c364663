import { request as httpRequest, type ClientRequest, type OutgoingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { PlainAgent, SecureAgent } from './agents.ts'
import { headersFor, proxyFor, wayTo, type Environment, type Proxy } from './proxy.ts'
import { TunnelAgent } from './tunnel-agent.ts'

/** What is requested, wherever it goes. */
interface Requested {
  readonly method: string
  readonly headers: OutgoingHttpHeaders
  readonly maxHeaderSize: number
}

/** One way to an address. */
export interface Route {
  /** The one that reads the request and passes it on; null where it goes straight or through a tunnel. */
  readonly relay: Proxy | null
  /** Whether the connection is to be taken for made only once the other side has proven who it is. */
  readonly secure: boolean
  request(requested: Requested): ClientRequest
}

const kept = { keepAlive: true, maxSockets: 16, maxFreeSockets: 4, scheduling: 'lifo' as const }

/** The ways from here to one remote and to where it sends us, over connections that are kept and used again. */
export class Routes {
  readonly #environment: Environment
  readonly #connectTime: number
  readonly #authorities: () => readonly string[]
  readonly #http = new PlainAgent(kept)
  #https: SecureAgent | null = null
  readonly #tunnels = new Map<string, TunnelAgent>()

  constructor(parts: {
    /** Whom connections over TLS trust; asked for once there is to be one. */
    readonly authorities: () => readonly string[]
    readonly connectTime: number
    readonly environment: Environment
  }) {
    this.#environment = parts.environment
    this.#connectTime = parts.connectTime
    this.#authorities = parts.authorities
  }

  /** Throws a RemoteFailure where the environment names a proxy that can be none. */
  to(url: URL): Route {
    const proxy = proxyFor(url, this.#environment)
    if (url.protocol === 'https:') {
      const agent = proxy ? this.#tunnel(proxy) : this.#secure()
      return { relay: null, secure: true, request: (requested) => httpsRequest(url, { ...requested, agent }) }
    }
    if (proxy) return this.#relayed(url, proxy)
    const agent = this.#http
    return { relay: null, secure: false, request: (requested) => httpRequest(url, { ...requested, agent }) }
  }

  close(): void {
    for (const agent of [this.#http, this.#https, ...this.#tunnels.values()]) agent?.destroy()
  }

  /** Plain http: the proxy is given the whole address. */
  #relayed(url: URL, proxy: Proxy): Route {
    const { secure } = proxy
    return {
      ...{ relay: proxy, secure },
      request: ({ headers, ...requested }) =>
        (secure ? httpsRequest : httpRequest)({
          ...{ ...requested, ...wayTo(proxy), path: url.origin + url.pathname + url.search },
          agent: secure ? this.#secure() : this.#http,
          headers: { host: url.host, ...headers, ...headersFor(proxy) }
        })
    }
  }

  #secure(): SecureAgent {
    return (this.#https ??= new SecureAgent(this.#secureOptions()))
  }

  #tunnel(proxy: Proxy): TunnelAgent {
    const agent =
      this.#tunnels.get(proxy.host) ?? new TunnelAgent(this.#secureOptions(), proxy, this.#connectTime)
    this.#tunnels.set(proxy.host, agent)
    return agent
  }

  #secureOptions() {
    return { ...kept, ca: [...this.#authorities()], minVersion: 'TLSv1.2' as const }
  }
}
