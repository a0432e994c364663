import { beforeEach, describe, expect, it } from 'vitest'
import { Readable } from 'node:stream'
import type { App } from '../../src-main/app.ts'
import type { ImageName } from '../../src-main/domain/sync/snapshot.ts'
import { ask, sampleRegistry, type Answer, type SampleRegistry } from '../support/registry.ts'
import { sha256 } from '../support/sha256.ts'

const { start } = sampleRegistry()
const tag = { organization: 'acme', name: 'mirrored' }
const { signal } = new AbortController()
const bytesOf = (version: string): Buffer => Buffer.from(`bytes of ${version}`)
/** What the sync makes of a box at a remote: 3.0.0 known alone, 2.0.0 for arm64 alone, 1.0.0 whole, all of them released. */
async function mirror(app: App): Promise<void> {
  const { lastInsertRowid } = app.db
    .prepare(
      `INSERT INTO remotes (name, name_key, kind, location, identity, created_at)
       VALUES ('Lab', 'lab', 'folder', '/nowhere', 'lab', 0)`
    )
    .run()
  const end = app.local.asMirrorOf(Number(lastInsertRowid))
  const texts = { shortDescription: 'from elsewhere', description: '', private: false }
  await end.carryOut(tag, { kind: 'create-box', texts }, signal)
  for (const version of ['1.0.0', '2.0.0', '3.0.0']) {
    await end.carryOut(tag, { kind: 'create-version', version, description: '' }, signal)
    for (const architecture of ['amd64', 'arm64']) {
      const image: ImageName = { version, provider: 'virtualbox', architecture }
      const bytes = bytesOf(version + architecture)
      const checksums = { sha256: sha256(bytes) }
      await end.carryOut(
        tag,
        {
          ...{ kind: 'create-image', ...image, isDefault: architecture === 'amd64', url: null },
          ...{ checksums, known: { size: bytes.length } }
        },
        signal
      )
      if (version === '3.0.0' || (version === '2.0.0' && architecture === 'amd64')) continue
      await end.put(
        tag,
        image,
        {
          ...{ size: bytes.length, checksums },
          open: async (from) => ({ body: Readable.from([bytes.subarray(from)]), from, size: bytes.length })
        },
        {
          ...{ signal, onProgress: () => {}, onVerifying: () => {} },
          memo: { read: () => null, write: () => {} }
        }
      )
    }
    await end.carryOut(tag, { kind: 'release', version }, signal)
  }
}

let registry: SampleRegistry
beforeEach(async () => {
  registry = await start()
  await mirror(registry.app)
})
const send = (
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}
): Promise<Answer> =>
  ask(registry.url + path, {
    method,
    headers: {
      authorization: `Bearer ${registry.tokens.owner}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers
    },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
const json = ({ text }: Answer): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>

describe('a mirrored box, to clients', () => {
  const box = '/api/v2/box/acme/mirrored'
  const version = `${box}/version/1.0.0`
  const provider = `${version}/provider/virtualbox/amd64`

  it.each([
    ['PUT', box, { box: { description: 'mine' } }],
    ['POST', `${box}/versions`, { version: { version: '9.0.0' } }],
    ['PUT', version, { version: { description: 'mine' } }],
    ['DELETE', version, undefined],
    ['PUT', `${version}/release`, undefined],
    ['PUT', `${version}/revoke`, undefined],
    ['POST', `${version}/providers`, { provider: { name: 'utm' } }],
    ['PUT', provider, { provider: { url: 'https://example.test/x.box' } }],
    ['DELETE', provider, undefined],
    ['GET', `${provider}/upload`, undefined],
    ['GET', `${provider}/upload/direct`, undefined],
    ['PUT', `${provider}/upload/direct/93f9a3a2-58bb-4dbc-a5d9-5ad5d6bde5ab`, undefined]
  ])('is read-only: %s %s', async (method, path, body) => {
    for (const api of ['v1', 'v2']) {
      const answer = await send(
        method,
        api === 'v2' ? path : path.replace('/v2/', '/v1/').replace('/amd64', ''),
        { body }
      )
      expect(answer.status).toBe(403)
      expect(json(answer)).toEqual({
        success: false,
        errors: [
          'acme/mirrored is a mirror of the box at Lab: its changes come from there, and it cannot be changed here.',
          expect.stringMatching(/^Fork it first/)
        ]
      })
    }
  })

  it('can be deleted', async () => {
    expect((await send('DELETE', box)).status).toBe(200)
    expect((await send('GET', box)).status).toBe(404)
  })

  it.each(['/acme/mirrored', '/api/v2/vagrant/acme/mirrored'])(
    'is added by %s as far as it is here',
    async (path) => {
      const answer = await send('GET', path, { headers: { 'user-agent': 'Vagrant/2.4.10' } })
      const { versions } = json(answer) as {
        versions: { version: string; providers: { architecture: string }[] }[]
      }
      expect(
        versions.map((one) => [one.version, one.providers.map(({ architecture }) => architecture)])
      ).toEqual([
        ['2.0.0', ['arm64']],
        ['1.0.0', ['arm64', 'amd64']]
      ])
    }
  )

  it('offers clients that know no architectures what the default one has', async () => {
    const answer = await send('GET', '/acme/mirrored', { headers: { 'user-agent': 'Vagrant/2.3.4' } })
    const { versions } = json(answer) as { versions: { version: string }[] }
    expect(versions.map((one) => one.version)).toEqual(['1.0.0'])
  })

  it.each(['v1', 'v2'])('tells %s of no version and image that cannot be had', async (api) => {
    const read = json(await send('GET', `/api/${api}/box/acme/mirrored`)) as {
      current_version: { version: string }
      versions: { version: string; providers: unknown[] }[]
    }
    expect(read.current_version.version).toBe('2.0.0')
    expect(read.versions.map((one) => [one.version, one.providers.length])).toEqual([
      ['2.0.0', api === 'v1' ? 0 : 1],
      ['1.0.0', api === 'v1' ? 1 : 2]
    ])
    const found = json(await send('GET', `/api/${api}/search?q=mirrored`)) as {
      boxes: (typeof read)[]
    }
    expect(found.boxes.map(({ current_version }) => current_version.version)).toEqual(['2.0.0'])
  })

  it('is downloaded like any other, and says of the rest where it is', async () => {
    const at = (number: string, architecture: string): string =>
      `/acme/boxes/mirrored/versions/${number}/providers/virtualbox/${architecture}/vagrant.box`
    const here = await send('GET', at('2.0.0', 'arm64'))
    expect([here.status, here.text]).toEqual([200, 'bytes of 2.0.0arm64'])
    for (const method of ['GET', 'HEAD']) expect((await send(method, at('3.0.0', 'amd64'))).status).toBe(404)
    expect(json(await send('GET', at('3.0.0', 'amd64')))['errors']).toEqual([
      'acme/mirrored 3.0.0 for virtualbox on amd64 is mirrored from Lab, and its file has not been fetched to this registry.',
      'Have it fetched here, or choose a version that is here.'
    ])
  })

  it('can be changed once it is forked', async () => {
    registry.app.mirrored.fork('acme', 'mirrored')
    expect((await send('PUT', box, { body: { box: { description: 'mine' } } })).status).toBe(200)
    expect((await send('DELETE', `${box}/version/3.0.0`)).status).toBe(200)
  })
})

describe('asking again', () => {
  const fresh = async (path: string, etag: string, authorization?: string): Promise<number> =>
    (await send('GET', path, { headers: { 'if-none-match': etag, ...(authorization && { authorization }) } }))
      .status

  it.each(['/api/v1/user/acme', '/api/v2/user/acme', '/api/v1/box/acme/tiny', '/api/v2/box/acme/tiny'])(
    'for %s costs nothing until something of it changes',
    async (path) => {
      const { app } = registry
      const etag = (): Promise<string> => send('GET', path).then(({ headers }) => String(headers.etag))
      const first = await etag()
      for (const asked of [first, `W/${first}`, `"x", ${first}`]) expect(await fresh(path, asked)).toBe(304)
      app.boxes.update({ kind: 'operator' }, 'acme', 'tiny', { description: 'first' })
      expect(await fresh(path, first)).toBe(200)
      const second = await etag()
      app.boxes.update({ kind: 'operator' }, 'acme', 'tiny', { description: 'second' })
      expect([await fresh(path, first), await fresh(path, second)]).toEqual([200, 200])
      const third = await etag()
      expect(new Set([first, second, third]).size).toBe(3)
      expect(await fresh(path, third)).toBe(304)
    }
  )

  it('for an organization reads none of its boxes', async () => {
    const { headers } = await send('GET', '/api/v2/user/acme')
    registry.app.boxes.pagesOf = () => {
      throw new Error('boxes were read')
    }
    expect(await fresh('/api/v2/user/acme', String(headers.etag))).toBe(304)
  })

  it('tells those who may see more from the others', async () => {
    const { headers } = await send('GET', '/api/v2/user/acme')
    const etag = String(headers.etag)
    expect(await fresh('/api/v2/user/acme', etag, `Bearer ${registry.tokens.stranger}`)).toBe(200)
    expect(headers.vary).toMatch('Authorization')
  })
})
