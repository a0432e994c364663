import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DeskEvent, DeskEventName, DeskEvents } from '../../../src-main/contract/desk.ts'
import type { ServerStatus } from '../../../src-main/contract/settings.ts'
import { Hub } from '../../../src-main/desk/hub.ts'
import { StatusLine } from '../../../src-main/desk/status.ts'
import { watch } from '../../../src-main/desk/watch.ts'
import { operator } from '../../../src-main/domain/model.ts'
import { PersonSettings } from '../../../src-main/settings/settings.ts'
import { openCatalogue } from '../../../src-main/store/open.ts'
import { revisionOf } from '../../../src-main/store/revision.ts'
import { catalogWorld } from '../../support/catalog.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** A desk's eye on a real catalogue, with time that passes when told to. */
async function world() {
  const catalog = await catalogWorld()
  const { db, log, events, dataDir } = catalog
  const settings = new PersonSettings(db, log)
  const hub = new Hub(log)
  const server: ServerStatus = {
    state: 'running',
    url: 'http://127.0.0.1:7575',
    lanUrls: [],
    problem: null,
    maintenance: false,
    fixedByCommandLine: []
  }
  const now = { server, free: 1000, looksAtDisk: 0 }
  const moved = new Set<() => void>()
  const status = new StatusLine({
    server: {
      status: () => now.server,
      check: () => Promise.resolve(),
      apply: () => Promise.resolve(),
      onChange: (listener) => {
        moved.add(listener)
        return () => void moved.delete(listener)
      }
    },
    freeBytes: () => {
      now.looksAtDisk += 1
      return Promise.resolve(now.free)
    },
    transfers: () => ({ running: { count: 0, done: 0, total: 0, bytesPerSecond: null }, waiting: 0 }),
    log
  })
  const quietly = watch({ hub, events, revision: revisionOf(db), settings, status, log })
  const heard: DeskEvent[] = []
  const end = hub.subscribe((event) => void heard.push(event))
  const of = <N extends DeskEventName>(name: N): DeskEvents[N][] =>
    heard.filter((event) => event.name === name).map(({ data }) => data as DeskEvents[N])
  return {
    ...{ catalog, hub, settings, status, quietly, heard, of, end, now },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    move(over: Partial<ServerStatus>) {
      now.server = { ...now.server, ...over }
      moved.forEach((listener) => listener())
    },
    /** Another process on the same folder. */
    elsewhere() {
      const other = openCatalogue(dataDir)
      onTestFinished(() => void other.close())
      return other
    }
  }
}

it('tells that something about a remote is another, though nothing was written', async () => {
  const { catalog, of, pass } = await world()
  for (let i = 0; i < 5; i++) catalog.events.emit('remote-changed', { id: 1 })
  await pass(200)
  expect(of('changed')).toEqual([{ boxes: [] }])
})

describe('what changes', () => {
  it('is told within a moment, with the boxes, however many changes there are', async () => {
    const { catalog, pass, of } = await world()
    catalog.addBox('a')
    catalog.addBox('b')
    catalog.addVersion('1.0.0', 'a')
    expect(of('changed')).toEqual([])
    await pass(200)
    expect(of('changed')).toEqual([{ boxes: ['acme/a', 'acme/b'] }])
  })

  it('is told as everything when it is far more than a page would look for', async () => {
    const { catalog, pass, of } = await world()
    for (let at = 0; at < 101; at += 1) catalog.addBox(`box-${at}`)
    await pass(200)
    expect(of('changed')).toEqual([{ boxes: null }])
  })

  it('is told within a second when another process did it, or nothing said so', async () => {
    const { pass, of, elsewhere, catalog } = await world()
    await pass(5000)
    expect(of('changed')).toEqual([])
    elsewhere().prepare("INSERT INTO settings (key, value) VALUES ('x', '1')").run()
    await pass(1000)
    expect(of('changed')).toEqual([{ boxes: null }])
    await catalog.accounts.addUser('carol')
    await pass(1000)
    expect(of('changed')).toHaveLength(2)
    await pass(5000)
    expect(of('changed')).toHaveLength(2)
  })

  it('is told at most some times a second', async () => {
    const { catalog, pass, of } = await world()
    for (let at = 0; at < 100; at += 1) {
      catalog.boxes.create(operator, { organization: 'acme', name: `box-${at}` })
      await pass(10)
    }
    expect(of('changed').length).toBeLessThanOrEqual(6)
  })

  it('is nobody’s business when it was done quietly, unless more was', async () => {
    const { quietly, settings, pass, of, catalog, elsewhere } = await world()
    const { db } = catalog
    const write = (): void => void db.prepare("INSERT OR REPLACE INTO settings VALUES ('x', '1')").run()
    quietly(write)
    expect(quietly(() => 5)).toBe(5)
    await pass(2000)
    expect(of('changed')).toEqual([])
    elsewhere().prepare("INSERT INTO settings (key, value) VALUES ('y', '1')").run()
    quietly(write)
    await pass(1000)
    expect(of('changed')).toEqual([{ boxes: null }])
    expect(settings.read().graceHours).toBe(24)
  })

  it('is not looked for while nobody listens, and not told later', async () => {
    const { end, hub, pass, of, heard, catalog } = await world()
    catalog.addBox('a')
    end()
    catalog.addBox('b')
    await pass(20_000)
    expect(of('changed')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
    hub.subscribe((event) => void heard.push(event))
    await pass(1000)
    expect(of('changed')).toEqual([])
  })
})

describe('settings', () => {
  it('are told once they are saved, here or by another process', async () => {
    const { settings, of, pass, elsewhere, catalog } = await world()
    settings.change({ graceHours: 5 })
    expect(of('settings')).toMatchObject([{ graceHours: 5 }])
    new PersonSettings(elsewhere(), catalog.log).change({ graceHours: 6 })
    await pass(1000)
    expect(of('settings')).toMatchObject([{ graceHours: 5 }, { graceHours: 6 }])
  })
})

describe('the status line', () => {
  it('is told at the beginning, and when the server moves', async () => {
    const { of, pass, move } = await world()
    await pass(0)
    move({ url: 'http://127.0.0.1:8080' })
    move({ url: 'http://127.0.0.1:8080' })
    expect(of('status').map(({ server, diskFree }) => [server.url, diskFree])).toEqual([
      ['http://127.0.0.1:7575', 1000],
      ['http://127.0.0.1:8080', 1000]
    ])
  })

  it('is told when the disk is fuller or emptier, which is looked at every ten seconds', async () => {
    const { of, pass, now } = await world()
    await pass(0)
    now.free = 900
    await pass(9_000)
    expect(of('status').at(-1)?.diskFree).toBe(1000)
    await pass(1_000)
    expect(of('status').at(-1)?.diskFree).toBe(900)
    await pass(60_000)
    expect(of('status')).toHaveLength(2)
    expect(now.looksAtDisk).toBe(8)
  })

  it('is told when maintenance begins, which is in the database', async () => {
    const { of, pass, now, elsewhere } = await world()
    await pass(0)
    now.server = { ...now.server, maintenance: true }
    elsewhere().prepare("INSERT INTO settings (key, value) VALUES ('maintenance', 'true')").run()
    await pass(1000)
    expect(of('status').at(-1)?.server.maintenance).toBe(true)
  })

  it('is as it is now for whoever asks', async () => {
    const { status, now } = await world()
    now.free = 5
    expect(await status.read()).toMatchObject({ diskFree: 5, server: { state: 'running' }, waiting: 0 })
  })
})
