import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { operator } from '../../../src-main/domain/model.ts'
import { catalogWorld, laterRefusal, refusal, type CatalogWorld } from '../../support/catalog.ts'

async function worldWithBox(): Promise<CatalogWorld> {
  const world = await catalogWorld()
  world.addBox()
  await world.addReleased('1.0.0')
  world.addImage({ architecture: 'arm64' }, { url: 'https://example.com/tiny.box' })
  world.addVersion('2.0.0')
  world.versions.update(operator, 'acme', 'tiny', '2.0.0', { description: '*new*' })
  world.downloads.count(world.box().id)
  return world
}

/** Everything a person can see of the box but when and how often it changed. */
const seen = (world: CatalogWorld) => ({ ...world.box(), updatedAt: 0, revision: 0 })
const byDay = (world: CatalogWorld) => world.db.prepare('SELECT day, count FROM downloads_by_day').all()

describe('the trash', () => {
  it('gives back a box as it was, with its versions, images, bytes, times and downloads', async () => {
    const world = await worldWithBox()
    const before = seen(world)
    const { updatedAt } = world.box()
    const days = byDay(world)
    world.clock.time += 1000
    const { trashId, what } = world.boxes.remove(operator, 'acme', 'tiny')
    expect(what).toBe('acme/tiny')
    expect(world.trash.list()).toEqual([
      { id: trashId, what, deletedAt: expect.any(Number), bytes: before.versions[1]?.images[0]?.size }
    ])
    expect(world.trash.restore(operator, trashId)).toBe('acme/tiny')
    expect(seen(world)).toEqual(before)
    expect(world.box().updatedAt).toBe(updatedAt)
    expect(byDay(world)).toEqual(days)
    expect(world.trash.list()).toEqual([])
    await world.sidecars.drain()
    expect(world.staleSidecars()).toEqual([])
  })

  it('gives back a version', async () => {
    const world = await worldWithBox()
    const before = seen(world)
    const { trashId, what } = world.versions.remove(operator, 'acme', 'tiny', '1.0.0')
    expect(what).toBe('acme/tiny 1.0.0')
    expect(world.box().currentVersion).toBeNull()
    world.trash.restore(operator, trashId)
    expect(seen(world)).toEqual(before)
  })

  it('gives back an image, and makes it the default again if it was', async () => {
    const world = await worldWithBox()
    const before = seen(world)
    const { trashId, what } = world.images.remove(operator, world.refTo())
    expect(what).toBe('acme/tiny 1.0.0 for virtualbox on amd64')
    expect(world.image({ architecture: 'arm64' }).isDefault).toBe(true)
    world.trash.restore(operator, trashId)
    expect(world.image()).toMatchObject({ isDefault: true, size: before.versions[1]?.images[0]?.size })
    expect(world.image({ architecture: 'arm64' }).isDefault).toBe(false)
  })

  it('gives back what was deleted piece by piece, the other way round', async () => {
    const world = await worldWithBox()
    const before = seen(world)
    const entries = [
      world.images.remove(operator, world.refTo()),
      world.versions.remove(operator, 'acme', 'tiny', '1.0.0'),
      world.boxes.remove(operator, 'acme', 'tiny')
    ]
    for (const { trashId } of entries.toReversed()) world.trash.restore(operator, trashId)
    expect({ ...seen(world), versions: [] }).toEqual({
      ...before,
      currentVersion: expect.anything(),
      versions: []
    })
    expect(world.image()).toMatchObject({ isDefault: true })
  })

  it('tells a box from a later one that got its number', async () => {
    const world = await worldWithBox()
    const { trashId } = world.versions.remove(operator, 'acme', 'tiny', '1.0.0')
    world.boxes.remove(operator, 'acme', 'tiny')
    world.clock.time += 1
    world.addBox('other')
    expect(refusal('missing', () => world.trash.restore(operator, trashId))[0]).toContain(
      'restore that one first'
    )
    expect(world.box('other').versions).toEqual([])
  })

  it.each([
    [
      'a box whose name is taken',
      (world: CatalogWorld) => world.boxes.remove(operator, 'acme', 'tiny'),
      (world: CatalogWorld) => world.addBox('TINY')
    ],
    [
      'a version whose number is taken',
      (world: CatalogWorld) => world.versions.remove(operator, 'acme', 'tiny', '1.0.0'),
      (world: CatalogWorld) => world.addVersion('1.0')
    ],
    [
      'an image whose place is taken',
      (world: CatalogWorld) => world.images.remove(operator, world.refTo()),
      (world: CatalogWorld) => world.addImage()
    ]
  ])('does not give back %s, and keeps it', async (_, remove, take) => {
    const world = await worldWithBox()
    const { trashId } = remove(world)
    take(world)
    const before = world.db.prepare('SELECT count(*) FROM images').pluck().get()
    expect(refusal('conflict', () => world.trash.restore(operator, trashId))[0]).toContain('again')
    expect(world.db.prepare('SELECT count(*) FROM images').pluck().get()).toBe(before)
    expect(world.trash.list()).toHaveLength(1)
  })

  it('is for those who may delete', async () => {
    const world = await worldWithBox()
    const { trashId } = world.boxes.remove(operator, 'acme', 'tiny')
    refusal('forbidden', () => world.trash.restore(world.callers.contributor, trashId))
    world.trash.restore(world.callers.admin, trashId)
  })

  it('says so when there is nothing to give back', async () => {
    const world = await worldWithBox()
    expect(refusal('missing', () => world.trash.restore(operator, 7))[0]).toContain(
      'not in the trash any more'
    )
  })
})

describe('many boxes', () => {
  it('are deleted under one entry, and given back with it', async () => {
    const world = await worldWithBox()
    const names = Array.from({ length: 45 }, (_, i) => `box-${i}`)
    const ids = names.map((name) => world.addBox(name).id)
    const { trashId, what } = await world.boxes.removeMany(operator, [...ids, world.box().id, 99_999])
    expect(what).toBe('46 boxes')
    expect(world.trash.list()).toHaveLength(1)
    world.trash.restore(operator, trashId)
    expect(names.map((name) => world.box(name).name)).toEqual(names)
    expect(world.box().currentVersion?.number).toBe('1.0.0')
  })

  it('that are all gone leave no entry', async () => {
    const world = await worldWithBox()
    await laterRefusal('missing', world.boxes.removeMany(operator, [99_999]))
    expect(world.trash.list()).toEqual([])
  })

  it('are made private or public, and found so by search', async () => {
    const world = await worldWithBox()
    const { id } = world.addBox('second', true)
    expect(await world.boxes.setPrivateOfMany(operator, [id, world.box().id], true)).toBe(1)
    expect([world.box().private, world.box('second').private]).toEqual([true, true])
    expect(
      world.db.prepare('SELECT private FROM listings WHERE box_id = ?').pluck().get(world.box().id)
    ).toBe(1)
  })

  it('are left alone where the caller may not change them', async () => {
    const world = await worldWithBox()
    await laterRefusal('forbidden', world.boxes.removeMany(world.callers.contributor, [world.box().id]))
    expect(world.box().name).toBe('tiny')
  })
})

describe('many boxes of one entry', () => {
  const names = Array.from({ length: 45 }, (_, at) => `box${String(at).padStart(2, '0')}`)
  async function worldWithMany() {
    const world = await catalogWorld()
    const ids = names.map((name) => world.addBox(name).id)
    const { trashId } = await world.boxes.removeMany(operator, ids)
    const there = (): unknown[] => world.db.prepare('SELECT name FROM boxes ORDER BY name').pluck().all()
    return { ...world, trashId, there }
  }

  it('come back a part at a time, so that others get their turn', async () => {
    const { trash, trashId, there } = await worldWithMany()
    const seen: number[] = []
    let done = false
    const looking = (async () => {
      for (; !done; await setImmediate()) seen.push(there().length)
    })()
    expect(await trash.restoreInParts(operator, trashId)).toBe('45 boxes')
    done = true
    await looking
    expect(seen).toEqual(expect.arrayContaining([20, 40]))
    expect(there()).toHaveLength(45)
    expect(trash.list()).toEqual([])
  })

  it('come back as far as they can, and the others when nothing is in their way any more', async () => {
    const { trash, trashId, there, boxes, addBox } = await worldWithMany()
    addBox('box30')
    await laterRefusal('conflict', trash.restoreInParts(operator, trashId))
    expect(there()).toEqual([...names.slice(0, 20), 'box30'])
    expect(trash.list()).toMatchObject([{ id: trashId, what: '25 boxes' }])
    boxes.update(operator, 'acme', 'box30', { name: 'other' })
    await trash.restoreInParts(operator, trashId)
    expect(there()).toEqual([...names, 'other'])
  })

  it('come back once, whoever else restores them at the same time', async () => {
    const { trash, trashId, there } = await worldWithMany()
    const first = trash.restoreInParts(operator, trashId)
    await laterRefusal(
      'missing',
      trash.restoreInParts(operator, trashId).then(() => first)
    )
    expect(there()).toHaveLength(45)
  })
})
