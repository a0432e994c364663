import { describe, expect, it, onTestFinished } from 'vitest'
import type { App } from '../../src-main/app.ts'
import type { RemoteTransfer } from '../../src-main/contract/transfers.ts'
import { operator } from '../../src-main/domain/model.ts'
import { arrivalTable } from '../../src-main/store/arrivals.ts'
import { carryOut } from '../../src-main/remotes/transfers/carry-out.ts'
import { tokenVariable } from '../../src-main/remotes/tokens.ts'
import { box } from '../support/archives.ts'
import { addPath, arrivalsWorld, untilState } from '../support/arrivals.ts'
import { laterRefusal, refusal } from '../support/catalog.ts'
import { hostileRemote, type HostileRemote } from '../support/hostile-remote.ts'
import { sampleRegistry, type SampleRegistry } from '../support/registry.ts'

const { open } = sampleRegistry()

/** A Boxyard of one's own, and some others that are its remotes; nothing is carried out until `start`. */
async function worldWith(...names: readonly string[]) {
  const world = arrivalsWorld()
  const app = await world.open()
  const remotes: { id: number; registry: SampleRegistry; way: HostileRemote }[] = []
  for (const name of names) {
    const registry = await open()
    onTestFinished(registry.close)
    const way = await hostileRemote(registry.url)
    process.env[tokenVariable(name)] = registry.tokens.owner
    onTestFinished(() => void delete process.env[tokenVariable(name)])
    const { id } = await app.remotes.add({ name, location: way.url })
    remotes.push({ id, registry, way })
  }
  const start = (): void => {
    const end = carryOut(app)
    onTestFinished(end)
  }
  return { ...world, app, remotes, start }
}

const ofApp = ({ boxes }: App, name: string) => {
  const { versions, ...rest } = boxes.read(operator, 'acme', name)
  return {
    private: rest.private,
    versions: versions.map(({ number, status, images }) => ({
      ...{ number, status },
      blobs: images.map(({ provider, architecture, blob }) => `${provider} ${architecture} ${blob}`)
    }))
  }
}

async function untilAll(app: App, isMet: (transfer: RemoteTransfer) => boolean): Promise<RemoteTransfer[]> {
  await expect.poll(() => app.remoteTransfers.list().every(isMet), { timeout: 20_000 }).toBe(true)
  return app.remoteTransfers.list()
}

const isDone = ({ state }: RemoteTransfer): boolean => state === 'done'

describe('an arrival that goes to remotes as well', () => {
  it('is queued for each when it is published here, and arrives at all of them', async () => {
    const { app, remotes, start, file } = await worldWith('One', 'Two')
    const added = await addPath(app, file('fresh-1.0.0.box'), {
      release: true,
      remotes: remotes.map(({ id }) => id)
    })
    await untilState(app, added.id, 'ready')
    expect(app.remoteTransfers.list()).toEqual([])
    await app.arrivals.publish([added.id])
    expect(app.remoteTransfers.list()).toMatchObject([
      { remoteName: 'Two', state: 'queued', what: '1.0.0 for virtualbox on amd64' },
      { remoteName: 'One', state: 'queued', what: '1.0.0 for virtualbox on amd64' }
    ])
    start()
    await untilAll(app, isDone)
    for (const { registry } of remotes) expect(ofApp(registry.app, 'fresh')).toEqual(ofApp(app, 'fresh'))
  })

  it('is not released there when it is not here', async () => {
    const { app, remotes, start, file } = await worldWith('One')
    const [one] = remotes
    const added = await addPath(app, file('quiet-1.0.0.box'), { release: false, remotes: [one!.id] })
    await untilState(app, added.id, 'ready')
    await app.arrivals.publish([added.id])
    start()
    await untilAll(app, isDone)
    expect(ofApp(one!.registry.app, 'quiet').versions).toMatchObject([{ status: 'unreleased' }])
  })

  it('is not published at all for a remote that is gone, and says why', async () => {
    const { app, remotes, file } = await worldWith('One')
    const added = await addPath(app, file('lost-1.0.0.box'), { remotes: [remotes[0]!.id, 99] })
    await untilState(app, added.id, 'ready')
    const [said] = await laterRefusal('invalid', app.arrivals.publish([added.id]))
    expect(said).toMatch(/remote .* not there any more/)
    expect(app.arrivals.find(added.id)?.state).toBe('ready')
    expect(app.remoteTransfers.list()).toEqual([])
    refusal('missing', () => ofApp(app, 'lost'))
  })

  it('goes nowhere when it comes from a program that knew of no remotes', async () => {
    const { app, file } = await worldWith()
    const { id } = await addPath(app, file('old-1.0.0.box'))
    await untilState(app, id, 'ready')
    app.db.prepare(`UPDATE arrivals SET draft = json_remove(draft, '$.remotes') WHERE id = ?`).run(id)
    expect(arrivalTable(app.db).get(id)?.draft.remotes).toEqual([])
    await app.arrivals.publish([id])
    expect(app.remoteTransfers.list()).toEqual([])
  })
})

describe('boxes on their way', () => {
  it('come here from a remote as they are there', async () => {
    const { app, remotes, start } = await worldWith('One')
    const [one] = remotes
    app.remoteTransfers.add([{ direction: 'pull', remoteId: one!.id, organization: 'acme', box: 'tiny' }])
    start()
    await untilAll(app, isDone)
    const there = ofApp(one!.registry.app, 'tiny')
    const here = ofApp(app, 'tiny')
    expect(here.versions.find(({ number }) => number === '1.0.0')).toEqual(
      there.versions.find(({ number }) => number === '1.0.0')
    )
  })

  it('wait for a remote that is away, and go on by themselves', async () => {
    const { app, remotes, start, file } = await worldWith('One')
    const [one] = remotes
    const added = await addPath(app, file('late-1.0.0.box', box({ provider: 'libvirt' })), {
      remotes: [one!.id]
    })
    await untilState(app, added.id, 'ready')
    await app.arrivals.publish([added.id])
    one!.way.when({ path: /^\/api/ }, ({ cut }) => cut(), { times: 2 })
    start()
    const waiting = () => app.remoteTransfers.list().find(({ state }) => state === 'waiting')
    await expect.poll(waiting, { timeout: 10_000 }).toMatchObject({ waitingFor: 'network' })
    await untilAll(app, isDone)
    expect(ofApp(one!.registry.app, 'late').versions).toHaveLength(1)
  })

  it('that meet other bytes under the same name are not sent, and go on when it is decided', async () => {
    const { app, remotes, start, file } = await worldWith('One')
    const [one] = remotes
    const bytes = box({ provider: 'virtualbox', architecture: 'amd64' })
    const draft = { name: 'tiny', version: '1.0.0', architecture: 'amd64', release: true }
    const added = await addPath(app, file('tiny-1.0.0.box', bytes), { ...draft, remotes: [one!.id] })
    await untilState(app, added.id, 'ready')
    await app.arrivals.publish([added.id])
    const before = ofApp(one!.registry.app, 'tiny')
    start()
    const failed = () => app.remoteTransfers.list().find(({ state }) => state === 'failed')
    await expect.poll(() => failed()?.conflicts.length, { timeout: 10_000 }).toBe(1)
    expect(ofApp(one!.registry.app, 'tiny')).toEqual(before)
    const { id, conflicts } = failed()!
    app.remoteTransfers.decide(id, { [conflicts[0]!.key]: 'theirs' })
    await untilAll(app, isDone)
    expect(ofApp(one!.registry.app, 'tiny')).toEqual(before)
    const blobOf = (from: App) =>
      ofApp(from, 'tiny')
        .versions.find(({ number }) => number === '1.0.0')
        ?.blobs.find((blob) => blob.startsWith('virtualbox amd64'))
    expect(blobOf(app)).toEqual(blobOf(one!.registry.app))
  })
})
