import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'

/** A request as it came to the proxy. */
export interface Passed {
  readonly method: string
  readonly target: string
  /** The header Proxy-Authorization, as it was sent. */
  readonly login: string | null
}

/** A proxy on this machine, for the test that runs. */
export interface TestProxy {
  readonly host: string
  readonly url: string
  readonly passed: readonly Passed[]
  /** Every byte that came to it. */
  seen(): Buffer
}

/** How a proxy behaves: what it answers instead of passing on, or that it says nothing at all. */
export interface ProxyManner {
  /** Who is let through, as `name:password`; anybody without it. */
  readonly login?: string
  readonly status?: number
  readonly hangs?: boolean
  /** Makes it one that is itself reached by TLS. */
  readonly proof?: { readonly cert: string; readonly key: string }
}

/** Takes every name for one of this machine: what has come through it could not have been reached without it. */
export async function startProxy({ login, status, hangs, proof }: ProxyManner = {}): Promise<TestProxy> {
  const passed: Passed[] = []
  const pieces: Buffer[] = []
  const sockets = new Set<Duplex>()
  /** The status to answer with; null when it is to be passed on. */
  const refused = ({ method = '', url = '', headers }: IncomingMessage): number | null => {
    const given = headers['proxy-authorization'] ?? null
    passed.push({ method, target: url, login: given })
    if (login !== undefined && given !== `Basic ${Buffer.from(login).toString('base64')}`) return 407
    return status ?? null
  }
  const relay = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const refusal = refused(incoming)
    if (hangs) return
    if (refusal !== null) return void outgoing.writeHead(refusal).end()
    const { pathname, search, port } = new URL(incoming.url ?? '')
    const { method = 'GET', headers } = incoming
    const options = { host: '127.0.0.1', port, path: pathname + search, method, headers }
    const onwards = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onwards.on('error', () => outgoing.destroy())
    incoming.pipe(onwards)
  }
  const server = proof ? createSecureServer(proof, relay) : createServer(relay)
  server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const refusal = refused(incoming)
    if (hangs) return
    if (refusal !== null) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
    const onwards = connect(Number(incoming.url?.split(':').at(-1)), '127.0.0.1')
    sockets.add(onwards)
    onwards.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('error', () => onwards.destroy()).on('close', () => onwards.destroy())
    onwards.on('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onwards.write(head)
      onwards.pipe(socket)
      socket.on('data', (piece: Buffer) => (pieces.push(piece), onwards.write(piece)))
    })
  })
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http${proof ? 's' : ''}://${host}`, passed, seen: () => Buffer.concat(pieces) }
}
