import { createServer } from 'node:http'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { DeskMethod, Payload, Reply } from '../../src-main/contract/desk.ts'
import { operator } from '../../src-main/domain/model.ts'
import { openCore } from '../support/desk.ts'
import { rememberingLog, sampleRegistry, upload } from '../support/registry.ts'
import { tempDir } from '../support/temp.ts'

const { start } = sampleRegistry()

const statuses = [400, 401, 402, 403, 404, 422, 500, 503]

/** A registry of the worst kind: whatever it is asked, it says the token it was given, everywhere it can. */
async function tellTale(): Promise<string> {
  let answers = 0
  const server = createServer((request, response) => {
    const given = (request.headers.authorization ?? '').replace('Bearer ', '')
    const path = request.url ?? ''
    request.resume()
    if (path.includes('authenticate') && !path.includes('tell'))
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ user: { username: 'tale' } }))
    const status = statuses[answers++ % statuses.length] as number
    response
      .writeHead(status, `Refused ${given}`, {
        'content-type': 'application/json',
        'www-authenticate': `Bearer realm="${given}"`,
        location: `http://127.0.0.1:9/?access_token=${given}`
      })
      .end(JSON.stringify({ errors: [`You are ${given}.`, { token: given }], [given]: given }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** As it is, and as it would be in other clothes. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('base64').replaceAll('=', ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
  secret.slice(4, 30)
]

function filesWith(folder: string, secret: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .filter((file) => {
      const bytes = readFileSync(file)
      return formsOf(secret).some((form) => bytes.includes(form))
    })
}

it('the token of a remote is in no file, no log, no answer and no event, however the remote behaves', async () => {
  const lab = await start()
  const tale = await tellTale()
  const token = lab.tokens.owner
  const dataDir = tempDir()
  const log = rememberingLog()
  const core = await openCore({ dataDir, log })
  const { app, desk } = core
  const told: unknown[] = []
  onTestFinished(desk.hub.subscribe((event) => void told.push(event)))
  const ask = async <M extends DeskMethod>(method: M, payload: Payload<M>): Promise<Reply> => {
    const reply = await desk.call(method, payload)
    told.push(reply)
    return reply
  }

  // Added and refused, tried and changed.
  const location = lab.url
  for (const name of ['Lab', 'Again']) await ask('remotes.add', { location, token, name })
  await ask('remotes.test', { location, token })
  await ask('remotes.add', { location, token, name: 'lab' })
  await ask('remotes.add', { location: `http://x:${token}@127.0.0.1`, name: 'Odd' })
  await ask('remotes.add', { location: `${location}/?access_token=${token}`, name: 'Odd' })
  await ask('remotes.add', { location: 'http://127.0.0.1:9', token })
  await ask('remotes.add', { location: '/media/usb', token })
  const remote = await app.remotes.named('Lab')
  const badly = await ask('remotes.add', { location: tale, token, name: 'Tale' })
  expect(badly).toMatchObject({ ok: true })
  const other = await app.remotes.named('Tale')
  await ask('remotes.change', { id: remote.id, changes: { token, name: 'Laboratory' } })
  await ask('remotes.change', { id: other.id, changes: { token: ` ${token}\n` } })

  // Worked with.
  const image = {
    organization: 'acme',
    box: 'own',
    version: '1.0.0',
    provider: 'virtualbox',
    architecture: 'amd64'
  }
  app.boxes.create(operator, { organization: 'acme', name: 'own' })
  app.versions.create(operator, 'acme', 'own', { number: '1.0.0' })
  app.images.create(operator, image, image)
  await upload(app, image, Buffer.from('bytes of a box'))
  app.versions.release(operator, 'acme', 'own', '1.0.0')
  const work = async (): Promise<void> => {
    for (const { id: remoteId } of [remote, other]) {
      for (const [direction, box] of [
        ['publish', 'own'],
        ['pull', 'tiny']
      ] as const) {
        const request = { direction, remoteId, organization: 'acme', box }
        await ask('sync.plan', request)
        await ask('sync.start', { requests: [request] })
      }
      await ask('remotes.check', { id: remoteId })
      await ask('remotes.boxes', { remoteId, standing: null, q: '', offset: 0, limit: 100 })
    }
    await ask('remotes', {})
    await expect
      .poll(() => app.remoteTransfers.activity().count, { timeout: 3_000 })
      .toBe(0)
      .catch(() => {})
    await ask('transfers', {})
  }
  await work()
  // Taken back there, and then gone altogether.
  const { id } = lab.app.tokens.list()[0] as { id: number }
  lab.app.tokens.revoke(id)
  await work()
  await lab.close()
  await work()

  // And what is made of it all.
  const file = join(tempDir(), 'backup')
  await ask('storage.start', { job: 'back-up', file, catalogueOnly: true, replace: false })
  await expect
    .poll(async () => JSON.stringify(await ask('storage.job', {})), { timeout: 10_000 })
    .toContain('"state":"done"')
  expect(filesWith(join(file, '..'), 'CREATE TABLE')).not.toEqual([])
  expect(filesWith(join(file, '..'), token)).toEqual([])
  expect(filesWith(dataDir, 'Laboratory')).not.toEqual([])
  expect(filesWith(dataDir, token)).toEqual([])
  await core.stop()
  expect(filesWith(dataDir, token)).toEqual([])

  const everything = `${log.lines.join('\n')}\n${JSON.stringify(told)}`
  expect(everything).toContain('Laboratory')
  expect(everything).toContain('does not take the token')
  for (const form of formsOf(token)) expect(everything).not.toContain(form)
}, 90_000)
