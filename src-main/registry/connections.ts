import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Reads and drops what a refused client is still sending, for a while. Closing on it at once would make its system
 * throw away the answer along with the connection.
 */
export function readRemainder(request: IncomingMessage, time: number): void {
  if (request.complete) return
  const timer = setTimeout(() => request.socket.destroy(), time).unref()
  request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer))
  request.resume()
}

/** A silent connection is given up, except while it is this side that has yet to answer. */
export function endIdleConnections(server: Server, time: number): void {
  const answering = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()
  server.on('request', (request, response) => answering.set(request.socket, { request, response }))
  server.setTimeout(time, (socket) => {
    const current = answering.get(socket)
    if (current?.request.complete && !current.response.headersSent) return
    socket.destroy()
  })
}
