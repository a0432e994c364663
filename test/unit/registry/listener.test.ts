import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../../src-main/app.ts'
import type { SettingsChanges } from '../../../src-main/contract/settings.ts'
import { operator } from '../../../src-main/domain/model.ts'
import { Listener, type Fixed } from '../../../src-main/registry/listener.ts'
import { laterRefusal } from '../../support/catalog.ts'
import { ask, rememberingLog } from '../../support/registry.ts'
import { tempDir } from '../../support/temp.ts'

/** A port of this machine that another program has. */
async function takenPort(host = '127.0.0.1'): Promise<{ port: number; free: () => Promise<void> }> {
  const other = createServer().listen(0, host)
  await once(other, 'listening')
  const free = (): Promise<void> => new Promise((resolve) => other.close(() => resolve()))
  onTestFinished(free)
  return { port: (other.address() as AddressInfo).port, free }
}

async function freePort(): Promise<number> {
  const { port, free } = await takenPort()
  await free()
  return port
}

async function world(set: SettingsChanges = { port: 0 }, fixed: Fixed = {}) {
  const log = rememberingLog()
  const app = await createApp({ dataDir: tempDir(), log })
  app.accounts.ensureOwner('acme')
  const settings = app.personSettings
  settings.change(set)
  const listener = new Listener({
    services: app,
    settings,
    maintenance: () => false,
    log,
    fixed,
    limits: { graceTime: 100 }
  })
  onTestFinished(async () => {
    await listener.close()
    await app.close()
  })
  const portNow = (): number => Number(new URL(listener.status().url).port)
  const status = async (url: string, headers = {}): Promise<number> => (await ask(url, { headers })).status
  return { app, settings, listener, portNow, status, url: () => listener.status().url }
}

describe('the server', () => {
  it('listens where the settings say, for this machine alone', async () => {
    const port = await freePort()
    const { listener, status } = await world({ port })
    expect(listener.status()).toMatchObject({ state: 'stopped', lanUrls: [], problem: null })
    await listener.apply()
    expect(listener.status()).toEqual({
      state: 'running',
      url: `http://127.0.0.1:${port}`,
      lanUrls: [],
      problem: null,
      maintenance: false,
      fixedByCommandLine: []
    })
    expect(await status(`http://127.0.0.1:${port}`)).toBe(200)
  })

  it('takes any free port for 0, and keeps it', async () => {
    const { listener, settings, portNow } = await world()
    await listener.apply()
    const port = portNow()
    expect(port).toBeGreaterThan(0)
    settings.change({ shareOnLan: true })
    await listener.apply()
    expect(portNow()).toBe(port)
  })

  it('moves when the settings do, and says so', async () => {
    const { listener, settings, status, url } = await world()
    await listener.apply()
    const old = url()
    const port = await freePort()
    let told = (): void => {}
    const moved = new Promise<void>((resolve) => (told = resolve))
    listener.onChange(told)
    settings.change({ port })
    await moved
    expect(url()).toBe(`http://127.0.0.1:${port}`)
    expect(await status(url())).toBe(200)
    await expect(ask(old)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('moves without cutting what it sends', async () => {
    const { app, listener, settings, url } = await world()
    const place = { organization: 'acme', box: 'big', version: '1.0.0' }
    const image = { ...place, provider: 'virtualbox', architecture: 'amd64' }
    app.boxes.create(operator, { organization: 'acme', name: 'big', private: false })
    app.versions.create(operator, 'acme', 'big', { number: '1.0.0' })
    app.images.create(operator, place, image)
    const { id, key } = app.uploads.issue(operator, image, 'simple')
    const bytes = Buffer.alloc(60_000_000, 7)
    await app.uploads.receive(id, key, Readable.from([bytes]))
    app.versions.release(operator, 'acme', 'big', '1.0.0')
    await listener.apply()

    const path = '/acme/boxes/big/versions/1.0.0/providers/virtualbox/amd64/vagrant.box'
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      request(url() + path, { agent: false }, resolve)
        .on('error', reject)
        .end()
    )
    expect(response.statusCode).toBe(200)
    settings.change({ port: await freePort() })
    await listener.apply()
    settings.change({ shareOnLan: true })
    await listener.apply()
    let received = 0
    for await (const chunk of response) received += (chunk as Buffer).length
    expect(received).toBe(bytes.length)
    expect(await ask(url())).toMatchObject({ status: 200 })
  })

  it('can be moved there and back many times, whatever is asked at once', async () => {
    const { listener, settings, status, url } = await world()
    await listener.apply()
    const ports = [await freePort(), await freePort()]
    for (let at = 0; at < 10; at += 1) settings.change({ port: ports[at % 2], shareOnLan: at % 3 === 0 })
    await listener.apply()
    expect(url()).toBe(`http://127.0.0.1:${ports[1]}`)
    expect(await status(url())).toBe(200)
  })
})

describe('a port another program has', () => {
  it('is a state with sentences when it is so at the start, and can be tried again', async () => {
    const { port, free } = await takenPort()
    const { listener, status, url } = await world({ port })
    await laterRefusal('conflict', listener.apply())
    expect(listener.status()).toMatchObject({
      state: 'failed',
      url: `http://127.0.0.1:${port}`,
      problem: [expect.stringContaining(`Port ${port} on 127.0.0.1 is taken`)]
    })
    await free()
    await listener.apply()
    expect(listener.status()).toMatchObject({ state: 'running', problem: null })
    expect(await status(url())).toBe(200)
  })

  it('can be told beforehand', async () => {
    const { port } = await takenPort()
    const { listener, settings } = await world()
    await listener.apply()
    await laterRefusal('conflict', listener.check({ ...settings.read(), port }))
    await listener.check({ ...settings.read(), port: await freePort() })
    await listener.check(settings.read())
  })

  it('leaves the server where it is, with the sentences', async () => {
    const { port, free } = await takenPort()
    const { listener, settings, status, url } = await world()
    await listener.apply()
    const old = url()
    settings.change({ port })
    await laterRefusal('conflict', listener.apply())
    expect(listener.status()).toMatchObject({
      state: 'running',
      url: old,
      problem: [expect.stringContaining(`Port ${port}`)]
    })
    expect(await status(old)).toBe(200)
    await free()
    await listener.apply()
    expect(listener.status()).toMatchObject({ url: `http://127.0.0.1:${port}`, problem: null })
  })

  // Elsewhere a machine has one loopback address, and ports are told apart by address otherwise.
  it.runIf(process.platform === 'linux')(
    'on another address of the machine keeps sharing from beginning, not the server from running',
    async () => {
      const { listener, settings, status, url, portNow } = await world()
      await listener.apply()
      const other = createServer().listen(portNow(), '127.0.0.2')
      await once(other, 'listening')
      settings.change({ shareOnLan: true })
      await laterRefusal('conflict', listener.apply())
      expect(listener.status()).toMatchObject({ state: 'running', lanUrls: [] })
      expect(await status(url())).toBe(200)
      other.close()
    }
  )
})

describe('the names a server goes by', () => {
  it("are this machine's own while it is shared, and those that were set", async () => {
    const { listener, settings, status, url } = await world()
    await listener.apply()
    const as = (host: string): Promise<number> => status(url(), { host })
    expect(await as(hostname())).toBe(421)
    settings.change({ shareOnLan: true, allowedHosts: ['lab.example'] })
    await listener.apply()
    expect(await as(hostname())).toBe(200)
    expect(await as('LAB.example:80')).toBe(200)
    expect(await as('evil.example')).toBe(421)
    settings.change({ shareOnLan: false, allowedHosts: [] })
    await listener.apply()
    expect([await as(hostname()), await as('lab.example'), await as('localhost')]).toEqual([421, 421, 200])
  })
})

describe('the rate', () => {
  it('follows the settings while the server runs', async () => {
    const { listener, settings, url } = await world()
    await listener.apply()
    const limit = async () => (await ask(url())).headers['x-ratelimit-limit']
    expect(await limit()).toBe('6000')
    settings.change({ requestsPerMinute: 50 })
    expect(await limit()).toBe('50')
  })
})

describe('what the command line says', () => {
  it.each([
    [{ port: 0 }, ['port']],
    [{ host: '127.0.0.1' }, ['port', 'shareOnLan']],
    [{ host: '0.0.0.0', port: 0 }, ['port', 'shareOnLan']],
    [{ rateLimit: { perMinute: 5, loopbackToo: true } }, ['requestsPerMinute']],
    [{ allowedHosts: ['x'] }, []]
  ])('is named: %j', async (fixed, names) => {
    const { listener } = await world({ port: 0 }, fixed)
    expect(listener.status().fixedByCommandLine).toEqual(names)
  })

  it('holds whatever the settings say', async () => {
    const port = await freePort()
    const { listener, settings, url, status } = await world(
      { port: 1, shareOnLan: true, allowedHosts: ['lab'] },
      {
        port,
        host: '127.0.0.1',
        rateLimit: { perMinute: 5, loopbackToo: true },
        allowedHosts: ['more.example']
      }
    )
    await listener.apply()
    expect(listener.status()).toMatchObject({ url: `http://127.0.0.1:${port}`, lanUrls: [] })
    settings.change({ port: 2, requestsPerMinute: 100 })
    await listener.apply()
    expect(url()).toBe(`http://127.0.0.1:${port}`)
    expect((await ask(url())).headers['x-ratelimit-limit']).toBe('5')
    expect([await status(url(), { host: 'more.example' }), await status(url(), { host: 'lab' })]).toEqual([
      200, 200
    ])
  })

  it('shares with the addresses other machines reach it by', async () => {
    const { listener, portNow } = await world({ port: 0 }, { host: '0.0.0.0' })
    await listener.apply()
    const { url, lanUrls } = listener.status()
    expect(url).toBe(`http://127.0.0.1:${portNow()}`)
    for (const lan of lanUrls) expect(lan).toMatch(new RegExp(`^http://[0-9.]+:${portNow()}$`))
    expect(lanUrls).not.toContain(url)
  })
})
