import { createHash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { operator } from '../../src-main/domain/model.ts'
import { box } from '../support/archives.ts'
import {
  versionsOf,
  imageOf,
  boxNamed,
  addPath,
  arrivalsWorld,
  untilArrival,
  untilState
} from '../support/arrivals.ts'
import { laterRefusal, refusal } from '../support/catalog.ts'
import { sha256 } from '../support/sha256.ts'

describe('a url', () => {
  it('is ready at once, has no bytes, and becomes an image with that url', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const url = 'https://example.org/base-2.0.0-virtualbox-amd64.box'
    const checksum = 'a'.repeat(64)
    const { id, ...added } = app.arrivals.addUrl(` ${url}\n`, { checksum, release: true, private: false })
    expect(added).toMatchObject({
      ...{ kind: 'url', origin: url, state: 'ready', size: null, bytesRead: 0, found: null },
      draft: { name: 'base', version: '2.0.0', provider: 'virtualbox', architecture: 'amd64' }
    })
    expect(await app.arrivals.publish([id])).toMatchObject([{ state: 'published' }])
    expect(imageOf(app, 'base')).toMatchObject({ url, checksum, checksumType: 'sha256', blob: null })
    expect(world.staged()).toEqual([])
  })

  it('takes the place of a file, and a file that of a url', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const bytes = boxNamed('virtualbox')
    const path = world.file('base-1.0.0.box', bytes)
    const publish = async (id: string) => {
      await untilState(app, id, 'ready')
      await app.arrivals.publish([id])
    }
    await publish((await addPath(app, path)).id)
    const url = 'https://example.org/base-1.0.0-virtualbox-amd64.box'
    await publish(app.arrivals.addUrl(url).id)
    expect(imageOf(app, 'base')).toMatchObject({ url, blob: null, checksum: null })
    await publish((await addPath(app, path)).id)
    expect(imageOf(app, 'base')).toMatchObject({ url: null, blob: sha256(bytes), checksum: sha256(bytes) })
    expect(versionsOf(app, 'base')).toHaveLength(1)
    await app.sidecars.drain()
    expect(await app.blobs.readSidecar(sha256(bytes))).toEqual(app.sidecars.describe(sha256(bytes)))
  })

  it('has to be one', async () => {
    const app = await arrivalsWorld().open()
    refusal('invalid', () => app.arrivals.addUrl('/base.box'))
    expect(app.arrivals.list()).toEqual([])
  })
})

it('an image that is to be the default takes that from another, new or not', async () => {
  const world = arrivalsWorld()
  const app = await world.open()
  const publish = async (architecture: string, isDefault: boolean, more = {}) => {
    const bytes = box({ provider: 'virtualbox', architecture, ...more })
    const { id } = await addPath(app, world.file(`base-1.0.0-${architecture}.box`, bytes), { isDefault })
    await untilState(app, id, 'ready')
    await app.arrivals.publish([id])
    const image = versionsOf(app, 'base')[0]?.images.find(({ isDefault }) => isDefault)
    await app.sidecars.drain()
    for (const { blob } of versionsOf(app, 'base')[0]?.images ?? []) {
      const sidecar = (await app.blobs.readSidecar(blob ?? '')) as ReturnType<typeof app.sidecars.describe>
      expect(sidecar?.uses.map((use) => use.image)).toEqual(
        app.sidecars.describe(blob ?? '')?.uses.map((use) => use.image)
      )
    }
    return image?.architecture
  }
  expect(await publish('amd64', false)).toBe('amd64')
  expect(await publish('arm64', false)).toBe('amd64')
  expect(await publish('i386', true)).toBe('i386')
  expect(await publish('arm64', true, { newer: true })).toBe('arm64')
})

describe('publishing that is refused', () => {
  it('keeps the bytes and says why, until the person has mended it', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { id } = await addPath(app, world.file('base.box'), { name: '' })
    await untilState(app, id, 'ready')
    expect(await laterRefusal('invalid', app.arrivals.publish([id]))).toEqual(['The box name is missing.'])
    expect(app.arrivals.find(id)).toMatchObject({
      state: 'ready',
      confirmed: false,
      problem: ['The box name is missing.']
    })
    expect(app.arrivals.change(id, { name: 'base' })).toMatchObject({ state: 'ready', problem: null })
    expect(await app.arrivals.publish([id])).toMatchObject([{ state: 'published', problem: null }])
  })

  it('only when the bytes are looked at once more keeps them as well, whatever is cleaned up', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { id } = await addPath(app, world.file('base.box'))
    await untilState(app, id, 'ready')
    app.arrivals.change(id, { checksum: '0'.repeat(32), checksumType: 'md5' })
    expect(app.arrivals.plan(id).problems).toEqual([])
    const [sentence] = await laterRefusal('invalid', app.arrivals.publish([id]))
    expect(sentence).toMatch(/The md5 checksum of the uploaded file is/)
    refusal('missing', () => app.boxes.read(operator, 'acme', 'base'))
    await app.upkeep.collectGarbage({ graceMs: 0, dryRun: false })
    app.arrivals.change(id, { checksum: createHash('md5').update(box()).digest('hex') })
    await app.arrivals.publish([id])
    expect(imageOf(app, 'base')).toMatchObject({ blob: sha256(box()), checksumType: 'md5' })
  })

  it('because somebody removed the bytes lets it be read again', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { id } = await addPath(app, world.file('base.box'))
    await untilState(app, id, 'ready')
    rmSync(join(world.dataDir, 'uploads'), { recursive: true })
    await laterRefusal('invalid', app.arrivals.publish([id]))
    expect(app.arrivals.find(id)).toMatchObject({
      ...{ state: 'failed', canRetry: true, found: null },
      problem: [expect.stringMatching(/no longer in the data folder/), expect.stringMatching(/Try again/)]
    })
    app.arrivals.retry(id)
    await untilState(app, id, 'ready')
    expect(await app.arrivals.publish([id])).toMatchObject([{ state: 'published' }])
  })

  it('in maintenance keeps it for later', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { id } = await addPath(app, world.file('base.box'))
    await untilState(app, id, 'ready')
    app.settings.set('maintenance', true)
    expect(await laterRefusal('invalid', app.arrivals.publish([id]))).toEqual([
      expect.stringMatching(/maintenance/)
    ])
    app.settings.set('maintenance', false)
    expect(await app.arrivals.publish([id])).toMatchObject([{ state: 'published' }])
  })

  it('of one among many keeps no other from being published', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { arrivals } = await app.arrivals.addPaths([
      world.file('a.box'),
      world.file('b.box'),
      world.file('c.box')
    ])
    const ids = arrivals.map(({ id }) => id)
    await Promise.all(ids.map((id) => untilState(app, id, 'ready')))
    app.arrivals.change(ids[1] ?? '', { version: 'x' })
    const states = (await app.arrivals.publish(ids)).map(({ state }) => state)
    expect(states).toEqual(['published', 'ready', 'published'])
  })
})

describe('a file that is sent', () => {
  it('is kept under the id its sender chose, once', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const id = randomUUID()
    const bytes = boxNamed('virtualbox')
    const send = (length: number | null = bytes.length) =>
      app.arrivals.receive(id, 'C:\\boxes\\base.box', Readable.from([bytes]), {
        length,
        draft: { version: '3.0.0' }
      })
    expect(await send()).toMatchObject({
      ...{ id, kind: 'stream', fileName: 'base.box', origin: '', state: 'ready', size: bytes.length },
      draft: { name: 'base', version: '3.0.0', provider: 'virtualbox' }
    })
    expect(await laterRefusal('conflict', send())).toEqual([expect.stringMatching(/under this id before/)])
    expect(await app.arrivals.publish([id])).toMatchObject([{ state: 'published' }])
  })

  it('may be corrected and confirmed while it comes', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const id = randomUUID()
    const body = new PassThrough()
    const received = app.arrivals.receive(id, 'base.box', body, { length: null })
    app.arrivals.change(id, { name: 'other' })
    await app.arrivals.publish([id])
    expect(app.arrivals.running().map((arrival) => arrival.id)).toEqual([id])
    body.end(box())
    await received
    await untilState(app, id, 'published')
    expect(versionsOf(app, 'other')).toHaveLength(1)
  })

  it.each([
    [
      'breaks off',
      (body: PassThrough) => void body.destroy(Object.assign(new Error(), { code: 'ECONNRESET' })),
      /broke off/
    ],
    ['is shorter than announced', (body: PassThrough) => void body.end(), /Only 5 of 100 bytes arrived/],
    [
      'is longer than announced',
      (body: PassThrough) => void body.write(Buffer.alloc(200)),
      /More bytes arrived/
    ]
  ])('that %s fails with a sentence, cannot be tried again, and leaves nothing', async (_, end, why) => {
    const world = arrivalsWorld()
    const app = await world.open()
    const id = randomUUID()
    const body = new PassThrough()
    body.write('12345')
    const received = app.arrivals.receive(id, 'base.box', body, { length: 100 })
    await untilArrival(app, id, ({ bytesRead }) => bytesRead === 5)
    end(body)
    const [sentence] = await laterRefusal('invalid', received)
    expect(sentence).toMatch(why)
    expect(app.arrivals.find(id)).toMatchObject({ state: 'failed', problem: [sentence], canRetry: false })
    expect(world.staged()).toEqual([])
    refusal('conflict', () => app.arrivals.retry(id))
  })

  it('whose page is gone fails', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const id = randomUUID()
    const gone = new AbortController()
    const body = new PassThrough()
    const received = app.arrivals.receive(id, 'base.box', body, { signal: gone.signal })
    body.write('12345')
    await untilArrival(app, id, ({ bytesRead }) => bytesRead === 5)
    gone.abort()
    expect(await laterRefusal('invalid', received)).toEqual([
      'The file broke off after 5 bytes; drop it again.'
    ])
    expect(world.staged()).toEqual([])
  })

  it('that is cancelled tells its sender at the next bytes, and leaves nothing', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const id = randomUUID()
    const body = new PassThrough()
    const refused = laterRefusal('conflict', app.arrivals.receive(id, 'base.box', body))
    body.write('12345')
    await untilArrival(app, id, ({ bytesRead }) => bytesRead === 5)
    const cancelled = app.arrivals.cancel(id)
    body.write('6')
    expect(await refused).toEqual(['The file was cancelled, and nothing of it was kept.'])
    expect(await cancelled).toMatchObject({ state: 'cancelled', canRetry: false })
    expect(body.destroyed, 'its sender can still be answered').toBe(false)
    expect(world.staged()).toEqual([])
  })

  it('that is cancelled while nothing comes is cut off', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const id = randomUUID()
    const body = new PassThrough()
    const refused = laterRefusal('conflict', app.arrivals.receive(id, 'base.box', body))
    await app.arrivals.cancel(id)
    await refused
    expect(body.destroyed).toBe(true)
  })
})
