import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src-main/domain/problem.ts'
import type { RegistryServices } from '../../../src-main/registry/services.ts'
import { ask, sampleRegistry, upload, type SampleRegistry } from '../../support/registry.ts'
import { wireTo, type Wire } from '../../support/wire.ts'

const { start } = sampleRegistry()
const image = 'acme/tiny/version/1.1.0/provider/virtualbox/amd64'
const ref = {
  organization: 'acme',
  box: 'tiny',
  version: '1.1.0',
  provider: 'virtualbox',
  architecture: 'amd64'
}

async function uploadPath({ url, tokens }: SampleRegistry): Promise<string> {
  const answer = await ask(`${url}/api/v2/box/${image}/upload`, {
    headers: { authorization: `Bearer ${tokens.owner}` }
  })
  const { upload_path } = JSON.parse(answer.text) as { upload_path: string }
  return upload_path.slice(url.length)
}

const put = (path: string, headers: string): string =>
  `PUT ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`

/** The services, with another way of receiving. */
const receiving =
  (receive: RegistryServices['uploads']['receive']) =>
  (services: RegistryServices): RegistryServices => ({
    ...services,
    uploads: {
      issue: (...args) => services.uploads.issue(...args),
      finish: (...args) => services.uploads.finish(...args),
      receive
    }
  })

describe('Expect: 100-continue', () => {
  it('is answered before the bytes of an upload that may come', async () => {
    const registry = await start()
    const wire = await wireTo(registry.url)
    wire.send(put(await uploadPath(registry), 'Content-Length: 5\r\nExpect: 100-continue'))
    await wire.until('HTTP/1.1 100 Continue\r\n\r\n')
    wire.send('bytes')
    await wire.until('HTTP/1.1 200 OK')
  })

  it.each([
    ['an unknown address', '/upload/none?key=x', 404],
    ['a wrong path', '/uploads/none', 404]
  ])('is not answered for %s: no byte is sent in vain', async (_what, path, status) => {
    const { url } = await start()
    const wire = await wireTo(url)
    wire.send(put(path, 'Content-Length: 5000000\r\nExpect: 100-continue'))
    const answer = await wire.until('"success":false')
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  it('is not answered where there is no room', async () => {
    const registry = await start(
      {},
      receiving(() => Promise.reject(new Problem('no-room', 'The disk is too full for this file.')))
    )
    const wire = await wireTo(registry.url)
    wire.send(put(await uploadPath(registry), 'Content-Length: 5000000\r\nExpect: 100-continue'))
    expect(await wire.until('"success":false')).toMatch(/^HTTP\/1\.1 507 /)
  })

  it('is answered before a small body that is wanted, and not before one that is not', async () => {
    const { url, tokens } = await start()
    const body = '{"box":{"short_description":"x"}}'
    const request = (token: string): string =>
      put(
        '/api/v2/box/acme/tiny',
        `Authorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue`
      )
    const known = await wireTo(url)
    known.send(request(tokens.owner))
    await known.until('100 Continue\r\n\r\n')
    known.send(body)
    await known.until('HTTP/1.1 200 OK')
    const unknown = await wireTo(url)
    unknown.send(request('nobody'))
    expect(await unknown.until('"success":false')).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('a refused upload', () => {
  const size = 64 * 1024 * 1024

  it.each([
    ['before its bytes are looked at', undefined],
    [
      'in the middle of its bytes',
      receiving(async (_id, _key, body) => {
        for await (const chunk of body.iterator({ destroyOnReturn: false })) if (chunk) break
        throw new Problem('no-room', 'The disk is full.')
      })
    ]
  ])('can be read by a client that sends all of it first: %s', async (_when, change) => {
    const registry = await start({}, change)
    const wire = await wireTo(registry.url)
    wire.send(put('/upload/none?key=x', `Content-Length: ${size}`))
    const chunk = Buffer.alloc(1024 * 1024)
    for (let sent = 0; sent < size; sent += chunk.length)
      if (!wire.socket.write(chunk)) await once(wire.socket, 'drain')
    expect(await wire.until('"success":false')).toMatch(/^HTTP\/1\.1 (404|507) /)
    wire.send('GET /acme/tiny HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await wire.until('HTTP/1.1 200 OK')
  })

  it('is not listened to for ever', async () => {
    const { url } = await start({ limits: { lingerTime: 50, graceTime: 100 } })
    const wire = await wireTo(url)
    wire.send(put('/upload/none?key=x', `Content-Length: ${size}`))
    expect(await wire.end()).toMatch(/^HTTP\/1\.1 404 .*"success":false/s)
  })
})

describe('an upload', () => {
  it('that breaks off leaves nothing, and its address still works', async () => {
    const registry = await start()
    const path = await uploadPath(registry)
    const wire = await wireTo(registry.url)
    wire.send(put(path, 'Content-Length: 1000'))
    wire.send('half')
    wire.socket.end()
    await wire.end().catch(() => {})
    expect(() => registry.app.downloads.locate({ kind: 'operator' }, ref)).toThrow('Resource not found!')
    expect(await ask(registry.url + path, { method: 'PUT', body: 'whole' })).toMatchObject({ status: 200 })
  })

  it('that waits for its turn in vain is told so', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const registry = await start(
      { limits: { uploads: 2, graceTime: 100 } },
      receiving(async (_id, _key, body) => {
        body.resume()
        await held
      })
    )
    const send = (): Promise<{ status: number }> =>
      ask(`${registry.url}/upload/x?key=y`, { method: 'PUT', body: 'x' })
    const running = [send(), send()]
    await expect.poll(async () => (await send()).status).toBe(503)
    release()
    expect(await Promise.all(running)).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(await send()).toMatchObject({ status: 200 })
  })

  it('that falls silent is given up', async () => {
    const registry = await start({ limits: { idleTime: 100, graceTime: 100 } })
    const wire = await wireTo(registry.url)
    wire.send(put(await uploadPath(registry), 'Content-Length: 1000'))
    wire.send('half')
    await wire.end()
  })

  it('is not given up while this side still works on it', async () => {
    const registry = await start(
      { limits: { idleTime: 50, graceTime: 100 } },
      receiving(async (_id, _key, body) => {
        for await (const chunk of body) void chunk
        await new Promise((resolve) => setTimeout(resolve, 400))
      })
    )
    expect(await ask(`${registry.url}/upload/x?key=y`, { method: 'PUT', body: 'x' })).toMatchObject({
      status: 200
    })
  })
})

describe('a small body', () => {
  it('that takes too long is a 408', async () => {
    const { url, tokens } = await start({ limits: { bodyTime: 50, lingerTime: 50, graceTime: 100 } })
    const wire = await wireTo(url)
    wire.send(
      put('/api/v2/box/acme/tiny', `Authorization: Bearer ${tokens.owner}\r\nContent-Length: 100`).concat(
        '{"box"'
      )
    )
    expect(await wire.end()).toMatch(/^HTTP\/1\.1 408 .*"success":false/s)
  })

  it('that is too large is a 413 its sender can read', async () => {
    const { url, tokens } = await start()
    const wire = await wireTo(url)
    const size = 32 * 1024 * 1024
    wire.send(
      put('/api/v2/box/acme/tiny', `Authorization: Bearer ${tokens.owner}\r\nContent-Length: ${size}`)
    )
    const chunk = Buffer.alloc(1024 * 1024)
    for (let sent = 0; sent < size; sent += chunk.length)
      if (!wire.socket.write(chunk)) await once(wire.socket, 'drain')
    expect(await wire.until('"success":false')).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('a download', () => {
  const path = '/acme/boxes/tiny/versions/1.1.0/providers/virtualbox.box'
  const download = ({ tokens }: SampleRegistry): string =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokens.owner}\r\n\r\n`
  const downloads = (registry: SampleRegistry): number =>
    registry.app.boxes.read({ kind: 'operator' }, 'acme', 'tiny').downloads

  async function startWithLargeFile(
    change?: (services: RegistryServices) => RegistryServices
  ): Promise<SampleRegistry> {
    const registry = await start({}, change)
    await upload(registry.app, ref, Buffer.alloc(64 * 1024 * 1024, 'x'))
    return registry
  }

  it('that breaks off is not counted, and its file is read no further', async () => {
    let outcome: Promise<unknown> = Promise.resolve()
    const registry = await startWithLargeFile((services) => ({
      ...services,
      blobs: {
        size: (sha256) => services.blobs.size(sha256),
        copyTo: (...args) => {
          const copied = services.blobs.copyTo(...args)
          outcome = copied.then(
            () => 'copied whole',
            () => 'stopped'
          )
          return copied
        }
      }
    }))
    const wire: Wire = await wireTo(registry.url)
    wire.send(download(registry))
    await wire.until('\r\n\r\nx')
    wire.socket.destroy()
    await expect.poll(() => outcome).toBe('stopped')
    expect(downloads(registry)).toBe(0)
  })

  it('is counted before the client has its end', async () => {
    const registry = await startWithLargeFile()
    const { status, bytes } = await ask(registry.url + path, {
      headers: { authorization: `Bearer ${registry.tokens.owner}` }
    })
    expect({ status, length: bytes.length, counted: downloads(registry) }).toEqual({
      status: 200,
      length: 64 * 1024 * 1024,
      counted: 1
    })
  })

  it('whose file cannot be read to its end breaks the connection', async () => {
    const registry = await start({}, (services) => ({
      ...services,
      blobs: {
        size: (sha256) => services.blobs.size(sha256),
        copyTo: async (_sha256, target) => {
          target.write('some')
          throw new Error('rotten disk')
        }
      }
    }))
    const url = `${registry.url}/acme/boxes/tiny/versions/1.0.0/providers/virtualbox.box`
    await expect(ask(url)).rejects.toThrow()
    expect(downloads(registry)).toBe(0)
  })
})

describe('closing', () => {
  it('ends what still runs after a while', async () => {
    const registry = await start({ limits: { graceTime: 100 } })
    const wire = await wireTo(registry.url)
    wire.send(put(await uploadPath(registry), 'Content-Length: 1000'))
    wire.send('half')
    await expect
      .poll(() =>
        registry.app.db
          .prepare('SELECT count(*) FROM uploads WHERE started_at > 0 AND finished_at IS NULL')
          .pluck()
          .get()
      )
      .toBe(1)
    const before = performance.now()
    await registry.close()
    await wire.end()
    expect(performance.now() - before).toBeLessThan(5_000)
  })

  it('waits until an upload that was cut off has cleaned up', async () => {
    const order: string[] = []
    const registry = await start(
      { limits: { graceTime: 50 } },
      receiving(async (_id, _key, body) => {
        order.push('begun')
        try {
          for await (const chunk of body) void chunk
        } finally {
          await new Promise((resolve) => setTimeout(resolve, 300))
          order.push('cleaned up')
        }
      })
    )
    const wire = await wireTo(registry.url)
    wire.send(put('/upload/x?key=y', 'Content-Length: 1000'))
    await expect.poll(() => order).toEqual(['begun'])
    await registry.close()
    expect(order).toEqual(['begun', 'cleaned up'])
  })

  it('lets a request that is being answered end well', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let received = false
    const registry = await start(
      { limits: { graceTime: 5_000 } },
      receiving(async (_id, _key, body) => {
        for await (const chunk of body) void chunk
        received = true
        await held
      })
    )
    const answer = ask(`${registry.url}/upload/x?key=y`, { method: 'PUT', body: 'x' })
    await expect.poll(() => received).toBe(true)
    const closed = registry.close()
    release()
    expect(await answer).toMatchObject({ status: 200 })
    await closed
  })
})
