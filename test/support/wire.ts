import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A bare connection, for what no client library would send. */
export interface Wire {
  readonly socket: Socket
  send(text: string | Buffer): void
  /** All that came so far, once it holds a text. */
  until(text: string): Promise<string>
  /** All that came, once the other side has ended the connection. */
  end(): Promise<string>
}

export async function wireTo(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  onTestFinished(() => void socket.destroy())
  let received = ''
  let ended = false
  const waiting = new Set<() => void>()
  const wake = (): void => waiting.forEach((each) => each())
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    wake()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    ended = true
    wake()
  })
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  const when = (condition: () => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (condition()) resolve(received)
        else if (ended) reject(new Error(`the connection ended after: ${received.slice(0, 500)}`))
        else return
        waiting.delete(look)
      }
      waiting.add(look)
      look()
    })
  return {
    socket,
    send: (text) => void socket.write(text),
    until: (text) => when(() => received.includes(text)),
    end: () => when(() => ended)
  }
}
