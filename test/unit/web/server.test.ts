import { mkdirSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { onTestFinished, describe, expect, it } from 'vitest'
import type { Core } from '../../../src-main/core.ts'
import { contentSecurityPolicy, loadBundle } from '../../../src-main/desk/bundle.ts'
import { Problem } from '../../../src-main/domain/problem.ts'
import type { Receive } from '../../../src-main/web/arrivals.ts'
import type { WebLimits } from '../../../src-main/web/limits.ts'
import { WebServer } from '../../../src-main/web/server.ts'
import { openCore } from '../../support/desk.ts'
import { ask, rememberingLog, type Answer } from '../../support/registry.ts'
import { tempDir } from '../../support/temp.ts'
import { wireTo } from '../../support/wire.ts'

const secret = 'not to be served'

/** A built interface of three files, with something beside it that is none of it. */
function builtInterface(): string {
  const folder = tempDir()
  writeFileSync(join(folder, 'secret.txt'), secret)
  const inside = join(folder, 'renderer')
  mkdirSync(join(inside, 'assets'), { recursive: true })
  writeFileSync(join(inside, 'index.html'), '<!doctype html><title>Boxyard</title>')
  writeFileSync(join(inside, 'assets', 'index-1a2b3c.js'), 'export {}')
  writeFileSync(join(inside, 'notes.txt'), secret)
  return inside
}

interface Web {
  readonly core: Core
  readonly origin: string
  readonly token: string
  readonly cookie: string
  readonly key: string
  readonly log: ReturnType<typeof rememberingLog>
  /** A request with the session's cookie and a page's own headers, unless said otherwise. */
  send(path: string, how?: { method?: string; headers?: object; body?: string | Buffer }): Promise<Answer>
  call(method: string, payload?: unknown): Promise<Answer>
}

async function start(limits: Partial<WebLimits> = {}, receive?: Receive): Promise<Web> {
  const core = await openCore()
  const log = rememberingLog()
  const web = new WebServer({
    desk: core.desk,
    bundle: loadBundle(builtInterface()),
    receive: receive ?? ((...file) => core.app.arrivals.receive(...file)),
    log,
    limits,
    guessCost: { pauseMs: 5, waiting: 2 }
  })
  onTestFinished(() => web.close())
  const { origin, hash } = new URL(await web.start())
  const token = hash.slice('#token='.length)
  const signIn = await ask(`${origin}/desk/session`, json({ token }))
  const cookie = signIn.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
  const { key } = JSON.parse(signIn.text) as { key: string }
  const send: Web['send'] = (path, { method = 'GET', headers = {}, body } = {}) =>
    ask(origin + path, {
      method,
      headers: { cookie, 'x-boxyard-key': key, ...headers },
      ...(body !== undefined && { body })
    })
  return {
    core,
    origin,
    token,
    cookie,
    key,
    log,
    send,
    call: (method, payload = {}) => send(`/desk/call/${method}`, json(payload))
  }
}

const json = (value: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value)
})

/** A call whose address nobody tidies up on the way; the first part of the answer. */
async function sendRaw(
  origin: string,
  target: string,
  headers: Readonly<Record<string, string>>
): Promise<string> {
  const wire = await wireTo(origin)
  const lines = Object.entries({ host: new URL(origin).host, 'content-type': 'application/json', ...headers })
  wire.send(
    [
      `POST ${target} HTTP/1.1`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
      'content-length: 2'
    ].join('\r\n') + '\r\n\r\n{}'
  )
  return wire.until('}')
}

const replyOf = ({ text }: Answer): unknown => JSON.parse(text)

describe('signing in', () => {
  it('needs the token of this launch', async () => {
    const { origin, token } = await start()
    expect(await ask(`${origin}/desk/session`, json({ token }))).toMatchObject({ status: 200 })
    for (const body of [{ token: 'wrong' }, { token: 5 }, { token: 'x'.repeat(300) }, {}, [], null])
      expect(await ask(`${origin}/desk/session`, json(body))).toMatchObject({ status: 401 })
  })

  it.each([
    ['a call', 'POST', '/desk/call/about'],
    ['events', 'GET', '/desk/events'],
    ['a file', 'PUT', '/desk/arrivals/00000000-0000-4000-8000-000000000000?name=x'],
    ['anything else there', 'GET', '/desk/']
  ])('comes before %s', async (_what, method, path) => {
    const { origin } = await start()
    const answer = await ask(origin + path, { method, headers: { 'content-type': 'application/json' } })
    expect(answer).toMatchObject({ status: 401 })
    expect(replyOf(answer)).toMatchObject({ ok: false, refusal: { kind: 'unauthorized' } })
  })

  /** Spellings the router takes for the same address, and what a browser never sends but anybody else can. */
  const spellings = [
    '/%64esk/call/about',
    '/desk/%63all/about',
    '/%64%65%73%6B/call/about',
    'http://elsewhere.example/desk/call/about',
    'http:/desk/call/about',
    '//desk/call/about',
    '/desk//call/about',
    '/./desk/call/about',
    '/x/../desk/call/about',
    '/DESK/call/about',
    '/desk;x/call/about',
    '/desk%2Fcall/about',
    '/desk\\call/about',
    '/desk/call/about#/',
    '/desk/call/about/'
  ]
  it.each(spellings)('comes before a call, however its address is written: %s', async (target) => {
    const { origin } = await start()
    const answer = await sendRaw(origin, target, {})
    expect(answer).toMatch(/^HTTP\/1\.1 40[014] /)
    expect(answer).not.toContain('dataFolder')
  })

  it.each(spellings)(
    'is worth nothing to pages beside this one, however they write it: %s',
    async (target) => {
      const { origin, cookie, key } = await start()
      const answer = await sendRaw(origin, target, {
        cookie,
        'x-boxyard-key': key,
        'sec-fetch-site': 'same-site'
      })
      expect(answer).toMatch(/^HTTP\/1\.1 40[0134] /)
      expect(answer).not.toContain('dataFolder')
    }
  )

  it.each(['/%64esk/events', 'http:/desk/events', 'http://elsewhere.example/desk/events'])(
    'comes before events, however their address is written: %s',
    async (target) => {
      const { origin } = await start()
      const wire = await wireTo(origin)
      wire.send(`GET ${target} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`)
      expect(await wire.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 40[014] /)
    }
  )

  it('is not had by whoever was sent the cookie, without the key', async () => {
    const { origin, cookie, key } = await start()
    const status = async (headers: object): Promise<number> =>
      (await ask(`${origin}/desk/call/about`, { ...json({}), headers: { ...json({}).headers, ...headers } }))
        .status
    expect(await status({ cookie })).toBe(401)
    expect(await status({ 'x-boxyard-key': key })).toBe(401)
    expect(await status({ cookie, 'x-boxyard-key': key })).toBe(200)
  })

  it('is not had by sending the token as the cookie', async () => {
    const { origin, token } = await start()
    const cookie = `boxyard-${new URL(origin).port}=${token}`
    expect(await ask(`${origin}/desk/call/about`, { ...json({}), headers: { cookie } })).toMatchObject({
      status: 401
    })
  })

  it('reads no body of whoever is not signed in', async () => {
    const { origin } = await start()
    const wire = await wireTo(origin)
    wire.send(
      `POST /desk/call/about HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nContent-Type: application/json\r\n` +
        'Content-Length: 1000000\r\n\r\n{'
    )
    expect(await wire.until('\r\n\r\n')).toContain('401 Unauthorized')
  })
})

describe('what another site may have caused', () => {
  it.each([
    [421, { host: 'evil.example' }],
    [403, { origin: 'http://evil.example' }],
    [403, { 'sec-fetch-site': 'cross-site' }],
    [403, { 'sec-fetch-site': 'same-site' }]
  ])('is answered %i, even with the cookie: %j', async (status, headers) => {
    const { send } = await start()
    const answer = await send('/desk/call/settings.change', {
      ...json({ shareOnLan: true }),
      headers: { 'content-type': 'application/json', ...headers }
    })
    expect(answer.status).toBe(status)
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'comes as no call: a form of %s',
    async (type) => {
      const { send } = await start()
      const answer = await send('/desk/call/about', {
        method: 'POST',
        headers: { 'content-type': type },
        body: '{}'
      })
      expect(answer.status).toBe(415)
    }
  )

  it('is not asked for beforehand either: there is no CORS', async () => {
    const { send } = await start()
    const answer = await send('/desk/call/about', {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST' }
    })
    expect(answer.status).toBe(404)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('the interface', () => {
  it('is served with a policy that allows its own files and nothing else', async () => {
    const { origin } = await start()
    const page = await ask(`${origin}/`)
    expect(page).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store'
      }
    })
    expect(page.text).toContain('<title>Boxyard</title>')
    const script = await ask(`${origin}/assets/index-1a2b3c.js`)
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.headers['cache-control']).toContain('immutable')
    expect(await ask(`${origin}/assets/index-1a2b3c.js?x=1`)).toMatchObject({ status: 200 })
    expect(await ask(`${origin}/`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  it('has the same headers on what is refused', async () => {
    const { origin } = await start()
    for (const path of ['/nothing', '/desk/events', '/%zz'])
      expect((await ask(origin + path)).headers).toMatchObject({
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff'
      })
  })

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/....//secret.txt',
    '//etc/passwd',
    '/etc/passwd',
    '/index.html/../../secret.txt',
    '/assets',
    '/assets/',
    '/notes.txt',
    '/index.html%00.js',
    '/__proto__',
    '/constructor',
    '/INDEX.HTML'
  ])('is all that is served, not %s', async (path) => {
    const { origin } = await start()
    const wire = await wireTo(origin)
    wire.send(`GET ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: close\r\n\r\n`)
    const answer = await wire.end()
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /)
    expect(answer).not.toContain(secret)
    expect(answer).not.toContain('root:')
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('is only read, not changed with %s', async (method) => {
    const { send } = await start()
    expect((await send('/index.html', { method })).status).toBe(404)
  })
})

describe('a call', () => {
  it('is answered 200 with a reply, refused or not', async () => {
    const { call } = await start()
    const about = await call('about')
    expect(about.status).toBe(200)
    expect(replyOf(about)).toMatchObject({ ok: true, value: { face: 'browser', owner: 'acme' } })
    expect(await call('nonsense')).toMatchObject({ status: 200 })
    expect(await call('box.read', { organization: 5 })).toMatchObject({ status: 200 })
  })

  it.each(['{', '"', 'null null', '{"__proto__": {"isOwner": true}}', ''])(
    'of no JSON is refused as invalid: %s',
    async (body) => {
      const { send } = await start()
      const answer = await send('/desk/call/about', { ...json({}), body })
      expect(answer.status).toBe(400)
      expect(replyOf(answer)).toMatchObject({ ok: false, refusal: { kind: 'invalid' } })
    }
  )

  it('may be as large as a call can be, and no larger', async () => {
    const { send } = await start({ callBytes: 1000 })
    const fits = { ...json({ markdown: 'x'.repeat(900) }) }
    expect(replyOf(await send('/desk/call/text.preview', fits))).toMatchObject({ ok: true })
    const answer = await send('/desk/call/text.preview', json({ markdown: 'x'.repeat(1000) }))
    expect(answer.status).toBe(413)
    expect(replyOf(answer)).toMatchObject({ ok: false, refusal: { kind: 'invalid' } })
  })

  it('whose address or headers are far too long is refused', async () => {
    const { send } = await start()
    expect((await send(`/desk/call/${'x'.repeat(20_000)}`, json({}))).status).toBe(431)
    expect((await send(`/desk/call/${'x'.repeat(15_000)}`, json({}))).status).not.toBe(431)
  })

  it('has to arrive in time', async () => {
    const { origin, send } = await start({ bodyTime: 50 })
    const late = new Promise<string>((resolve) => {
      const request = httpRequest(`${origin}/desk/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 20 }
      })
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      request.on('response', (response) => resolve(String(response.statusCode)))
      request.write('{')
    })
    expect(await late).toBe('ECONNRESET')
    expect((await send('/')).status).toBe(200)
  })
})

describe('events', () => {
  /** A page that listens: what it got so far, and once it holds a text. */
  function stream({ origin, cookie, key }: Web): Promise<{
    response: IncomingMessage
    next: (text: string) => Promise<string>
  }> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(`${origin}/desk/events?key=${key}`, { headers: { cookie }, agent: false })
      onTestFinished(() => void request.destroy())
      request.on('error', reject).on('response', (response) => {
        let seen = ''
        let look = (): void => {}
        response.setEncoding('utf8').on('data', (chunk: string) => {
          seen += chunk
          look()
        })
        const next = (text: string): Promise<string> =>
          new Promise((found) => {
            look = () => seen.includes(text) && found(seen)
            look()
          })
        resolve({ response, next })
      })
      request.end()
    })
  }

  it('come as they are, one block each', async () => {
    const web = await start()
    const { response, next } = await stream(web)
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    web.core.desk.hub.emit({ name: 'notice', data: { kind: 'info', sentence: 'Line\n\none.' } })
    expect(await next('notice')).toContain(
      'data: {"name":"notice","data":{"kind":"info","sentence":"Line\\n\\none."}}\n\n'
    )
  })

  it('are kept alive by heartbeats', async () => {
    const { next } = await stream(await start({ heartbeat: 10 }))
    expect(await next('\n:\n\n:\n\n')).toBeDefined()
  })

  it('go to so many pages and no more, until one goes', async () => {
    const web = await start({ streams: 2 })
    const first = await stream(web)
    const second = await stream(web)
    const third = await stream(web)
    expect([first, second, third].map(({ response }) => response.statusCode)).toEqual([200, 200, 503])
    first.response.destroy()
    for (;;) if ((await stream(web)).response.statusCode === 200) break
  })

  it('are not kept for a page that takes none: it is cut off', async () => {
    const web = await start({ streamBytes: 100_000 })
    const wire = await wireTo(web.origin)
    wire.send(
      `GET /desk/events?key=${web.key} HTTP/1.1\r\nHost: ${new URL(web.origin).host}\r\nCookie: ${web.cookie}\r\n\r\n`
    )
    await wire.until('retry')
    wire.socket.pause()
    const { hub } = web.core.desk
    const sentence = 'x'.repeat(100_000)
    while (hub.hasListeners) {
      hub.emit({ name: 'notice', data: { kind: 'info', sentence } })
      await new Promise(setImmediate)
    }
    expect(hub.hasListeners).toBe(false)
  })
})

describe('a file', () => {
  const id = '0b6c2ec5-8f5a-4f2e-9a43-2a1f6ba6a1c3'
  const put = (web: Web, path: string, body: Buffer, headers: object = {}): Promise<Answer> =>
    web.send(path, { method: 'PUT', body, headers })

  it('is handed on as it comes, with what its page says of it', async () => {
    const seen: unknown[] = []
    const web = await start({}, async (id, name, bytes, { length, draft }) => {
      const chunks: Buffer[] = []
      for await (const chunk of bytes) chunks.push(chunk as Buffer)
      seen.push({ id, name, length, draft, bytes: Buffer.concat(chunks).length })
      return { id } as never
    })
    const query = new URLSearchParams({ name: 'a ü&b.box', draft: JSON.stringify({ version: '1.0.0' }) })
    const body = Buffer.alloc(20_000_000, 7)
    const answer = await put(web, `/desk/arrivals/${id}?${query}`, body, { 'content-type': 'text/html' })
    expect(replyOf(answer)).toEqual({ ok: true, value: { id } })
    expect(seen).toEqual([
      { id, name: 'a ü&b.box', length: body.length, draft: { version: '1.0.0' }, bytes: body.length }
    ])
  })

  it.each([
    ['an id that is none', `/desk/arrivals/..%2F..%2Fx?name=x`],
    ['no name', `/desk/arrivals/${id}`],
    ['a name without end', `/desk/arrivals/${id}?name=${'x'.repeat(1001)}`],
    ['a draft that is no JSON', `/desk/arrivals/${id}?name=x&draft={`],
    ['a draft of something else', `/desk/arrivals/${id}?name=x&draft={"more":1}`]
  ])('is refused with %s', async (_what, path) => {
    const web = await start({}, () => Promise.reject(new Error('must not be asked')))
    const answer = await put(
      web,
      path.replace('{"more":1}', encodeURIComponent('{"more":1}')),
      Buffer.alloc(10)
    )
    expect(replyOf(answer)).toMatchObject({ ok: false, refusal: { kind: 'invalid' } })
    expect(web.log.lines).toEqual([])
  })

  it('can be refused while it is still being sent', async () => {
    const web = await start({}, () => Promise.reject(new Problem('no-room', 'There is no room.')))
    const answer = await put(web, `/desk/arrivals/${id}?name=x`, Buffer.alloc(50_000_000))
    expect(replyOf(answer)).toEqual({
      ok: false,
      refusal: { kind: 'no-room', sentences: ['There is no room.'] }
    })
  })

  it('is given up when its page goes', async () => {
    let gone = (): void => {}
    const aborted = new Promise<void>((resolve) => (gone = resolve))
    const web = await start({}, (_id, _name, bytes, { signal }) => {
      bytes.resume()
      return new Promise((_, reject) => {
        bytes.on('error', () => {})
        signal.addEventListener('abort', () => {
          gone()
          reject(new Error('gone'))
        })
      })
    })
    const request = httpRequest(`${web.origin}/desk/arrivals/${id}?name=x`, {
      method: 'PUT',
      headers: { cookie: web.cookie, 'x-boxyard-key': web.key, 'content-length': 1000 }
    })
    request.on('error', () => {})
    request.write('some', () => request.destroy())
    await aborted
  })
})
