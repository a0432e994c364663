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

  it.each(changes)('%s keeps the sidecars in step', async (_, change) => {
    const world = await catalogWorld()
    world.addBox()
    await world.addReleased()
    await world.sidecars.drain()
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
