import { describe, expect, it, onTestFinished } from 'vitest'
import type { MirrorRule } from '../../../../src-main/contract/mirrors.ts'
import type { SyncRequest } from '../../../../src-main/contract/sync.ts'
import { Problem } from '../../../../src-main/domain/problem.ts'
import { RemoteFailure } from '../../../../src-main/remotes/failure.ts'
import { Mirrors } from '../../../../src-main/remotes/mirrors/mirrors.ts'
import { hours, minutes } from '../../../support/access.ts'
import { boxOf, imageOf, versionOf } from '../../../support/memory-end.ts'
import { watchWorld } from '../../../support/watch.ts'

/** Rules over a remote in memory; what they queue is noted instead of carried out. */
async function mirrorWorld() {
  const world = await watchWorld()
  const { db, connections, local, events, log, clock, remote } = world
  const queued: (SyncRequest & { byMirror: boolean })[] = []
  const mirrors = new Mirrors({
    ...{ db, connections, local, events, log, now: clock.now },
    transfers: {
      add: (requests, { byMirror = false } = {}) => {
        queued.push(...requests.map((request) => ({ ...request, byMirror })))
        return []
      },
      dismiss: (ids) =>
        void db.prepare(`DELETE FROM transfers WHERE id IN (${ids.map(() => '?').join()})`).run(ids)
    }
  })
  onTestFinished(() => mirrors.close())
  const rule = (over: Partial<MirrorRule> = {}): MirrorRule => ({
    remoteId: remote.id,
    boxes: 'acme/*',
    newest: null,
    prereleases: true,
    providers: [],
    architectures: [],
    largestBytes: null,
    removeGone: false,
    everyMinutes: 60,
    enabled: true,
    ...over
  })
  return {
    ...world,
    ...{ mirrors, queued, rule },
    takeQueued: () => queued.splice(0).map(({ organization, box }) => `${organization}/${box}`),
    /** A mirror here of a box there, as a pull leaves it: its images are known. */
    async mirrored(name: string, content: 'known' | 'bytes' = 'bytes'): Promise<void> {
      world.there.has(`acme/${name}`, boxOf())
      const tag = { organization: 'acme', name }
      const end = local.asMirrorOf(remote.id)
      const signal = new AbortController().signal
      const image = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }
      const texts = { shortDescription: '', description: '', private: false }
      await end.carryOut(tag, { kind: 'create-box', texts }, signal)
      await end.carryOut(tag, { kind: 'create-version', version: '1.0.0', description: '' }, signal)
      await end.carryOut(
        tag,
        {
          kind: 'create-image',
          ...image,
          isDefault: true,
          url: null,
          checksums: { sha256: 'a'.repeat(64) },
          known: { size: 100 }
        },
        signal
      )
      await end.carryOut(tag, { kind: 'release', version: '1.0.0' }, signal)
      if (content === 'bytes') db.prepare('DELETE FROM known_images').run()
      const stamp = world.there.boxes.get(`acme/${name}`)!.stamp
      db.prepare(
        `INSERT INTO remote_boxes (remote_id, tag_key, organization, name, remote_stamp, standing, checked_at)
         VALUES (?, ?, 'acme', ?, ?, 'in-step', 0)`
      ).run(remote.id, `acme/${name}`, name, stamp)
    }
  }
}

describe('running a rule', () => {
  it('queues the boxes it names, with what it says of their images', async () => {
    const { mirrors, there, queued, rule, remote } = await mirrorWorld()
    for (const tag of ['acme/base-1', 'acme/other', 'lab/base-2']) there.has(tag, boxOf())
    const { id } = mirrors.save(rule({ boxes: '*/base-*', newest: 2, providers: ['libvirt'] }))
    const ran = await mirrors.run(id)
    expect(ran).toMatchObject({ lastFailed: false, lastNote: '2 boxes: 2 queued.', running: false })
    const filter = {
      newest: 2,
      prereleases: true,
      providers: ['libvirt'],
      architectures: [],
      largestBytes: null
    }
    const same = { direction: 'pull', remoteId: remote.id, filter, byMirror: true }
    expect(queued).toEqual([
      { ...same, organization: 'acme', box: 'base-1' },
      { ...same, organization: 'lab', box: 'base-2' }
    ])
    expect(there.takeAsked()).toEqual(['list *'])
  })

  it('leaves alone what is as the remote has it, and brings what changed there', async () => {
    const { mirrors, there, takeQueued, rule, mirrored } = await mirrorWorld()
    await mirrored('same')
    await mirrored('changed')
    there.has('acme/changed', boxOf({ description: 'new' }))
    const { id } = mirrors.save(rule())
    await mirrors.run(id)
    expect(takeQueued()).toEqual(['acme/changed'])
    expect(there.takeAsked()).toEqual(['list acme'])
  })

  it('brings files that are only known once a rule wants them', async () => {
    const { mirrors, takeQueued, rule, mirrored } = await mirrorWorld()
    await mirrored('a', 'known')
    const { id } = mirrors.save(rule({ newest: 0 }))
    await mirrors.run(id)
    expect(takeQueued()).toEqual([])
    mirrors.save(rule({ newest: 1 }), id)
    await mirrors.run(id)
    expect(takeQueued()).toEqual(['acme/a'])
  })

  it('never touches a box of your own', async () => {
    const { mirrors, there, takeQueued, rule, addBox } = await mirrorWorld()
    addBox('mine')
    there.has('acme/mine', boxOf())
    const { id } = mirrors.save(rule({ removeGone: true }))
    expect(await mirrors.run(id)).toMatchObject({ lastNote: expect.stringContaining('1 box of your own') })
    expect(takeQueued()).toEqual([])
  })

  it('puts a new attempt in the place of one that failed', async () => {
    const { mirrors, there, takeQueued, rule, db, remote } = await mirrorWorld()
    there.has('acme/a', boxOf())
    const put = db.prepare(
      `INSERT INTO transfers (id, remote_id, remote_name, direction, organization, name, tag_key, request, state, position,
         by_mirror, created_at) VALUES (?, ?, 'Lab', 'pull', 'acme', 'a', 'acme/a', '{}', 'failed', 1, ?, 0)`
    )
    put.run('by-rule', remote.id, 1)
    put.run('by-hand', remote.id, 0)
    const { id } = mirrors.save(rule())
    await mirrors.run(id)
    expect(takeQueued()).toEqual(['acme/a'])
    expect(db.prepare('SELECT id FROM transfers').pluck().all()).toEqual(['by-hand'])
  })

  it('says why it could not be run, and queues nothing', async () => {
    const { mirrors, there, takeQueued, rule } = await mirrorWorld()
    for (const name of ['a', 'b', 'c']) there.has(`acme/${name}`, boxOf())
    const { id } = mirrors.save(rule())
    there.failure = new RemoteFailure('offline', ['Lab does not answer.'])
    expect(await mirrors.run(id)).toMatchObject({ lastFailed: true, lastNote: 'Lab does not answer.' })
    expect(takeQueued()).toEqual([])
  })
})

describe('a rule that removes what is gone', () => {
  const removing = async (...names: string[]) => {
    const world = await mirrorWorld()
    for (const name of names) await world.mirrored(name)
    const { id } = world.mirrors.save(world.rule({ removeGone: true }))
    return { ...world, id }
  }

  it('queues the removal of a box that is not listed and does not answer to its name', async () => {
    const { id, mirrors, there, queued } = await removing('a', 'b', 'c')
    there.remove('acme/b')
    expect(await mirrors.run(id)).toMatchObject({
      lastNote: expect.stringContaining('1 box deleted there will go to the trash here')
    })
    expect(queued).toMatchObject([{ box: 'b', withRemovals: true, gone: true, byMirror: true }])
  })

  it('says of no box that is listed that it is gone', async () => {
    const { id, mirrors, there, queued } = await removing('a', 'b')
    there.has('acme/b', boxOf({ description: 'new' }))
    await mirrors.run(id)
    expect(queued).toMatchObject([{ box: 'b', withRemovals: true }])
    expect(queued[0]).not.toHaveProperty('gone')
  })

  it('keeps a box the listing left out', async () => {
    const { id, mirrors, there, queued } = await removing('a', 'b', 'c')
    there.lists = ({ name }) => name !== 'b'
    await mirrors.run(id)
    expect(queued).toEqual([])
  })

  it.each([
    ['the listing is empty', ['a'], ['a']],
    ['more than half would go', ['a', 'b', 'c'], ['a', 'b']]
  ])('removes nothing when %s', async (_what, names, gone) => {
    const { id, mirrors, there, queued } = await removing(...names)
    for (const name of gone) there.remove(`acme/${name}`)
    expect(await mirrors.run(id)).toMatchObject({ lastNote: expect.stringContaining('too many at once') })
    expect(queued).toEqual([])
  })

  it('removes nothing when the listing breaks off', async () => {
    const { id, mirrors, there, queued } = await removing('a', 'b', 'c')
    there.breaksAfter = 1
    expect(await mirrors.run(id)).toMatchObject({ lastFailed: true })
    expect(queued).toEqual([])
  })
})

describe('a preview', () => {
  it('says what would come and what would not, and writes nothing', async () => {
    const { mirrors, there, rule, db, queued, mirrored } = await mirrorWorld()
    await mirrored('same')
    there.has(
      'acme/new',
      boxOf({ versions: [versionOf('1.0.0'), versionOf('2.0.0', { images: [imageOf({ size: 70 })] })] })
    )
    const before = db.prepare<[], number>('SELECT total_changes()').pluck().get()
    expect(await mirrors.preview(rule({ newest: 1 }))).toEqual({
      boxes: 2,
      images: 1,
      bytes: 70,
      notFetched: 1,
      items: [
        { tag: 'acme/new', sentence: 'New here: 1 file to fetch, 1 file known and not fetched.', bytes: 70 }
      ],
      notes: [],
      partial: false
    })
    expect(queued).toEqual([])
    expect(mirrors.list()).toEqual([])
    expect(db.prepare<[], number>('SELECT total_changes()').pluck().get()).toBe(before)
  })

  it('tells what there was no time for', async () => {
    const { mirrors, there, rule, clock } = await mirrorWorld()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) there.has(`acme/${name}`, boxOf())
    const read = there.read.bind(there)
    there.read = (tag) => (clock.pass(10_000), read(tag))
    expect(await mirrors.preview(rule())).toMatchObject({ boxes: 6, partial: true })
  })

  it('is refused in sentences when the remote does not answer or the pattern is none', async () => {
    const { mirrors, there, rule } = await mirrorWorld()
    there.failure = new RemoteFailure('offline', ['Lab does not answer.'])
    await expect(mirrors.preview(rule())).rejects.toThrow(Problem)
    await expect(mirrors.preview(rule({ boxes: 'nonsense' }))).rejects.toThrow('ORGANIZATION/BOX')
  })
})

describe('the list of rules', () => {
  it('tells when each runs next', async () => {
    const { mirrors, there, rule, clock } = await mirrorWorld()
    there.has('acme/a', boxOf())
    const { id } = mirrors.save(rule())
    expect(mirrors.list()).toMatchObject([{ lastRunAt: null, nextRunAt: clock.now(), remoteName: 'Lab' }])
    const { lastRunAt, nextRunAt } = await mirrors.run(id)
    expect(lastRunAt).toBe(clock.now())
    expect(nextRunAt).toBeGreaterThanOrEqual(clock.now() + hours(1))
    expect(nextRunAt).toBeLessThanOrEqual(clock.now() + minutes(66))
    expect(mirrors.save(rule({ everyMinutes: null }), id).nextRunAt).toBeNull()
    expect(mirrors.save(rule({ enabled: false }), id).nextRunAt).toBeNull()
  })

  it('refuses rules nobody could follow', async () => {
    const { mirrors, rule } = await mirrorWorld()
    expect(() => mirrors.save(rule({ boxes: 'a b/*' }))).toThrow(Problem)
    expect(() => mirrors.save(rule({ remoteId: 99 }))).toThrow('no such remote')
    expect(() => mirrors.save(rule(), 99)).toThrow('no such mirror rule')
    expect(() => mirrors.remove(99)).toThrow('no such mirror rule')
  })
})
