import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import type { App } from '../../src-main/app.ts'
import { operator } from '../../src-main/domain/model.ts'
import { arrivalTable } from '../../src-main/store/arrivals.ts'
import { box } from '../support/archives.ts'
import { addPath, arrivalsWorld, untilArrival, untilState } from '../support/arrivals.ts'
import { laterRefusal, refusal } from '../support/catalog.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const versionsOf = (app: App, name: string) => app.boxes.read(operator, 'acme', name).versions
const imageOf = (app: App, name: string) => versionsOf(app, name)[0]?.images[0]
const boxNamed = (provider: string, architecture = 'amd64') => box({ provider, architecture })

/** A box file that takes a while: what follows the archive is read and hashed as well. */
function large(path: string, megabytes = 200): string {
  writeFileSync(path, box())
  truncateSync(path, megabytes * 1024 * 1024)
  return path
}

describe('a file of this machine', () => {
  it('is shown under a name that cannot be taken for another', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { fileName, origin } = await addPath(app, world.file('a\u202Ecod.box\n1'))
    expect(fileName).toBe('a�cod.box�1')
    expect(origin).toBe(join(world.files, 'a\u202Ecod.box\n1'))
    expect(app.arrivals.addUrl('http://elsewhere.example/%00%E2%80%AE.box').fileName).toBe('��.box')
  })

  it('is read at once, proposed from what it says, corrected, and published', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const bytes = boxNamed('libvirt', 'arm64')
    const { id, ...added } = await addPath(app, world.file('base-1.2.0.box', bytes))
    expect(added).toMatchObject({
      ...{ kind: 'path', fileName: 'base-1.2.0.box', origin: join(world.files, 'base-1.2.0.box') },
      ...{ size: bytes.length, confirmed: false, found: null, canRetry: false, finishedAt: null }
    })
    const ready = await untilState(app, id, 'ready')
    expect(ready).toMatchObject({
      ...{ bytesRead: bytes.length, bytesPerSecond: null, note: null, problem: null },
      found: { format: 'tar.gz', provider: 'libvirt', architecture: 'arm64', sha256: sha256(bytes) },
      draft: {
        organization: 'acme',
        name: 'base',
        version: '1.2.0',
        provider: 'libvirt',
        architecture: 'arm64'
      }
    })
    expect(app.arrivals.change(id, { name: 'mine', release: true }).draft).toMatchObject({
      ...{ name: 'mine', version: '1.2.0', release: true }
    })
    expect(app.arrivals.plan(id)).toMatchObject({
      steps: [
        { kind: 'create-box' },
        { kind: 'create-version' },
        { kind: 'create-image' },
        { kind: 'release' }
      ],
      problems: []
    })
    const [published] = await app.arrivals.publish([id])
    expect(published).toMatchObject({ state: 'published', finishedAt: expect.any(Number) })
    expect(versionsOf(app, 'mine')).toMatchObject([
      { number: '1.2.0', status: 'active', images: [{ provider: 'libvirt', blob: sha256(bytes) }] }
    ])
    await app.sidecars.drain()
    expect(await app.blobs.readSidecar(sha256(bytes))).toEqual(app.sidecars.describe(sha256(bytes)))
    expect(world.staged()).toEqual([])
    expect(readFileSync(join(world.files, 'base-1.2.0.box')).equals(bytes)).toBe(true)
  })

  it('is published as soon as it was read when the person does not wait for that', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { id } = await addPath(app, world.file('base.box'), { release: true })
    expect(await app.arrivals.publish([id])).toMatchObject([{ confirmed: true }])
    await untilState(app, id, 'published')
    expect(versionsOf(app, 'base')).toMatchObject([{ number: '1.0.0', status: 'active' }])
  })

  it('keeps what the person said while it was read', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { id } = await addPath(app, world.file('base.box'))
    app.arrivals.change(id, { provider: 'mine', version: '' })
    const { draft } = await untilState(app, id, 'ready')
    expect(draft).toMatchObject({ provider: 'mine', version: '', architecture: 'amd64' })
  })

  it('that is dropped again while it is on its way is the same one', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const path = world.file('base.box')
    const { arrivals } = await app.arrivals.addPaths([
      path,
      `  "${path}" `,
      join(world.files, '.', 'base.box')
    ])
    expect(arrivals).toHaveLength(1)
    const [{ id } = { id: '' }] = arrivals
    expect((await addPath(app, path)).id).toBe(id)
    await untilState(app, id, 'ready')
    expect((await addPath(app, path)).id).toBe(id)
    await app.arrivals.publish([id])
    expect((await addPath(app, path)).id).not.toBe(id)
    expect(app.arrivals.list()).toHaveLength(2)
  })

  it('of a folder comes with every other box file in it', async () => {
    const world = arrivalsWorld()
    const app = await world.open({ start: false })
    for (const folder of ['a/b', 'empty']) mkdirSync(join(world.files, folder), { recursive: true })
    for (const name of ['base-10.box', 'base-9.box', 'a/x.BOX', 'a/b/y.box', 'a/notes.txt']) world.file(name)
    mkdirSync(join(world.files, 'odd.box'))
    symlinkSync(world.files, join(world.files, 'a/b/round'))
    const { arrivals, refused } = await app.arrivals.addPaths([
      world.files,
      join(world.files, 'empty'),
      join(world.files, 'nothing.box')
    ])
    expect(arrivals.map(({ fileName }) => fileName)).toEqual(['y.box', 'x.BOX', 'base-9.box', 'base-10.box'])
    expect(refused).toEqual([
      {
        origin: join(world.files, 'empty'),
        sentences: [expect.stringMatching(/There are no box files \(\*\.box\)/)]
      },
      { origin: join(world.files, 'nothing.box'), sentences: [expect.stringMatching(/There is no file/)] }
    ])
  })

  it('is one of a thousand at most', async () => {
    const world = arrivalsWorld()
    const app = await world.open({ start: false })
    const paths = Array.from({ length: 1001 }, (_, i) => world.file(`base-${i}.box`, Buffer.alloc(0)))
    const { arrivals, refused } = await app.arrivals.addPaths(paths)
    expect(arrivals).toHaveLength(1000)
    expect(refused).toEqual([
      { origin: paths[1000], sentences: [expect.stringMatching(/publish or cancel some/)] }
    ])
    refusal('conflict', () => app.arrivals.addUrl('https://example.org/x.box'))
    await app.arrivals.cancel(arrivals[0]?.id ?? '')
    app.arrivals.addUrl('https://example.org/x.box')
  })
})

describe('twenty files, some of them broken', () => {
  it('are each read in their turn, and the broken ones say what is wrong with them', async () => {
    const world = arrivalsWorld()
    const app = await world.open({ start: false })
    const good = Array.from({ length: 14 }, (_, i) => world.file(`good-${i}.box`, boxNamed(`p${i}`)))
    const garbage = [1, 2].map((i) => world.file(`garbage-${i}.box`, Buffer.from('no archive')))
    const vanishing = [1, 2, 3, 4].map((i) => world.file(`vanishing-${i}.box`))
    const { arrivals } = await app.arrivals.addPaths([...vanishing, ...good, ...garbage])
    expect(arrivals).toHaveLength(20)
    for (const path of vanishing) unlinkSync(path)
    const ids = arrivals.map(({ id }) => id)
    await app.arrivals.publish(ids)
    await app.arrivals.start()
    const ended = await Promise.all(
      ids.map((id) =>
        untilArrival(
          app,
          id,
          ({ state, problem }) => state === 'published' || state === 'failed' || problem !== null
        )
      )
    )
    const inState = (state: string) => ended.filter((arrival) => arrival.state === state)
    expect(inState('published').map(({ fileName }) => fileName)).toEqual(
      good.map((path) => path.split('/').at(-1))
    )
    for (const { problem, canRetry } of inState('failed')) {
      expect(problem).toEqual([expect.stringMatching(/There is no file/)])
      expect(canRetry).toBe(true)
    }
    expect(inState('failed')).toHaveLength(4)
    for (const { note, problem, confirmed } of inState('ready')) {
      expect(note).toMatch(/neither a tar archive/)
      expect(problem).toEqual([expect.stringMatching(/does not say which provider/)])
      expect(confirmed).toBe(false)
    }
    expect(inState('ready')).toHaveLength(2)
    await app.sidecars.drain() // they pass through the same folder
    expect(world.staged()).toHaveLength(2)

    const [id = ''] = inState('failed').map((arrival) => arrival.id)
    world.file('vanishing-1.box')
    expect(app.arrivals.retry(id)).toMatchObject({
      state: expect.stringMatching(/waiting|reading/),
      problem: null
    })
    await untilState(app, id, 'ready')
    refusal('conflict', () => app.arrivals.retry(id))
  })
})

describe('cancelling', () => {
  it('half-way leaves nothing in the staging area, and the next one is read', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { id } = await addPath(app, large(join(world.files, 'large.box')))
    await untilArrival(app, id, ({ bytesRead }) => bytesRead > 0)
    const next = await addPath(app, world.file('next.box'))
    expect(world.staged()).toHaveLength(1)
    const cancelled = await app.arrivals.cancel(id)
    expect(cancelled).toMatchObject({
      state: 'cancelled',
      problem: null,
      canRetry: true,
      bytesPerSecond: null
    })
    await untilState(app, next.id, 'ready')
    expect(world.staged()).toHaveLength(1)
    await app.arrivals.cancel(next.id)
    expect(world.staged()).toEqual([])
  })

  it('what waits keeps it from being read, and it can be started again', async () => {
    const world = arrivalsWorld()
    const app = await world.open({ start: false })
    const { id } = await addPath(app, world.file('base.box'))
    await app.arrivals.cancel(id)
    await app.arrivals.start()
    expect(app.arrivals.find(id)?.state).toBe('cancelled')
    refusal('conflict', () => app.arrivals.change(id, { name: 'x' }))
    await laterRefusal('conflict', app.arrivals.publish([id]))
    app.arrivals.retry(id)
    await untilState(app, id, 'ready')
  })

  it('is not possible once it is published, and no longer known once it is dismissed', async () => {
    const world = arrivalsWorld()
    const app = await world.open()
    const { id } = await addPath(app, world.file('base.box'))
    app.arrivals.dismiss([id])
    await untilState(app, id, 'ready')
    await app.arrivals.publish([id])
    await laterRefusal('conflict', app.arrivals.cancel(id))
    app.arrivals.dismiss([id, 'unknown'])
    expect(app.arrivals.list()).toEqual([])
    await laterRefusal('missing', app.arrivals.cancel(id))
    refusal('missing', () => app.arrivals.plan(id))
  })
})

describe('the order', () => {
  it('is the one of dropping until the person changes it', async () => {
    const world = arrivalsWorld()
    const app = await world.open({ start: false })
    const paths = ['a', 'b', 'c', 'd'].map((name) => world.file(`${name}.box`))
    const { arrivals } = await app.arrivals.addPaths(paths)
    const [a = '', , c = '', d = ''] = arrivals.map(({ id }) => id)
    app.personSettings.change({ parallelReads: 1 })
    app.arrivals.move(d, 'up')
    app.arrivals.move(d, 'up')
    app.arrivals.move(a, 'up')
    app.arrivals.move(c, 'down')
    const read: string[] = []
    app.events.on('arrival-changed', ({ id }) => {
      const arrival = app.arrivals.find(id)
      if (arrival?.state === 'reading' && read.at(-1) !== arrival.fileName) read.push(arrival.fileName)
    })
    await app.arrivals.start()
    await Promise.all(arrivals.map(({ id }) => untilState(app, id, 'ready')))
    expect(read).toEqual(['a.box', 'd.box', 'b.box', 'c.box'])
  })
})

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
