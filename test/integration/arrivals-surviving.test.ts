import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, truncateSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import type { App } from '../../src-main/app.ts'
import { operator } from '../../src-main/domain/model.ts'
import { arrivalTable } from '../../src-main/store/arrivals.ts'
import { box } from '../support/archives.ts'
import {
  imageOf,
  boxNamed,
  large,
  addPath,
  arrivalsWorld,
  untilArrival,
  untilState
} from '../support/arrivals.ts'
import { laterRefusal } from '../support/catalog.ts'

describe('the end of the program', () => {
  it('parks what is being read, and the next start reads and publishes it', async () => {
    const world = arrivalsWorld()
    let app = await world.open()
    const { id } = await addPath(app, large(join(world.files, 'base.box')))
    await app.arrivals.publish([id])
    await untilArrival(app, id, ({ bytesRead }) => bytesRead > 0)
    await world.close()
    expect(world.staged()).toEqual([])
    app = await world.open({ start: false })
    expect(app.arrivals.find(id)).toMatchObject({ state: 'waiting', confirmed: true, problem: null })
    await app.arrivals.start()
    await untilState(app, id, 'published')
  })

  it('ends what is being sent, which has to be dropped again', async () => {
    const world = arrivalsWorld()
    let app = await world.open()
    const id = randomUUID()
    const refused = laterRefusal('invalid', app.arrivals.receive(id, 'base.box', new PassThrough()))
    await world.close()
    const sentence = 'The file had not arrived whole when the program ended; drop it again.'
    expect(await refused).toEqual([sentence])
    app = await world.open()
    expect(app.arrivals.find(id)).toMatchObject({ state: 'failed', problem: [sentence] })
  })

  it('keeps drafts and bytes of what is ready', async () => {
    const world = arrivalsWorld()
    let app = await world.open()
    const { id } = await addPath(app, world.file('base.box'))
    await untilState(app, id, 'ready')
    const before = app.arrivals.change(id, { shortDescription: 'mine' })
    rmSync(world.files, { recursive: true })
    app = await world.open()
    expect(app.arrivals.find(id)).toEqual(before)
    await app.arrivals.publish([id])
    expect(app.boxes.read(operator, 'acme', 'base').shortDescription).toBe('mine')
  })
})

describe('after a crash', () => {
  /** Files that were ready when the program ended, and then found themselves in another state. */
  async function crashed(
    change: (row: NonNullable<ReturnType<ReturnType<typeof arrivalTable>['get']>>) => object
  ) {
    const world = arrivalsWorld()
    let app = await world.open()
    const path = (await addPath(app, world.file('path.box', boxNamed('a')))).id
    const stream = randomUUID()
    await app.arrivals.receive(stream, 'stream.box', Readable.from([boxNamed('b')]))
    await untilState(app, path, 'ready')
    const table = arrivalTable(app.db)
    for (const id of [path, stream]) {
      const row = table.get(id)
      if (row) table.put({ ...row, ...change(row) })
    }
    const bytesOf = (id: string) => join(world.dataDir, 'uploads', table.get(id)?.stagedId ?? '')
    const staged = { path: bytesOf(path), stream: bytesOf(stream) }
    return {
      ...{ world, app, path, stream, staged },
      async restart(): Promise<App> {
        app = await world.open()
        return app
      }
    }
  }

  it('what was being read begins again if it is there to be read, and nothing half read stays', async () => {
    const { world, path, stream, restart } = await crashed(() => ({ state: 'reading', digest: null }))
    const app = await restart()
    expect(app.arrivals.find(stream)).toMatchObject({
      ...{ state: 'failed', canRetry: false },
      problem: ['The file had not arrived whole when the program ended; drop it again.']
    })
    await untilState(app, path, 'ready')
    expect(world.staged()).toHaveLength(1)
  })

  it('what was being published is published, from the staging area or from the store', async () => {
    const {
      app: before,
      path,
      stream,
      restart
    } = await crashed(() => ({ state: 'publishing', confirmed: true }))
    const row = arrivalTable(before.db).get(stream)
    if (!row?.digest || !row.stagedId) throw new Error('unreachable')
    const { size, sha256, checksums } = row.digest
    const facts = {
      format: 'tar.gz',
      provider: null,
      architecture: null,
      diskFormat: null,
      hasVagrantfile: true,
      note: null
    } as const
    await before.blobs.commit({ id: row.stagedId, size, sha256, checksums, facts })
    const app = await restart()
    await Promise.all([path, stream].map((id) => untilState(app, id, 'published')))
    expect(imageOf(app, 'path')).toMatchObject({ provider: 'a' })
    expect(imageOf(app, 'stream')).toMatchObject({ provider: 'b', blob: sha256 })
  })

  it('what was being published without its bytes is read again, or says so', async () => {
    const { world, path, stream, restart } = await crashed(() => ({ state: 'publishing', confirmed: true }))
    rmSync(join(world.dataDir, 'uploads'), { recursive: true })
    const app = await restart()
    await untilState(app, path, 'published')
    expect(app.arrivals.find(stream)).toMatchObject({
      state: 'failed',
      problem: [expect.any(String), 'Drop it again.']
    })
  })

  it('what was ready is ready, unless its bytes are gone or cut short', async () => {
    const { path, stream, staged, restart } = await crashed(() => ({}))
    unlinkSync(staged.path)
    truncateSync(staged.stream, 3)
    const app = await restart()
    expect(app.arrivals.find(path)).toMatchObject({ state: 'failed', canRetry: true })
    expect(app.arrivals.find(stream)).toMatchObject({ state: 'failed', canRetry: false })
  })

  it('what was confirmed and ready is published', async () => {
    const { path, stream, restart } = await crashed(() => ({ confirmed: true }))
    const app = await restart()
    await Promise.all([path, stream].map((id) => untilState(app, id, 'published')))
  })
})

describe('staged bytes', () => {
  it('stay for as long as an arrival holds them, however old, and go with it', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { id } = await addPath(app, world.file('base.box'))
    await untilState(app, id, 'ready')
    const longAgo = new Date(Date.now() - 30 * 86_400_000)
    const abandoned = join(world.dataDir, 'uploads', randomUUID())
    writeFileSync(abandoned, 'x')
    for (const name of world.staged()) utimesSync(join(world.dataDir, 'uploads', name), longAgo, longAgo)
    expect(await app.upkeep.collectGarbage({ graceMs: 0, dryRun: true })).toMatchObject({ leftovers: 1 })
    await app.uploads.sweep()
    expect(existsSync(abandoned)).toBe(false)
    expect(await app.upkeep.collectGarbage({ graceMs: 0, dryRun: false })).toMatchObject({ leftovers: 0 })
    expect(world.staged()).toHaveLength(1)
    await app.arrivals.cancel(id)
    expect(world.staged()).toEqual([])
  })

  it('and drafts survive the restore of a backup', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const before = await addPath(app, world.file('before.box'))
    await untilState(app, before.id, 'ready')
    const file = join(world.files, 'backup.tar')
    await app.upkeep.backUp({ file, catalogueOnly: false, force: false })
    await app.arrivals.publish([before.id])
    const after = await addPath(app, world.file('after.box'))
    await untilState(app, after.id, 'ready')
    await app.upkeep.restore(file)
    expect(app.arrivals.list().map(({ fileName, state }) => [fileName, state])).toEqual([
      ['after.box', 'ready'],
      ['before.box', 'published']
    ])
    expect(await app.arrivals.publish([after.id])).toMatchObject([{ state: 'published' }])
  })
})

it('a file whose reading ends just before a backup takes the place of the catalogue is ready', async () => {
  const world = arrivalsWorld()
  const file = join(world.files, 'backup.tar')
  const first = await world.open()
  const { id: inBackup } = await addPath(first, world.file('before.box'))
  await untilState(first, inBackup, 'ready')
  await first.arrivals.publish([inBackup])
  await first.upkeep.backUp({ file, catalogueOnly: false, force: false })
  await world.close()

  const other = arrivalsWorld()
  const app = await other.open()
  const body = new PassThrough()
  const id = randomUUID()
  const received = app.arrivals.receive(id, 'sent.box', body)
  const commit = app.blobs.commit.bind(app.blobs)
  vi.spyOn(app.blobs, 'commit').mockImplementationOnce(async (staged) => {
    body.end(boxNamed('libvirt'))
    await received
    await commit(staged)
  })
  expect(await app.upkeep.restore(file)).toMatchObject({ added: 1 })
  expect(app.arrivals.find(id)?.state).toBe('ready')
  expect(await app.arrivals.publish([id])).toMatchObject([{ state: 'published' }])
})

it('remembers the last two hundred that ended', async () => {
  const app = await arrivalsWorld().open()
  const ids: string[] = []
  for (let i = 0; i < 203; i++) {
    const { id } = app.arrivals.addUrl(`https://example.org/base-1.0.${i}-virtualbox.box`)
    await app.arrivals.cancel(id)
    ids.push(id)
  }
  const kept = app.arrivals.list().map(({ id }) => id)
  expect(kept).toHaveLength(200)
  expect(kept.toSorted()).toEqual(ids.slice(3).toSorted())
})

it('lets everything else have its turn while files are read', async () => {
  const world = arrivalsWorld()
  const app = await world.open()
  let turns = 0
  let running = true
  const turn = (): void => {
    turns += 1
    if (running) setImmediate(turn)
  }
  setImmediate(turn)
  const { id } = await addPath(app, large(join(world.files, 'large.box'), 100))
  await untilState(app, id, 'ready')
  running = false
  expect(turns).toBeGreaterThan(100)
})

it('sums up what goes on', async () => {
  const world = arrivalsWorld()
  const app = await world.open({ start: false })
  const bytes = box()
  app.personSettings.change({ parallelReads: 1 })
  const a = await addPath(app, world.file('a.box', bytes))
  const b = await addPath(app, world.file('b.box', bytes))
  app.arrivals.addUrl('https://example.org/c.box')
  expect(app.arrivals.activity()).toEqual({
    count: 2,
    done: 0,
    total: 2 * bytes.length,
    bytesPerSecond: null,
    waiting: 1
  })
  await app.arrivals.start()
  await untilState(app, a.id, 'ready')
  await untilArrival(app, b.id, ({ state, bytesRead }) => {
    const { done, total } = app.arrivals.activity()
    if (state === 'reading') expect([done, total]).toEqual([bytes.length + bytesRead, 2 * bytes.length])
    return state === 'ready'
  })
  expect(app.arrivals.activity()).toEqual({ count: 0, done: 0, total: 0, bytesPerSecond: null, waiting: 3 })
  expect(app.arrivals.running()).toEqual([])
})
