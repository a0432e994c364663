import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../src-main/app.ts'
import type { DeskEvent } from '../../src-main/contract/desk.ts'
import { startCore } from '../../src-main/core.ts'
import { servingProcess } from '../../src-main/store/locks.ts'
import { WebServer } from '../../src-main/web/server.ts'
import { laterRefusal } from '../support/catalog.ts'
import { openCore } from '../support/desk.ts'
import { ask, rememberingLog } from '../support/registry.ts'
import { tempDir } from '../support/temp.ts'

async function takenPort(): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return (other.address() as AddressInfo).port
}

/** A folder whose settings say that any free port will do, or the one given. */
async function folderWithPort(port = 0): Promise<string> {
  const dataDir = tempDir()
  const app = await createApp({ dataDir, log: rememberingLog() })
  app.personSettings.change({ port })
  await app.close()
  return dataDir
}

const fixed = { port: 0 }

describe('a core', () => {
  it('serves a new folder that it made an owner for, and says where to others', async () => {
    const dataDir = tempDir()
    const core = await openCore({ dataDir, owner: 'lab' })
    expect(core.owner).toBe('lab')
    const { url } = core.listener.status()
    expect(await ask(url)).toMatchObject({ status: 200 })
    expect(servingProcess(dataDir)).toMatchObject({ pid: process.pid, url })
  })

  it('has its folder for itself, and leaves it to the next when it stops', async () => {
    const dataDir = tempDir()
    const core = await openCore({ dataDir })
    const sentences = await laterRefusal('conflict', startCore({ dataDir, log: rememberingLog(), fixed }))
    expect(sentences.join(' ')).toContain(core.listener.status().url)
    await core.stop()
    expect(servingProcess(dataDir)).toBeNull()
    expect(await ask((await openCore({ dataDir })).listener.status().url)).toMatchObject({ status: 200 })
  })

  it('is refused where the port is taken and it must serve, and leaves nothing behind', async () => {
    const dataDir = tempDir()
    const port = await takenPort()
    const start = startCore({ dataDir, log: rememberingLog(), fixed: { port }, mustServe: true })
    expect((await laterRefusal('conflict', start)).join()).toContain(`Port ${port}`)
    expect(servingProcess(dataDir)).toBeNull()
    await openCore({ dataDir })
  })

  it('works without its server where a person can mend that', async () => {
    const port = await takenPort()
    const { desk } = await openCore({ dataDir: await folderWithPort(port), fixed: {} })
    expect(await desk.call('status', {})).toMatchObject({
      ok: true,
      value: { server: { state: 'failed', problem: [expect.stringContaining(`Port ${port}`)] } }
    })
    expect(await desk.call('settings.change', { port: 0 })).toMatchObject({ ok: true })
    expect(await desk.call('status', {})).toMatchObject({
      ok: true,
      value: { server: { state: 'running', problem: null } }
    })
  })
})

describe('the end', () => {
  it('is what a file that a page was sending names as its reason', async () => {
    const core = await openCore()
    const { app, desk } = core
    const web = new WebServer({
      desk,
      bundle: { get: () => null },
      receive: (...file) => app.arrivals.receive(...file),
      log: app.log
    })
    const [origin = '', token] = (await web.start()).split('/#token=')
    const signedIn = await fetch(`${origin}/desk/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token })
    })
    const id = randomUUID()
    const sending = request(`${origin}/desk/arrivals/${id}?name=base.box`, {
      method: 'PUT',
      headers: {
        cookie: signedIn.headers.get('set-cookie')?.split(';')[0],
        'x-boxyard-key': ((await signedIn.json()) as { key: string }).key
      }
    })
    sending.on('error', () => {}) // it is cut off
    sending.write('some bytes')
    await new Promise<void>((resolve) => void app.events.on('arrival-changed', () => resolve()))
    let found: unknown
    await core.stop(() => {
      found = app.arrivals.find(id)
      return web.close()
    })
    expect(found).toMatchObject({
      state: 'failed',
      problem: ['The file had not arrived whole when the program ended; drop it again.']
    })
  })
})

describe('several windows and pages', () => {
  it('are told alike of what clients, commands and each other do', async () => {
    const core = await openCore()
    const { desk, app } = core
    const heard = [[], []] as DeskEvent[][]
    for (const each of heard) onTestFinished(desk.hub.subscribe((event) => void each.push(event)))
    const until = async (condition: (event: DeskEvent) => boolean): Promise<void> => {
      while (!heard.every((events) => events.some(condition)))
        await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await desk.call('box.create', { organization: 'acme', box: 'base', changes: {} })
    await until(({ name, data }) => name === 'changed' && (data as { boxes: unknown }).boxes !== null)

    const { token } = app.tokens.issue(app.accounts.findUser('acme')?.id ?? 0, 'a client')
    const { url } = core.listener.status()
    const answer = await ask(`${url}/api/v2/box/acme/base`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ box: { short_description: 'by a client' } })
    })
    expect(answer.status).toBe(200)
    await until(({ name }) => name === 'changed')
    expect(await desk.call('box.read', { organization: 'acme', box: 'base' })).toMatchObject({
      value: { shortDescription: 'by a client' }
    })
    await desk.call('settings.change', { appearance: 'dark' })
    await until(({ name, data }) => name === 'settings' && 'appearance' in data && data.appearance === 'dark')
  })
})

describe('settings that cannot take effect', () => {
  it('are refused with the reason, and not kept', async () => {
    const port = await takenPort()
    const { desk, app } = await openCore({ dataDir: await folderWithPort(), fixed: {} })
    expect(await desk.call('settings.change', { port, appearance: 'dark' })).toMatchObject({
      ok: false,
      refusal: { kind: 'conflict', sentences: [expect.stringContaining(`Port ${port}`)] }
    })
    expect(app.personSettings.read()).toMatchObject({ port: 0, appearance: 'system' })
  })
})
