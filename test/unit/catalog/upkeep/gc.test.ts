import { utimes } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { BlobPaths } from '../../../../src-main/blobs/paths.ts'
import type { BlobDriver } from '../../../../src-main/blobs/driver.ts'
import { GarbageCollection, type GcOptions } from '../../../../src-main/catalog/upkeep/gc.ts'
import { operator } from '../../../../src-main/domain/model.ts'
import { takeServeLock } from '../../../../src-main/store/locks.ts'
import { upkeepWorld, type UpkeepWorld } from '../../../support/upkeep.ts'
import { laterRefusal } from '../../../support/catalog.ts'
import { sha256 } from '../../../support/sha256.ts'

const hour = 60 * 60_000
const now = Date.now() + 10 * hour
let world: UpkeepWorld

beforeEach(async () => {
  world = await upkeepWorld()
  world.addBox()
})

const receive = (bytes: string) => world.blobs.receive(Readable.from([Buffer.from(bytes)]))

async function store(bytes: string): Promise<string> {
  const staged = await receive(bytes)
  await world.blobs.commit(staged)
  return staged.sha256
}

/** As it would be ten hours from now. */
const collect = ({ blobs, ...options }: Partial<GcOptions> & { blobs?: BlobDriver } = {}) =>
  new GarbageCollection({ ...world, blobs: blobs ?? world.blobs, now: () => now }).run({
    graceMs: hour,
    dryRun: false,
    ...options
  })

const rows = () => world.db.prepare('SELECT sha256 FROM blobs').pluck().all()

describe('garbage collection', () => {
  it('keeps what an image or an unfinished upload is made of, and removes the rest', async () => {
    await world.addReleased('1.0.0', 'tiny', 'kept')
    world.addVersion('2.0.0')
    world.addImage({ version: '2.0.0' })
    const { id, key } = world.uploads.issue(operator, world.refTo({ version: '2.0.0' }), 'direct')
    await world.uploads.receive(id, key, Readable.from([Buffer.from('not published yet')]))
    await world.addReleased('3.0.0', 'tiny', 'unused')
    world.versions.remove(operator, 'acme', 'tiny', '3.0.0')
    await store('never in the catalogue')
    await receive('never finished')

    const found = {
      files: 2,
      leftovers: 1,
      trash: 1,
      bytes: 'unused'.length + 'never in the catalogue'.length + 'never finished'.length,
      waiting: { files: 0, bytes: 0 }
    }
    expect(await collect({ dryRun: true })).toEqual(found)
    expect(await collect({ dryRun: true })).toEqual(found)
    expect(await collect()).toEqual(found)
    expect(await collect()).toMatchObject({ files: 0, leftovers: 0, bytes: 0 })
    expect(rows().sort()).toEqual([sha256('kept'), sha256('not published yet')].sort())
    expect(await world.blobs.size(sha256('kept'))).toBe(4)
    expect(await world.blobs.readSidecar(sha256('unused'))).toBeNull()
    await world.uploads.finish(operator, world.refTo({ version: '2.0.0' }), id)
    expect((await world.upkeep.verify({})).problems).toEqual([])
  })

  it('names each thing as people know it, whether it is removed or only would be', async () => {
    await world.addReleased('1.0.0', 'tiny', 'twice deleted')
    world.clock.time = now - 80 * hour
    world.trash.restore(operator, world.versions.remove(operator, 'acme', 'tiny', '1.0.0').trashId)
    world.versions.remove(operator, 'acme', 'tiny', '1.0.0')
    await world.addReleased('2.0.0', 'tiny', 'replaced')
    await world.upload('new', { version: '2.0.0' })
    await world.sidecars.drain()
    await receive('never finished')
    const stored = new BlobPaths(world.dataDir).blob(sha256('replaced'))
    await utimes(stored, (now - 30 * hour) / 1000, (now - 30 * hour) / 1000)
    for (const dryRun of [true, false]) {
      const found: string[] = []
      await collect({ dryRun, onFound: (what, size) => found.push(`${what}: ${size}`) })
      expect(found.sort()).toEqual([
        'a file of acme/tiny 1.0.0, deleted 3 days ago: 13',
        `an unused file of 30 hours ago (sha256 ${sha256('replaced').slice(0, 12)}…): 8`,
        'what is left of an upload of 9 hours ago: 14'
      ])
    }
  })

  it('leaves alone what is younger than the grace, and says how much that is', async () => {
    await store('young')
    await receive('arriving')
    await world.addReleased('1.0.0', 'tiny', 'used')
    await world.sidecars.drain()
    expect(await collect({ graceMs: 11 * hour })).toEqual({
      files: 0,
      leftovers: 0,
      trash: 0,
      bytes: 0,
      waiting: { files: 2, bytes: 'young'.length + 'arriving'.length }
    })
    expect(await world.blobs.size(sha256('young'))).toBe(5)
  })

  it('counts the grace from the deletion, so that it can be undone until then', async () => {
    await world.addReleased('1.0.0', 'tiny', 'deleted')
    world.clock.time = Date.now()
    const { trashId } = world.versions.remove(operator, 'acme', 'tiny', '1.0.0')
    await world.sidecars.drain() // what is being written for one lies in staging
    world.db.prepare('UPDATE blobs SET created_at = 1').run()
    await utimes(new BlobPaths(world.dataDir).blob(sha256('deleted')), 1, 1)
    expect(await collect({ graceMs: 11 * hour })).toMatchObject({ files: 0, trash: 0, waiting: { files: 1 } })
    world.trash.restore(operator, trashId)
    await world.sidecars.drain()
    expect(await collect()).toMatchObject({ files: 0, trash: 0 })
    world.versions.remove(operator, 'acme', 'tiny', '1.0.0')
    await world.sidecars.drain()
    world.db.prepare('UPDATE trash SET deleted_at = 1').run()
    expect(await collect({ dryRun: true })).toMatchObject({ files: 1, trash: 1 })
    expect(await collect()).toMatchObject({ files: 1, trash: 1 })
    expect(rows()).toEqual([])
  })

  it('leaves alone what is old but has just been stored once more', async () => {
    const hash = await store('old')
    await utimes(new BlobPaths(world.dataDir).blob(hash), 1, 1)
    await store('old')
    expect(await collect({ graceMs: 11 * hour })).toMatchObject({ files: 0 })
  })

  it('does not take bytes away from an upload that stores the same ones at that very moment', async () => {
    const hash = await store('same bytes')
    world.addVersion()
    world.addImage()
    const blobs = new Proxy(world.blobs, {
      get: (target, key) => {
        if (key !== 'removeIfUnchanged') return Reflect.get(target, key).bind(target)
        return async (sha: string, modifiedAt: number) => {
          await utimes(new BlobPaths(world.dataDir).blob(hash), 1, modifiedAt / 1000 - 5)
          await world.upload('same bytes')
          return target.removeIfUnchanged(sha, modifiedAt)
        }
      }
    })
    expect(await collect({ blobs })).toMatchObject({ files: 0 })
    expect(await world.blobs.size(hash)).toBe(10)
    expect((await world.upkeep.verify({})).problems).toEqual([])
  })

  it('forgets rows whose files are gone', async () => {
    await world.addReleased('1.0.0', 'tiny', 'unused')
    world.boxes.remove(operator, 'acme', 'tiny')
    await world.blobs.remove(sha256('unused'))
    expect(await collect()).toMatchObject({ files: 0 })
    expect(rows()).toEqual([])
  })

  it('without a grace is refused while a server runs', async () => {
    const lock = takeServeLock(world.dataDir)
    const [sentence] = await laterRefusal(
      'conflict',
      world.upkeep.collectGarbage({ graceMs: 0, dryRun: false })
    )
    expect(sentence).toContain(`(process ${process.pid})`)
    await world.upkeep.collectGarbage({ graceMs: hour, dryRun: false })
    await world.upkeep.collectGarbage({ graceMs: 0, dryRun: true })
    lock.release()
    await world.upkeep.collectGarbage({ graceMs: 0, dryRun: false })
  })

  it('leaves alone what a transfer has brought so far, until it does not need it', async () => {
    const receive = async (text: string) => {
      const staged = await world.blobs.receive(Readable.from([text]))
      await utimes(new BlobPaths(world.dataDir).staged(staged.id), 1, 1)
      return staged
    }
    const hold = (ordinal: number, stagedId: string, memo: unknown): void =>
      void world.db
        .prepare(
          `INSERT INTO transfer_steps (transfer_id, ordinal, key, step, state, memo, staged_id)
           VALUES ('t', ?, ?, '{}', 'running', ?, ?)`
        )
        .run(ordinal, String(ordinal), JSON.stringify(memo), stagedId)
    world.db.exec(`
      INSERT INTO transfers (id, remote_name, direction, organization, name, tag_key, request, state, position, created_at)
      VALUES ('t', 'Lab', 'pull', 'acme', 'tiny', 'acme/tiny', '{}', 'waiting', 1, 1)`)
    const part = await receive('a part')
    hold(0, part.id, { stagedId: part.id, arrived: null })
    const whole = await receive('all of it')
    hold(1, whole.id, { stagedId: whole.id, arrived: { sha256: whole.sha256 } })
    await world.blobs.commit(whole)
    await utimes(new BlobPaths(world.dataDir).blob(whole.sha256), 1, 1)
    await world.uploads.sweep()
    expect(await collect({ graceMs: 0 })).toMatchObject({ files: 0, leftovers: 0, waiting: { files: 0 } })
    expect(await world.blobs.stagedSize(part.id)).toBe(6)
    world.db.exec('UPDATE transfer_steps SET memo = NULL, staged_id = NULL')
    expect(await collect({ graceMs: 0, dryRun: true })).toMatchObject({ files: 1, leftovers: 1 })
  })
})
