import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Exchange, type Incoming } from '../../../../../src-main/remotes/ends/http/exchange.ts'
import { usualLimits } from '../../../../../src-main/remotes/ends/http/limits.ts'
import { Routes } from '../../../../../src-main/remotes/ends/http/routes.ts'
import { makeAuthority, openSslMissing, serveSafely } from '../../../../support/certificates.ts'
import { sha256 } from '../../../../support/sha256.ts'

const missing = openSslMissing()
if (missing !== null) console.log(`SKIPPED a test of long answers over TLS: ${missing}`)

const mebibyte = 1024 * 1024
const bytes = randomBytes(9 * mebibyte + 12_345)
const limits = { ...usualLimits, idleTime: 5_000 }

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown

/** Asks a server that answers so for a file, from a byte on. */
async function ask(
  answer: Answer,
  { from = 0, signal = new AbortController().signal, safely = false } = {}
): Promise<Incoming> {
  const server = createServer((request, response) => void answer(response, request)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const plain = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const authority = safely ? makeAuthority() : null
  const address = authority ? await serveSafely(plain, authority.certify('127.0.0.1')) : plain
  const authorities = (): string[] => (authority ? [authority.pem] : [])
  const routes = new Routes({ authorities, connectTime: limits.connectTime, environment: {} })
  const exchange = new Exchange(limits, routes)
  onTestFinished(() => {
    exchange.close()
    server.close()
  })
  return exchange.send({ method: 'GET', url: new URL(address), fileFrom: from, signal })
}

/** Reads it to its end, with a pause after each chunk where one is wanted. */
async function read(
  { body }: Incoming,
  pause?: () => Promise<unknown>
): Promise<{ chunks: number[]; digest: string }> {
  const hash = createHash('sha256')
  const chunks: number[] = []
  for await (const chunk of body as AsyncIterable<Buffer>) {
    hash.update(chunk)
    chunks.push(chunk.length)
    await pause?.()
  }
  return { chunks, digest: hash.digest('hex') }
}

const headOf = (length: number) => ({ 'content-length': length })

describe('a long answer', () => {
  it.each<[string, Answer]>([
    ['in one piece', (response) => response.writeHead(200, headOf(bytes.length)).end(bytes)],
    [
      'after its head',
      async (response) => {
        response.writeHead(200, headOf(bytes.length)).flushHeaders()
        await setImmediate()
        response.end(bytes)
      }
    ],
    [
      'beginning with its head',
      async (response) => {
        response.writeHead(200, headOf(bytes.length)).write(bytes.subarray(0, 400_000))
        await sleep(20)
        response.end(bytes.subarray(400_000))
      }
    ],
    [
      'in drops',
      async (response) => {
        response.writeHead(200, headOf(bytes.length))
        for (let at = 0; at < bytes.length; at += 77_777)
          if (!response.write(bytes.subarray(at, at + 77_777))) await once(response, 'drain')
        response.end()
      }
    ],
    [
      'with a silence in the middle of it',
      async (response) => {
        response.writeHead(200, headOf(bytes.length)).write(bytes.subarray(0, 5_000_001))
        await sleep(300)
        response.end(bytes.subarray(5_000_001))
      }
    ],
    [
      'in chunks of no announced length',
      (response) => response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(bytes)
    ],
    [
      'whose sender goes on after its end',
      (response) => {
        const { socket } = response
        socket?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`)
        socket?.write(bytes)
        socket?.end('HTTP/1.1 200 OK\r\n\r\nand more')
      }
    ]
  ])('that comes %s arrives whole', async (_, answer) => {
    expect((await read(await ask(answer))).digest).toBe(sha256(bytes))
  })

  it.each([
    ['quickly', setImmediate],
    ['slowly', () => sleep(15)]
  ])('arrives whole where it is taken %s', async (_, pause) => {
    const incoming = await ask((response) => response.writeHead(200, headOf(bytes.length)).end(bytes))
    expect((await read(incoming, pause)).digest).toBe(sha256(bytes))
  })

  it.skipIf(missing !== null)('arrives whole over TLS', async () => {
    const answer: Answer = (response) => response.writeHead(200, headOf(bytes.length)).end(bytes)
    const { chunks, digest } = await read(await ask(answer, { safely: true }))
    expect(digest).toBe(sha256(bytes))
    expect(chunks).toContain(mebibyte)
  })

  it('comes in pieces that can be written as they are', async () => {
    const from = 2 * mebibyte - 1000
    const rest = bytes.subarray(from)
    const incoming = await ask((response) => response.writeHead(206, headOf(rest.length)).end(rest), { from })
    const { chunks, digest } = await read(incoming)
    expect(digest).toBe(sha256(rest))
    let at = from
    for (const length of chunks) {
      expect(Math.floor(at / mebibyte)).toBe(Math.floor((at + length - 1) / mebibyte))
      at += length
    }
    expect(chunks).toContain(mebibyte)
  })

  it.each(['204 No Content', '304 Not Modified'])(
    'that never comes, after %s, is not waited for',
    async (status) => {
      const incoming = await ask((response) => {
        response.socket?.write(`HTTP/1.1 ${status}\r\nContent-Length: ${bytes.length}\r\n\r\n`)
      })
      expect((await read(incoming)).chunks).toEqual([])
    }
  )

  it('waits for whoever takes it', async () => {
    const large = Buffer.alloc(64 * mebibyte)
    const sent: ServerResponse[] = []
    const { body } = await ask((response) => {
      sent.push(response)
      response.writeHead(200, headOf(large.length)).end(large)
    })
    await once(body, 'readable')
    await sleep(300)
    expect(sent[0]?.writableLength).toBeGreaterThan(32 * mebibyte)
    expect(body.readableLength).toBeLessThanOrEqual(4)
    body.destroy()
  })

  it('that breaks off says so, after what had come', async () => {
    const incoming = await ask((response) => {
      response.writeHead(200, headOf(bytes.length))
      response.write(bytes.subarray(0, 6_000_000), () => response.destroy())
    })
    const taken: Buffer[] = []
    const reading = async (): Promise<void> => {
      for await (const chunk of incoming.body as AsyncIterable<Buffer>) taken.push(chunk)
    }
    await expect(reading()).rejects.toThrow('broke off in the middle of its answer')
    expect(Buffer.concat(taken).equals(bytes.subarray(0, 6_000_000))).toBe(true)
  })

  it('that falls silent says so', async () => {
    const incoming = await ask((response) => {
      response.writeHead(200, headOf(bytes.length)).write(bytes.subarray(0, 6 * mebibyte))
    })
    await expect(read(incoming)).rejects.toThrow('next to nothing came for 5 seconds')
  })

  it('that is not wanted any more closes its connection', async () => {
    const stop = new AbortController()
    const sent: ServerResponse[] = []
    const incoming = await ask(
      (response) => {
        sent.push(response)
        response.writeHead(200, headOf(bytes.length)).write(bytes.subarray(0, 6 * mebibyte))
      },
      { signal: stop.signal }
    )
    const reading = read(incoming, () => Promise.resolve(stop.abort(new Error('enough'))))
    await expect(reading).rejects.toThrow('enough')
    await expect.poll(() => sent[0]?.closed, { timeout: 10_000 }).toBe(true)
  })
})
