import { describe, expect, it } from 'vitest'
import { RemoteFailure } from '../../../../src-main/remotes/failure.ts'
import { hours, minutes } from '../../../support/access.ts'
import { boxOf, imageOf, versionOf } from '../../../support/memory-end.ts'
import { watchWorld } from '../../../support/watch.ts'

/** Boxes at both sides, alike, and looked at. */
async function inStep(...names: string[]) {
  const world = await watchWorld()
  for (const name of names) {
    world.addBox(name)
    await world.addReleased('1.0.0', name)
    await world.mirrorThere(`acme/${name}`)
  }
  await world.check()
  expect(Object.values(world.standings())).toEqual(names.map(() => 'in-step'))
  world.there.takeAsked()
  return world
}

describe('a look', () => {
  it('tells boxes that are at one side alone from those at both', async () => {
    const { addBox, addReleased, mirrorThere, there, check, standings } = await watchWorld()
    for (const name of ['both', 'here']) {
      addBox(name)
      await addReleased('1.0.0', name)
    }
    await mirrorThere('acme/both')
    there.has('acme/there', boxOf())
    await check()
    expect(standings()).toEqual({
      'acme/both': 'in-step',
      'acme/here': 'only-here',
      'acme/there': 'only-there'
    })
    expect(there.takeAsked()).toEqual(['list acme', 'read acme/both'])
  })

  it('asks for the listing alone when nothing changed there, and reads nothing', async () => {
    const { check, there } = await inStep('a', 'b')
    await check()
    expect(there.takeAsked()).toEqual(['list acme'])
  })

  it('reads only the box that changed there', async () => {
    const { check, there, standings, watching, remote } = await inStep('a', 'b')
    const box = there.boxes.get('acme/a')!.snapshot
    there.has('acme/a', { ...box, versions: [...box.versions, versionOf('2.0.0')] })
    await check()
    expect(there.takeAsked()).toEqual(['list acme', 'read acme/a'])
    expect(standings()).toEqual({ 'acme/a': 'behind', 'acme/b': 'in-step' })
    const { rows } = watching.boxes({ remoteId: remote.id, standing: 'behind', q: '', offset: 0, limit: 9 })
    expect(rows).toMatchObject([{ box: 'a', differences: ['Version 2.0.0 is at Lab and not here.'] }])
  })

  it('reads only the box that changed here', async () => {
    const { check, there, standings, addVersion } = await inStep('a', 'b')
    addVersion('2.0.0', 'b')
    await check()
    expect(there.takeAsked()).toEqual(['list acme', 'read acme/b'])
    expect(standings()).toEqual({ 'acme/a': 'in-step', 'acme/b': 'ahead' })
  })

  it('calls a box apart that has changed at both sides', async () => {
    const { check, there, standings, addVersion } = await inStep('a')
    addVersion('2.0.0', 'a')
    const box = there.boxes.get('acme/a')!.snapshot
    there.has('acme/a', { ...box, versions: [...box.versions, versionOf('3.0.0')] })
    await check()
    expect(standings()).toEqual({ 'acme/a': 'apart' })
  })

  it('takes what a mirror knows for as good as what is there', async () => {
    const { local, remote, there, check, standings } = await watchWorld()
    const tag = { organization: 'acme', name: 'mirror' }
    const image = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }
    const checksums = { sha256: 'a'.repeat(64) }
    const end = local.asMirrorOf(remote.id)
    const { signal } = new AbortController()
    const texts = { shortDescription: '', description: '', private: false }
    await end.carryOut(tag, { kind: 'create-box', texts }, signal)
    await end.carryOut(tag, { kind: 'create-version', version: '1.0.0', description: '' }, signal)
    const known = { isDefault: true, url: null, checksums, known: { size: 100 } }
    await end.carryOut(tag, { kind: 'create-image', ...image, ...known }, signal)
    await end.carryOut(tag, { kind: 'release', version: '1.0.0' }, signal)
    const file = imageOf({ bytes: checksums.sha256 })
    there.has('acme/mirror', boxOf({ versions: [versionOf('1.0.0', { images: [file] })] }))
    await check()
    expect(standings()).toEqual({ 'acme/mirror': 'in-step' })
    there.has(
      'acme/mirror',
      boxOf({
        versions: [
          versionOf('1.0.0', { images: [file, imageOf({ architecture: 'arm64', isDefault: false })] })
        ]
      })
    )
    await check()
    expect(standings()).toEqual({ 'acme/mirror': 'behind' })
  })

  it('knows what was deleted at either side, and forgets what is gone from both', async () => {
    const { check, there, standings, removeBox } = await inStep('a', 'b', 'c', 'd', 'e')
    removeBox('a')
    there.remove('acme/b')
    removeBox('c')
    there.remove('acme/c')
    await check()
    expect(standings()).toEqual({
      ...{ 'acme/a': 'deleted-here', 'acme/b': 'deleted-there' },
      ...{ 'acme/d': 'in-step', 'acme/e': 'in-step' }
    })
    await check()
    expect(Object.keys(standings())).toHaveLength(4)
  })

  it.each([
    ['an empty listing', 0],
    ['a listing of less than half', 1]
  ])('takes nothing for deleted because of %s, and says so', async (_what, listed) => {
    const { check, there, standings, remotes, remote } = await inStep('a', 'b', 'c')
    let count = 0
    there.lists = () => (count += 1) <= listed
    there.has('acme/other', boxOf())
    await check()
    expect(Object.values(standings())).not.toContain('deleted-there')
    const seen = await remotes.read(remote.id)
    expect(seen).toMatchObject({
      health: 'odd',
      healthNote: expect.stringContaining('Nothing is taken for deleted')
    })
    there.lists = null
    there.has('acme/another', boxOf())
    await check()
    expect(await remotes.read(remote.id)).toMatchObject({ health: 'fine', healthNote: null })
  })

  it('concludes nothing from a listing that breaks off', async () => {
    const { check, there, standings, remotes, remote } = await inStep('a', 'b', 'c')
    there.has('acme/z', boxOf())
    there.breaksAfter = 2
    await check()
    expect(standings()).toEqual({ 'acme/a': 'in-step', 'acme/b': 'in-step', 'acme/c': 'in-step' })
    expect(await remotes.read(remote.id)).toMatchObject({ health: 'unreachable' })
    there.breaksAfter = Infinity
    await check()
    expect(standings()).toMatchObject({ 'acme/z': 'only-there' })
  })

  it('leaves a box alone that cannot be understood, and looks at the others', async () => {
    const { check, there, standings } = await inStep('a', 'b')
    for (const name of ['acme/a', 'acme/b']) there.has(name, boxOf({ shortDescription: 'changed' }))
    const read = there.read.bind(there)
    there.read = (tag) =>
      tag.name === 'a' ? Promise.reject(new RemoteFailure('odd', ['It answers nonsense.'])) : read(tag)
    await check()
    expect(standings()).toMatchObject({ 'acme/a': 'in-step', 'acme/b': expect.not.stringMatching('in-step') })
    there.read = read
    await check()
    expect(standings()['acme/a']).not.toBe('in-step')
  })

  it('asks a remote that tells no stamps again only after a while', async () => {
    const world = await watchWorld()
    world.there.stamps = false
    world.addBox('a')
    await world.addReleased('1.0.0', 'a')
    await world.mirrorThere('acme/a')
    await world.check()
    world.there.takeAsked()
    world.there.has('acme/b', boxOf())
    await world.check()
    expect(world.there.takeAsked()).toEqual(['list acme'])
    world.clock.pass(hours(1))
    world.there.has('acme/c', boxOf())
    await world.check()
    expect(world.there.takeAsked()).toEqual(['list acme', 'read acme/a'])
  })

  it('passes over boxes that could not be here', async () => {
    const { check, there, standings } = await watchWorld()
    for (const name of ['..', 'a b', '-x', 'ü', '\u0000', 'x'.repeat(200)]) there.has(`acme/${name}`, boxOf())
    there.has('acme/fine', boxOf())
    await check()
    expect(standings()).toEqual({ 'acme/fine': 'only-there' })
  })

  it('knows boxes by their names here where an organization is called otherwise there', async () => {
    const { remotes, remote, check, there, standings, accounts, addBox } = await watchWorld({
      organizations: ['acme-corp']
    })
    await remotes.change(remote.id, { organizationMap: { acme: 'acme-corp' } })
    accounts.addOrganization('acme-corp', 'owner')
    addBox('mine')
    there.has('acme-corp/theirs', boxOf())
    await check()
    expect(there.takeAsked()).toEqual(['list acme-corp'])
    expect(standings()).toEqual({ 'acme/mine': 'only-here', 'acme/theirs': 'only-there' })
  })

  it('takes an organization that is not there yet for one without boxes', async () => {
    const { check, there, standings, addBox } = await watchWorld()
    there.missingOrganizations.add('acme')
    addBox('a')
    await check()
    expect(standings()).toEqual({ 'acme/a': 'only-here' })
  })

  it('is not made twice at once', async () => {
    const { check, there } = await inStep('a')
    await Promise.all([check(), check(), check()])
    expect(there.takeAsked()).toEqual(['list acme'])
  })
})

describe('while a remote does not answer', () => {
  const offline = () => new RemoteFailure('offline', ['Nobody answers.'])

  it('what changed here is noted all the same', async () => {
    const { check, there, standings, addBox, addVersion, removeBox, clock } = await inStep('a', 'b', 'c')
    there.failure = offline()
    clock.pass(minutes(1))
    addVersion('2.0.0', 'a')
    removeBox('b')
    addBox('d')
    await check()
    expect(standings()).toEqual({
      'acme/a': 'ahead',
      'acme/b': 'deleted-here',
      'acme/c': 'in-step',
      'acme/d': 'only-here'
    })
  })

  it('a change here that is taken back is in step again', async () => {
    const { check, there, standings, describe, clock } = await inStep('a')
    there.failure = offline()
    clock.pass(minutes(1))
    describe('a', 'other')
    await check()
    expect(standings()).toEqual({ 'acme/a': 'ahead' })
    describe('a', '')
    await check()
    expect(standings()).toEqual({ 'acme/a': 'in-step' })
  })
})

describe('a service that was started', () => {
  it('notices changes here without asking the remote', async () => {
    const { watching, there, standings, events, addVersion, addBox, removeBox } = await inStep('a', 'b')
    watching.start()
    const told = new Promise((done) => events.on('remote-changed', done))
    addVersion('2.0.0', 'a')
    addBox('c')
    removeBox('b')
    await told
    expect(standings()).toEqual({ 'acme/a': 'ahead', 'acme/b': 'deleted-here', 'acme/c': 'only-here' })
    expect(there.takeAsked()).toEqual([])
  })

  it('looks again at the one box of a transfer that ended', async () => {
    const { watching, there, standings, events, db, remote, addVersion, mirrorThere } = await inStep('a', 'b')
    addVersion('2.0.0', 'a')
    await mirrorThere('acme/a')
    db.prepare(
      `INSERT INTO transfers (id, remote_id, remote_name, direction, organization, name, tag_key, request, state, position,
         created_at) VALUES ('t', ?, 'Lab', 'publish', 'acme', 'a', 'acme/a', '{}', 'done', 1, 0)`
    ).run(remote.id)
    watching.start()
    events.emit('transfer-changed', { id: 't' })
    await expect.poll(() => there.asked).toEqual(['read acme/a'])
    await expect.poll(() => standings()).toEqual({ 'acme/a': 'in-step', 'acme/b': 'in-step' })
  })
})

describe('what is shown', () => {
  it('comes in pages, found by words of the name, without those in step unless they are asked for', async () => {
    const { there, check, watching, remote } = await watchWorld()
    for (const name of ['base-a', 'base-b', 'other']) there.has(`acme/${name}`, boxOf())
    await check()
    const ask = (over: object) =>
      watching.boxes({ remoteId: remote.id, standing: null, q: '', offset: 0, limit: 10, ...over })
    expect(ask({}).total).toBe(3)
    expect(ask({ q: 'BASE acme' }).rows.map(({ box }) => box)).toEqual(['base-a', 'base-b'])
    expect(ask({ q: '%' }).total).toBe(0)
    expect(ask({ offset: 1, limit: 1 })).toMatchObject({ total: 3, rows: [{ box: 'base-b' }] })
    expect(ask({ standing: 'in-step' }).total).toBe(0)
    expect(watching.elsewhere('ACME', 'other')).toMatchObject({
      mirrorOf: null,
      remotes: [{ remoteName: 'Lab', standing: 'only-there', mirrored: false }]
    })
  })
})
