import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../support/temp.ts'
import { Client } from './client.ts'
import { newToken, startServer } from './server.ts'

/** Far longer than any answer takes, far shorter than any time limit of the server. */
const soonMs = 3000

async function served() {
  const dataDir = tempDir()
  const server = await startServer(dataDir)
  const client = new Client(server.url, await newToken(dataDir))
  await client.createBox('box')
  await client.createVersion('box', '1.0.0')
  await client.createProvider('box', '1.0.0')
  return { dataDir, server, client }
}

async function open(url: string, first: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(first)
  return socket
}

/** An upload of which only so many bytes ever arrive. */
const beginUpload = (url: string, declared: number, sent: number): Promise<Socket> =>
  open(
    url,
    `PUT ${url.slice(new URL(url).origin.length)} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n` +
      `Content-Length: ${declared}\r\n\r\n${'x'.repeat(sent)}`
  )

async function soon<T>(work: Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work
  expect(performance.now() - started).toBeLessThan(soonMs)
  return result
}

describe('clients that keep the server waiting', () => {
  it('with endless headers, stalled JSON and stalled uploads do not keep others waiting, nor its end', async () => {
    const { server, client } = await served()
    const { host } = new URL(server.url)
    for (let i = 0; i < 150; i++) await open(server.url, 'GET / HTTP/1.1\r\nX-Endless: ')
    for (let i = 0; i < 20; i++)
      await open(server.url, `POST /api/v2/boxes HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5000\r\n\r\n{`)
    for (let i = 0; i < 20; i++) await beginUpload(await client.uploadPath('box', '1.0.0'), 1_000_000, 10)
    await soon(client.upload('box', '1.0.0', Buffer.from('from somebody quick')))
    await soon(client.release('box', '1.0.0'))
    expect(await client.see('box')).toMatchObject({ '1.0.0': { status: 'active' } })
    const started = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('that read their download slowly do not keep others waiting, nor cost its memory', async () => {
    const { server, client } = await served()
    await client.upload('box', '1.0.0', Buffer.alloc(50_000_000, 7))
    await client.release('box', '1.0.0')
    const { host } = new URL(server.url)
    for (let i = 0; i < 30; i++) {
      const path = '/acme/boxes/box/versions/1.0.0/providers/virtualbox/amd64/vagrant.box'
      const socket = await open(server.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      socket.pause()
    }
    await soon(client.createVersion('box', '2.0.0'))
    expect(Object.keys((await client.see('box')) ?? {})).toEqual(['2.0.0', '1.0.0'])
    expect(await server.stop()).toBe(0)
  })
})

describe('an upload that breaks off', () => {
  it.each([0, 1, 100_000, 999_999])('after %i of its bytes leaves nothing behind', async (sent) => {
    const { dataDir, server, client } = await served()
    const before = await client.see('box')
    const socket = await beginUpload(await client.uploadPath('box', '1.0.0'), 1_000_000, sent)
    socket.destroySoon()
    await once(socket, 'close')
    await expect.poll(() => leftovers(dataDir), { timeout: soonMs }).toEqual([])
    expect(await client.see('box')).toEqual(before)
    await client.upload('box', '1.0.0', Buffer.from('once more, whole'))
    expect(await server.stop()).toBe(0)
  })
})

function leftovers(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'uploads'))
}
