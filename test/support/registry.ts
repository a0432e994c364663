import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createApp, type App } from '../../src-main/app.ts'
import { operator } from '../../src-main/domain/model.ts'
import { silentLog, type Log } from '../../src-main/log.ts'
import type { RegistryOptions } from '../../src-main/registry/options.ts'
import { createServer } from '../../src-main/registry/server.ts'
import type { RegistryServices } from '../../src-main/registry/services.ts'

/** Who may ask in the sample registry: three roles in acme, and somebody who has none there. */
export const people = ['owner', 'contributor', 'viewer', 'stranger'] as const
export type Person = (typeof people)[number]

export const password = 'correct horse battery'

/** The bytes of the sample boxes. */
export const sampleFile = (name: string): Buffer => Buffer.from(`the bytes of ${name}, `.repeat(200))

/** A running server on a copy of the sample registry. */
export interface SampleRegistry {
  readonly url: string
  readonly app: App
  readonly tokens: Readonly<Record<Person, string>>
  /** Ends it before the test does. */
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly bytes: Buffer
}

/**
 * Makes the sample registry once for a test file; what comes back starts servers, each on a copy of it.
 *
 * acme/tiny     public: 1.0.0 released, for amd64 (default) and arm64; 1.1.0 unreleased, no file yet; 0.9.0 revoked
 * acme/secret   private: 1.0.0 released
 * acme/linked   public: 1.0.0 released, its file lies elsewhere
 * acme/empty    public, without a version
 */
export function sampleRegistry() {
  const template = mkdtempSync(join(tmpdir(), 'boxyard-sample-'))
  let tokens: Record<Person, string>
  beforeAll(async () => {
    tokens = await fill(template)
  })
  afterAll(() => rmSync(template, { recursive: true, force: true }))

  const open = async (
    options: Partial<RegistryOptions> = {},
    change: (services: RegistryServices) => RegistryServices = (services) => services
  ): Promise<SampleRegistry> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'boxyard-test-'))
    cpSync(template, dataDir, { recursive: true })
    const app = await createApp({ dataDir, log: silentLog })
    const server = createServer(change(app), { log: silentLog, limits: { graceTime: 200 }, ...options })
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    let closed: Promise<void> | null = null
    const close = (): Promise<void> =>
      (closed ??= (async () => {
        await server.close()
        await app.close()
        rmSync(dataDir, { recursive: true, force: true })
      })())
    return { url, app, tokens, close }
  }

  return {
    /** For as long as its caller wants. */
    open,
    /** For the test that runs, with which it ends. */
    start: async (...how: Parameters<typeof open>): Promise<SampleRegistry> => {
      const registry = await open(...how)
      onTestFinished(registry.close)
      return registry
    }
  }
}

async function fill(dataDir: string): Promise<Record<Person, string>> {
  const app = await createApp({ dataDir, log: silentLog })
  const { accounts, boxes, versions, images } = app
  accounts.ensureOwner('owner')
  accounts.addOrganization('acme', 'owner')
  await accounts.setPassword('owner', password)
  for (const name of people.slice(1)) await accounts.addUser(name)
  accounts.addOrganization('strangers', 'stranger')
  accounts.setMember('acme', 'contributor', 'contributor')
  accounts.setMember('acme', 'viewer', 'viewer')

  const released = async (box: string, number: string, architectures: readonly string[]): Promise<void> => {
    const place = { organization: 'acme', box, version: number }
    versions.create(operator, 'acme', box, { number, description: `about ${number}` })
    for (const architecture of architectures) {
      images.create(operator, place, { provider: 'virtualbox', architecture })
      await upload(
        app,
        { ...place, provider: 'virtualbox', architecture },
        sampleFile(`${box} ${architecture}`)
      )
    }
    versions.release(operator, 'acme', box, number)
  }
  const create = (name: string, isPrivate = false) =>
    boxes.create(operator, {
      organization: 'acme',
      name,
      shortDescription: `a ${name} box`,
      description: `Long *${name}*`,
      private: isPrivate
    })

  create('tiny')
  await released('tiny', '0.9.0', ['amd64'])
  versions.revoke(operator, 'acme', 'tiny', '0.9.0')
  await released('tiny', '1.0.0', ['amd64', 'arm64'])
  versions.create(operator, 'acme', 'tiny', { number: '1.1.0', description: 'not yet' })
  images.create(
    operator,
    { organization: 'acme', box: 'tiny', version: '1.1.0' },
    { provider: 'virtualbox', architecture: 'amd64' }
  )
  create('secret', true)
  await released('secret', '1.0.0', ['amd64'])
  create('linked')
  versions.create(operator, 'acme', 'linked', { number: '1.0.0' })
  images.create(
    operator,
    { organization: 'acme', box: 'linked', version: '1.0.0' },
    { provider: 'virtualbox', architecture: 'amd64', url: 'http://elsewhere.example/linked.box' }
  )
  versions.release(operator, 'acme', 'linked', '1.0.0')
  create('empty')

  const tokens = Object.fromEntries(
    people.map((name) => [name, app.tokens.issue(app.accounts.findUser(name)!.id).token])
  ) as Record<Person, string>
  await app.close()
  return tokens
}

type ImageRef = Parameters<App['uploads']['issue']>[1]

export async function upload(app: App, ref: ImageRef, bytes: Buffer): Promise<void> {
  const { id, key } = app.uploads.issue(operator, ref, 'simple')
  await app.uploads.receive(id, key, Readable.from([bytes]), { length: bytes.length })
}

/** One request on a connection of its own, with exactly these headers: no client library between. */
export function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body
  }: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer } = {}
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: bytes.toString('utf8'),
          bytes
        })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** A log that remembers what it was told. */
export function rememberingLog(): Log & { readonly lines: string[] } {
  const lines: string[] = []
  const note = (message: string, cause?: unknown): void =>
    void lines.push(cause instanceof Error ? `${message}: ${cause.stack}` : message)
  return { lines, info: note, warn: note, error: note }
}
