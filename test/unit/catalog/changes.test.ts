import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { operator } from '../../../src-main/domain/model.ts'
import { seconds } from '../../support/access.ts'
import { catalogWorld, type CatalogWorld } from '../../support/catalog.ts'

function heard({ events }: CatalogWorld): string[] {
  const lines: string[] = []
  events.on('box-changed', ({ organization, box }) => lines.push(`changed ${organization}/${box}`))
  events.on('box-removed', ({ organization, box }) => lines.push(`removed ${organization}/${box}`))
  return lines
}

const url = 'https://example.org/tiny.box'
const arm = { architecture: 'arm64' }
const place100 = {
  ...{ organization: 'acme', name: 'tiny', version: '1.0.0', architecture: 'amd64' },
  ...{ private: false, isDefault: true, release: true }
}

async function place(world: CatalogWorld, version: string, provider: string): Promise<void> {
  const staged = await world.blobs.receive(Readable.from([Buffer.from('placed')]))
  await world.placing.bytes(staged, { ...place100, version, provider })
}

/** Deleted and restored, with what is written meanwhile. */
async function restored(world: CatalogWorld, { trashId }: { readonly trashId: number }): Promise<void> {
  await world.sidecars.drain()
  world.clock.pass(seconds(1))
  world.trash.restore(operator, trashId)
}

describe('every change of the catalogue', () => {
  const ref = { organization: 'acme', box: 'tiny', version: '1.0.0' }
  const changes: [string, (world: CatalogWorld) => unknown][] = [
    ['of a box', ({ boxes }) => boxes.update(operator, 'acme', 'tiny', { description: 'new' })],
    [
      'of a version',
      ({ versions }) => versions.update(operator, 'acme', 'tiny', '1.0.0', { description: 'new' })
    ],
    ['adding a version', ({ addVersion }) => addVersion('2.0.0')],
    ['revoking a version', ({ versions }) => versions.revoke(operator, 'acme', 'tiny', '1.0.0')],
    ['deleting a version', ({ versions }) => versions.remove(operator, 'acme', 'tiny', '1.0.0')],
    ['adding an image', ({ images }) => images.create(operator, ref, { provider: 'libvirt' })],
    ['of an image', ({ images, refTo }) => images.update(operator, refTo(), { checksumType: 'md5' })],
    ['deleting an image', ({ images, refTo }) => images.remove(operator, refTo())],
    ['of the bytes of an image', ({ upload }) => upload('new')]
  ]

  it.each(changes)('%s is told, dated, and seen by caches of the listing', async (_, change) => {
    const world = await catalogWorld()
    world.addBox()
    await world.addReleased()
    const before = { ...world.organization(), box: world.box() }
    const lines = heard(world)
    world.clock.pass(seconds(1))
    await change(world)
    expect(lines).toEqual(['changed acme/tiny'])
    expect(world.organization().revision).toBeGreaterThan(before.revision)
    expect(world.box().updatedAt).toBe(before.box.updatedAt + 1000)
    expect(world.box().createdAt).toBe(before.box.createdAt)
  })

  it.each<[string, (world: CatalogWorld) => unknown]>([
    ...changes,
    ['renaming a box', ({ boxes }) => boxes.update(operator, 'acme', 'tiny', { name: 'small' })],
    ['hiding many boxes', ({ boxes, box }) => boxes.setPrivateOfMany(operator, [box().id], true)],
    ['deleting a box', ({ boxes }) => boxes.remove(operator, 'acme', 'tiny')],
    ['restoring a box', (world) => restored(world, world.boxes.remove(operator, 'acme', 'tiny'))],
    [
      'restoring a version',
      (world) => restored(world, world.versions.remove(operator, 'acme', 'tiny', '1.0.0'))
    ],
    ['restoring an image', (world) => restored(world, world.images.remove(operator, world.refTo()))],
    ['adding an image without bytes', ({ addImage }) => addImage({ provider: 'hyperv' })],
    [
      'adding an image with a url',
      ({ addImage }) => addImage({ architecture: 'i386' }, { url, isDefault: true })
    ],
    [
      'of the provider of an image',
      ({ images, refTo }) => images.update(operator, refTo(), { provider: 'hyperv' })
    ],
    ['of the default', ({ images, refTo }) => images.update(operator, refTo(arm), { isDefault: true })],
    ['of an image to a url', ({ images, refTo }) => images.update(operator, refTo(), { url })],
    ['of the bytes by a direct upload', ({ upload }) => upload('new', {}, 'direct')],
    ['of the bytes to those of another image', ({ upload }) => upload('bytes for arm')],
    ['placing a file', (world) => place(world, '1.0.0', 'hyperv')],
    ['placing a file in the place of another', (world) => place(world, '1.0.0', 'virtualbox')],
    ['placing a file in a version of its own', (world) => place(world, '2.0.0', 'virtualbox')],
    ['placing a url', ({ placing }) => placing.url(url, { ...place100, provider: 'virtualbox' })],
    ['of what the organization says of itself', ({ profiles }) => profiles.set('acme', 'We make boxes.')]
  ])('%s keeps the sidecars in step', async (_, change) => {
    const world = await catalogWorld()
    world.addBox()
    await world.addReleased()
    for (const [over, bytes] of [
      [arm, 'bytes for arm'],
      [{ provider: 'libvirt' }, 'bytes for libvirt']
    ] as const) {
      world.addImage(over)
      await world.upload(bytes, over)
    }
    await world.sidecars.drain()
    world.clock.pass(seconds(1))
    await change(world)
    await world.sidecars.drain()
    expect(world.staleSidecars()).toEqual([])
    for await (const { sha256 } of world.blobs.list())
      expect(await world.blobs.readSidecar(sha256)).toEqual(world.sidecars.describe(sha256))
  })

  it('is told of removed and renamed boxes by the name they had', async () => {
    const world = await catalogWorld()
    world.addBox()
    const lines = heard(world)
    world.boxes.update(operator, 'acme', 'tiny', { name: 'small' })
    world.boxes.remove(operator, 'acme', 'small')
    expect(lines).toEqual(['removed acme/tiny', 'changed acme/small', 'removed acme/small'])
  })

  it('happens at one time, however much belongs to it', async () => {
    const world = await catalogWorld()
    world.changes.make(() => {
      world.addBox()
      world.clock.pass(seconds(1))
      world.addVersion()
    })
    const [version] = world.box().versions
    expect(
      new Set([world.box().createdAt, world.box().updatedAt, version?.createdAt, version?.updatedAt]).size
    ).toBe(1)
  })

  it('tells nothing of what was refused, and keeps nothing of it', async () => {
    const world = await catalogWorld()
    world.addBox()
    const lines = heard(world)
    const before = world.db.serialize()
    expect(() =>
      world.changes.make(() => {
        world.addVersion('2.0.0')
        world.addVersion('bad')
      })
    ).toThrow()
    expect(lines).toEqual([])
    expect(world.db.serialize().equals(before)).toBe(true)
    world.addVersion('2.0.0')
    expect(lines).toEqual(['changed acme/tiny'])
  })

  it('has happened, whatever a listener does', async () => {
    const world = await catalogWorld()
    world.events.on('box-changed', () => {
      throw new Error('a careless listener')
    })
    const lines = heard(world)
    expect(world.addBox().name).toBe('tiny')
    expect(lines).toEqual(['changed acme/tiny'])
    expect(world.lines.join()).toContain('a careless listener')
  })

  it('is not told to who no longer listens', async () => {
    const world = await catalogWorld()
    let count = 0
    const stop = world.events.on('box-changed', () => (count += 1))
    world.addBox('a')
    stop()
    world.addBox('b')
    expect(count).toBe(1)
  })

  it('keeps search in step', async () => {
    const world = await catalogWorld()
    const listed = () => world.db.prepare('SELECT tag_key, released FROM listings').raw().all()
    world.addBox()
    world.addVersion()
    world.addImage()
    await world.upload('bytes')
    expect(listed()).toEqual([['acme/tiny', 0]])
    world.versions.release(operator, 'acme', 'tiny', '1.0.0')
    expect(listed()).toEqual([['acme/tiny', 1]])
    world.boxes.update(operator, 'acme', 'tiny', { name: 'Small' })
    expect(listed()).toEqual([['acme/small', 1]])
    world.versions.revoke(operator, 'acme', 'small', '1.0.0')
    expect(listed()).toEqual([['acme/small', 0]])
    world.boxes.remove(operator, 'acme', 'small')
    expect(listed()).toEqual([])
  })
})
