import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Environment } from '../../src-main/remotes/ends/http/proxy.ts'
import type { HttpLimits } from '../../src-main/remotes/ends/http/limits.ts'
import { reachHttp } from '../../src-main/remotes/ends/http/reach.ts'
import { RemoteFailure } from '../../src-main/remotes/failure.ts'
import { makeAuthority, openSslMissing, serveSafely, type Authority } from '../support/certificates.ts'
import { boxyard } from '../support/product.ts'
import { startProxy, type ProxyManner, type TestProxy } from '../support/proxy.ts'
import { sampleFile, sampleRegistry } from '../support/registry.ts'
import { tempDir } from '../support/temp.ts'

const missing = openSslMissing()
if (missing !== null) console.log(`SKIPPED tests of proxies: ${missing}`)

const { start } = sampleRegistry()
const never = new AbortController().signal
/** A name nobody can look up: whoever gets there went through the proxy. */
const name = 'registry.boxyard.invalid'
const image = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }
const tiny = { organization: 'acme', name: 'tiny' }

async function farRegistry(certified = name) {
  const authority = makeAuthority()
  const registry = await start({ allowedHosts: [name] })
  const { port } = new URL(await serveSafely(registry.url, authority.certify(certified)))
  return { authority, location: `https://${name}:${port}`, token: registry.tokens.owner, registry }
}

async function reach(
  { location, token, authority }: { location: string; token: string | null; authority?: Authority },
  environment: Environment,
  limits: Partial<HttpLimits> = {}
) {
  const access = {
    ...({ kind: 'http', api: null, allowPlainHttp: true } as const),
    ...{ location, token, certificates: authority?.pem ?? null }
  }
  const reached = await reachHttp(access, never, limits, environment)
  onTestFinished(() => reached.end.close())
  return reached
}

async function failure(work: Promise<unknown>): Promise<RemoteFailure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown
  )
  if (!(error instanceof RemoteFailure)) throw new Error('no failure', { cause: error })
  return error
}

describe.skipIf(missing !== null)('a registry behind a proxy', () => {
  it.each<[string, ProxyManner, (proxy: TestProxy) => string]>([
    ['one', {}, ({ url }) => url],
    ['one that asks who it is', { login: 'me:p@ss' }, ({ host }) => `http://me:p%40ss@${host}`]
  ])('is reached through %s, which learns nothing but its address', async (_, manner, address) => {
    const far = await farRegistry()
    const proxy = await startProxy(manner)
    const { end, introduction } = await reach(far, { HTTPS_PROXY: address(proxy) })
    expect(introduction.account).toBe('owner')
    expect(await text((await end.open(tiny, image, 0, never)).body)).toBe(sampleFile('tiny amd64').toString())
    expect(proxy.passed.length).toBeGreaterThan(0)
    const target = new URL(far.location).host
    expect(new Set(proxy.passed.map((one) => `${one.method} ${one.target}`))).toEqual(
      new Set([`CONNECT ${target}`])
    )
    expect(proxy.seen().length).toBeGreaterThan(0)
    expect(proxy.seen().includes(far.token)).toBe(false)
    expect(proxy.seen().includes('/api/v2')).toBe(false)
  })

  it('is reached through one that is itself reached by TLS', async () => {
    const far = await farRegistry()
    const proxy = await startProxy({ proof: far.authority.certify('127.0.0.1') })
    const { introduction } = await reach(far, { HTTPS_PROXY: proxy.url })
    expect(introduction.account).toBe('owner')
    expect(proxy.passed).not.toEqual([])
  })

  it('has one connection for many requests', async () => {
    const far = await farRegistry()
    const proxy = await startProxy()
    const { end } = await reach(far, { HTTPS_PROXY: proxy.url })
    for (let i = 0; i < 5; i++) await end.read(tiny, never)
    expect(proxy.passed).toHaveLength(1)
  })

  it.each([
    ['nobody vouches for it', name, false],
    ['it shows the certificate of another', 'elsewhere.example', true]
  ])('is not believed when %s', async (_, certified, known) => {
    const { authority, ...far } = await farRegistry(certified)
    const proxy = await startProxy()
    const { kind, message } = await failure(
      reach({ ...far, ...(known && { authority }) }, { HTTPS_PROXY: proxy.url })
    )
    expect(kind).toBe('untrusted')
    expect(message).toMatch(/certificate/)
    expect(message).toContain(name)
  })

  it.each<[string, ProxyManner, string, RegExp]>([
    [
      'asks for a name and password',
      { login: 'a:b' },
      'untrusted',
      /asks for a name and password.*HTTPS_PROXY/
    ],
    ['refuses', { status: 403 }, 'untrusted', /refused to connect to registry.*403.*NO_PROXY/],
    ['cannot reach it', { status: 502 }, 'offline', /could not reach registry.*502/],
    ['says nothing', { hangs: true }, 'offline', /through the proxy at .*took too long/]
  ])('is not there when the proxy %s', async (_, manner, kind, message) => {
    const far = await farRegistry()
    const proxy = await startProxy(manner)
    const limits = manner.hangs === true ? { connectTime: 500 } : {}
    const failed = await failure(reach(far, { HTTPS_PROXY: proxy.url }, limits))
    expect(failed.kind).toBe(kind)
    expect(failed.message).toMatch(message)
    expect(failed.message).toContain(`he proxy at ${proxy.host}`)
  })

  it('is not there when the proxy is not, or is something else', async () => {
    const far = await farRegistry()
    const proxy = await startProxy()
    const gone = await failure(reach(far, { HTTPS_PROXY: 'http://127.0.0.1:9' }))
    expect(gone.kind).toBe('offline')
    expect(gone.message).toMatch(/through the proxy at 127\.0\.0\.1:9, as HTTPS_PROXY says\. Nothing answers/)
    const other = await failure(reach(far, { HTTPS_PROXY: proxy.url.replace('http:', 'https:') }))
    expect(other.message).toContain(proxy.host)
  })

  it('is told a wrong password of without showing it', async () => {
    const far = await farRegistry()
    const proxy = await startProxy({ login: 'me:right' })
    const { message, cause } = await failure(reach(far, { HTTPS_PROXY: `http://me:geheim@${proxy.host}` }))
    expect(message).toMatch(/does not take the name and password in HTTPS_PROXY/)
    expect(`${message} ${String(cause)}`).not.toMatch(/geheim|Basic/)
  })

  it('is reached without it where NO_PROXY says so', async () => {
    const far = await farRegistry()
    const proxy = await startProxy()
    const failed = await failure(reach(far, { HTTPS_PROXY: proxy.url, NO_PROXY: 'boxyard.invalid' }))
    expect(failed.message).toMatch(/could not be found/)
    expect(proxy.passed).toEqual([])
  })

  it('sends on to another host through it too, without the token', async () => {
    const far = await farRegistry()
    const proxy = await startProxy()
    let token: string | undefined
    const storage = createServer(far.authority.certify('storage.boxyard.invalid'), (request, response) => {
      token = request.headers.authorization ?? ''
      response.end(sampleFile('tiny amd64'))
    }).listen(0, '127.0.0.1')
    await once(storage, 'listening')
    onTestFinished(() => (storage.closeAllConnections(), void storage.close()))
    const elsewhere = `storage.boxyard.invalid:${(storage.address() as AddressInfo).port}`
    const front = createServer(far.authority.certify(name), (request, response) => {
      if (/\.box$|\/download/.test(request.url ?? ''))
        return void response.writeHead(302, { location: `https://${elsewhere}/file` }).end()
      void fetch(far.registry.url + request.url, {
        headers: { authorization: request.headers.authorization ?? '', host: request.headers.host ?? '' }
      }).then(async (answer) => {
        const body = (await answer.text()).replaceAll(far.registry.url, `https://${request.headers.host}`)
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
      })
    }).listen(0, '127.0.0.1')
    await once(front, 'listening')
    onTestFinished(() => (front.closeAllConnections(), void front.close()))
    const location = `https://${name}:${(front.address() as AddressInfo).port}`
    const { end } = await reach({ ...far, location }, { HTTPS_PROXY: proxy.url })
    const { body } = await end.open(tiny, image, 0, never)
    expect(await text(body)).toBe(sampleFile('tiny amd64').toString())
    expect(token).toBe('')
    expect(proxy.passed.map(({ target }) => target)).toContain(elsewhere)
  })

  it('is added by the command line, and the password of the proxy is told nowhere', async () => {
    const far = await farRegistry()
    const data = tempDir()
    const proxy = await startProxy({ login: 'me:geheim' })
    const env = {
      ...{ NODE_EXTRA_CA_CERTS: far.authority.file, NO_PROXY: '', no_proxy: '' },
      ...{ HTTPS_PROXY: `http://me:geheim@${proxy.host}`, https_proxy: '' }
    }
    const added = await boxyard(['remote', 'add', far.location, '--name', 'Far', '--data', data, '--json'], {
      env
    })
    expect(JSON.parse(added)).toMatchObject({ location: far.location, health: 'fine' })
    const refusing = await startProxy({ login: 'me:other' })
    const wrong = { ...env, HTTPS_PROXY: `http://me:geheim@${refusing.host}` }
    const tested = boxyard(['remote', 'test', 'Far', '--data', data], { env: wrong }).catch(String)
    const said = await tested
    expect(said).toContain(refusing.host)
    expect(said).not.toContain('geheim')
  })
})

describe('a registry by plain http behind a proxy', () => {
  it.each<[string, ProxyManner, string]>([
    ['one', {}, ''],
    ['one that asks who it is', { login: 'me:secret' }, 'me:secret@']
  ])('is asked for through %s by its whole address', async (_, manner, login) => {
    const registry = await start({ allowedHosts: [name] })
    const proxy = await startProxy(manner)
    const location = `http://${name}:${new URL(registry.url).port}`
    const environment = { HTTP_PROXY: `http://${login}${proxy.host}` }
    const { end, introduction } = await reach({ location, token: registry.tokens.owner }, environment)
    expect(introduction.account).toBe('owner')
    expect(await end.read(tiny, never)).not.toBeNull()
    expect(proxy.passed[0]).toMatchObject({ method: 'GET' })
    expect(proxy.passed[0]?.target).toMatch(`${location}/`)
  })

  it('is told what the proxy wants, and that it is not there', async () => {
    const location = `http://${name}`
    const proxy = await startProxy({ login: 'a:b' })
    const asked = await failure(reach({ location, token: null }, { http_proxy: proxy.url }))
    expect(asked.kind).toBe('untrusted')
    expect(asked.message).toMatch(/asks for a name and password.*http_proxy/)
    const gone = await failure(reach({ location, token: null }, { http_proxy: 'http://127.0.0.1:9' }))
    expect(gone.kind).toBe('offline')
    expect(gone.message).toMatch(/through the proxy at 127\.0\.0\.1:9/)
  })
})
