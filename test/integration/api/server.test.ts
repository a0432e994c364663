import { generateSync } from 'otplib'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src-main/domain/problem.ts'
import type { RegistryServices } from '../../../src-main/registry/services.ts'
import { ask, password, rememberingLog, sampleRegistry } from '../../support/registry.ts'
import { wireTo } from '../../support/wire.ts'

const { start } = sampleRegistry()
const as = (token: string) => ({ authorization: `Bearer ${token}` })

describe('refusing', () => {
  it('answers 503 with Retry-After to everything of the API during maintenance, and shows the start page', async () => {
    let maintenance = true
    const { url, tokens } = await start({ maintenance: () => maintenance })
    for (const path of ['/api/v1/authenticate', '/api/v2/search', '/acme/tiny', '/upload/x', '/nothing']) {
      const answer = await ask(url + path, { headers: as(tokens.owner) })
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '30' } })
      expect(JSON.parse(answer.text)).toEqual({
        errors: [expect.stringContaining('maintenance')],
        success: false
      })
    }
    expect(await ask(url)).toMatchObject({ status: 200 })
    maintenance = false
    expect(await ask(`${url}/acme/tiny`)).toMatchObject({ status: 200 })
  })

  it('answers 429 with Retry-After once a client asks too often', async () => {
    const { url } = await start({ rateLimit: { perMinute: 2, loopbackToo: true } })
    expect((await ask(`${url}/acme/tiny`)).headers).toMatchObject({ 'x-ratelimit-remaining': '1' })
    expect(await ask(`${url}/nothing`)).toMatchObject({
      status: 404,
      headers: { 'x-ratelimit-remaining': '0' }
    })
    const refused = await ask(`${url}/acme/tiny`)
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' }
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(JSON.parse(refused.text)).toEqual({ errors: [expect.any(String)], success: false })
  })

  it('never refuses this machine for asking often unless told to', async () => {
    const { url } = await start({ rateLimit: { perMinute: 1, loopbackToo: false } })
    for (let i = 0; i < 3; i += 1) expect(await ask(`${url}/acme/tiny`)).toMatchObject({ status: 200 })
  })

  it('answers 500 without a word of what happened, which the log has', async () => {
    const log = rememberingLog()
    const { url } = await start({ log }, (services) => ({
      ...services,
      boxes: overriding(services.boxes, 'read', () => {
        throw new TypeError('secret internals')
      })
    }))
    const answer = await ask(`${url}/api/v2/box/acme/tiny?access_token=s3cret`)
    expect(answer.status).toBe(500)
    expect(answer.text).not.toMatch(/secret|TypeError|at .*\.ts/)
    const { errors } = JSON.parse(answer.text) as { errors: string[] }
    const id = /request (\S+);/.exec(errors[0] ?? '')?.[1]
    expect(log.lines).toEqual([
      expect.stringContaining(`request ${id} (GET /api/v2/box/:username/:name) failed`)
    ])
    expect(log.lines[0]).toContain('secret internals')
    expect(log.lines.join()).not.toContain('s3cret')
  })

  it.each([
    [new Problem('no-room', 'The disk is full.'), 507],
    [new Problem('unavailable', 'Later.'), 503],
    [new Problem('conflict', 'Busy.', 'Very.'), 422],
    [new Problem('forbidden', 'No.'), 403]
  ])('answers %s with %i', async (problem, status) => {
    const { url } = await start({}, (services) => ({
      ...services,
      boxes: overriding(services.boxes, 'read', () => {
        throw problem
      })
    }))
    const answer = await ask(`${url}/api/v1/box/acme/tiny`)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.text)).toEqual({ errors: problem.sentences, success: false })
  })

  it('answers what is not HTTP with a 400 in JSON', async () => {
    const { url } = await start()
    const wire = await wireTo(url)
    wire.send('HELLO\r\n\r\n')
    const answer = await wire.end()
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/json/)
    expect(answer).toContain('"success":false')
  })

  it('answers headers that are too large with a 431 in JSON', async () => {
    const { url } = await start()
    const wire = await wireTo(url)
    wire.send(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`)
    expect(await wire.end()).toMatch(/^HTTP\/1\.1 431 .*"success":false/s)
  })

  it('answers a request without a Host in JSON', async () => {
    const { url } = await start()
    const wire = await wireTo(url)
    wire.send('GET /acme/tiny HTTP/1.0\r\n\r\n')
    expect(await wire.end()).toMatch(/^HTTP\/1\.1 421 .*"success":false/s)
  })
})

describe('two-factor', () => {
  it('asks for a code with a 406 in the words clients know, and takes one', async () => {
    const { url, app } = await start()
    const { secret } = app.accounts.setTwoFactor('owner', true)!
    const user = { login: 'owner', password }
    const signIn = (code: string | null) =>
      ask(`${url}/api/v1/authenticate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ user, two_factor: { code }, token: { description: null } })
      })
    const refused = await signIn(null)
    expect(refused.status).toBe(406)
    expect(JSON.parse(refused.text)).toEqual({
      two_factor: { default_delivery_method: 'app', delivery_methods: ['app', 'sms'] },
      errors: [expect.any(String)],
      success: false
    })
    expect(await signIn('000000')).toMatchObject({ status: 401 })
    expect(await signIn(generateSync({ secret }))).toMatchObject({ status: 200 })
  })

  it('tells where a code that was asked for is shown', async () => {
    const { url, app } = await start()
    app.accounts.setTwoFactor('owner', true)
    const answer = await ask(`${url}/api/v1/two-factor/request-code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: { login: 'owner', password }, two_factor: { delivery_method: 'sms' } })
    })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toEqual({ two_factor: { obfuscated_destination: expect.any(String) } })
  })
})

describe('asking again', () => {
  it.each(['/api/v1/user/acme', '/api/v2/box/acme/tiny', '/acme/tiny', '/api/v2/vagrant/acme/tiny'])(
    'of %s is a 304 until something in it changes, and differs by caller and host',
    async (path) => {
      const { url, app, tokens } = await start()
      const first = await ask(url + path)
      const again = { 'if-none-match': first.headers.etag ?? '' }
      const same = await ask(url + path, { headers: again })
      expect(same).toMatchObject({ status: 304, text: '', headers: { etag: first.headers.etag } })
      if (!path.includes('vagrant') && path.startsWith('/api'))
        expect(await ask(url + path, { headers: { ...again, ...as(tokens.viewer) } })).toMatchObject({
          status: 200
        })
      expect(await ask(url + path, { headers: { ...again, host: 'localhost' } })).toMatchObject({
        status: 200
      })
      app.boxes.update({ kind: 'operator' }, 'acme', 'tiny', { description: 'new' })
      expect(await ask(url + path, { headers: again })).toMatchObject({ status: 200 })
    }
  )

  it('sees at once what another process changed', async () => {
    const { url, app } = await start()
    const before = await ask(`${url}/api/v2/box/acme/tiny`)
    const other = await import('../../../src-main/app.ts').then(({ createApp }) =>
      createApp({ dataDir: app.dataDir, log: app.log })
    )
    other.boxes.update({ kind: 'operator' }, 'acme', 'tiny', { shortDescription: 'from elsewhere' })
    await other.close()
    const after = await ask(`${url}/api/v2/box/acme/tiny`)
    expect(before.text).not.toContain('from elsewhere')
    expect(after.text).toContain('from elsewhere')
  })

  it('does not show a private box that was made private since', async () => {
    const { url, app } = await start()
    expect(await ask(`${url}/api/v2/box/acme/tiny`)).toMatchObject({ status: 200 })
    app.boxes.update({ kind: 'operator' }, 'acme', 'tiny', { private: true })
    expect(await ask(`${url}/api/v2/box/acme/tiny`)).toMatchObject({ status: 404 })
    expect(await ask(`${url}/acme/tiny`)).toMatchObject({ status: 404 })
  })
})

/** One method of a service replaced; the others keep working on the service itself. */
function overriding<T extends object, K extends keyof T>(service: T, name: K, method: T[K]): T {
  return new Proxy(service, {
    get(target, key) {
      if (key === name) return method
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    }
  })
}

describe('a large organization', () => {
  it('is streamed: stops with the client, and waits for it', async () => {
    let pages = 0
    const { url } = await start({}, (services) => ({
      ...services,
      boxes: overriding(services.boxes, 'pagesOf', function* (caller, id): Generator<never[]> {
        const page = [...services.boxes.pagesOf(caller, id)].flat()
        for (; pages < 20_000; pages += 1) yield Array.from({ length: 50 }, () => page).flat() as never[]
      } as RegistryServices['boxes']['pagesOf'])
    }))
    const wire = await wireTo(url)
    wire.send('GET /api/v2/user/acme HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await wire.until('"boxes":[')
    wire.socket.pause()
    await settled(() => pages)
    expect(pages).toBeGreaterThan(0)
    expect(pages).toBeLessThan(20_000)
    wire.socket.destroy()
    const atLeaving = await settled(() => pages)
    expect(await settled(() => pages)).toBe(atLeaving)
  })
})

/** A number once it has stood still for a while. */
async function settled(read: () => number): Promise<number> {
  for (let before = -1; ;) {
    const now = read()
    if (now === before) return now
    before = now
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}
