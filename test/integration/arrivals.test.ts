import { mkdirSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  versionsOf,
  boxNamed,
  large,
  addPath,
  arrivalsWorld,
  untilArrival,
  untilState
} from '../support/arrivals.ts'
import { laterRefusal, refusal } from '../support/catalog.ts'
import { sha256 } from '../support/sha256.ts'

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
