import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import type { WholeRef } from '../../../src-main/catalog/synced.ts'
import { anonymous, mirroring, operator, type Caller } from '../../../src-main/domain/model.ts'
import { Problem } from '../../../src-main/domain/problem.ts'
import type { LibraryQuery } from '../../../src-main/contract/library.ts'
import type { Origin } from '../../../src-main/domain/search-terms.ts'
import { libraryReader } from '../../../src-main/store/library-reader.ts'
import { listingSearch, searchReaders } from '../../../src-main/store/listing-search.ts'
import { catalogWorld, laterRefusal, refusal, type CatalogWorld } from '../../support/catalog.ts'
import { sha256 } from '../../support/sha256.ts'

const tiny = ['acme', 'tiny'] as const
const everything: LibraryQuery = {
  ...{ q: '', provider: null, architecture: null, organization: null },
  ...{ visibility: 'any', state: 'any', origin: 'any', sort: 'name', order: 'asc' }
}
const texts = { shortDescription: 'Small', description: '', private: false }

describe('a mirrored box', () => {
  let world: CatalogWorld
  let sync: Caller
  let other: Caller
  beforeEach(async () => {
    world = await catalogWorld()
    sync = mirroring(world.addRemote())
    other = mirroring(world.addRemote('Other'))
    world.synced.createBox(sync, ...tiny, texts)
    add('1.0.0', 'old')
    add('2.0.0', null)
  })

  const wholeRef = (over: Partial<WholeRef>): WholeRef => ({ ...world.refTo(over), architecture: 'amd64' })
  /** A released version as the remote has it, with its bytes or without. */
  function add(number: string, bytes: string | null): void {
    world.versions.create(sync, ...tiny, { number })
    const checksums = { sha256: sha256(bytes ?? number) }
    const known = { size: 7 }
    world.synced.createImage(sync, wholeRef({ version: number }), {
      ...{ url: null, checksums, known, isDefault: true }
    })
    world.synced.setStatus(sync, ...tiny, number, 'active')
  }
  const fetch = async (number: string, bytes: string): Promise<void> => {
    const staged = await world.blobs.receive(Readable.from([Buffer.from(bytes)]))
    await world.synced.commit(staged)
    await world.synced.attach(sync, wholeRef({ version: number }), staged, {})
  }
  const file = (): Promise<Parameters<CatalogWorld['placing']['bytes']>[0]> =>
    world.blobs.receive(Readable.from(['mine']))
  const place = {
    ...{ organization: 'acme', name: 'tiny', version: '1.0.0', provider: 'virtualbox' },
    ...{ architecture: 'amd64', private: false, release: false }
  }

  const waysIn: Record<string, (world: CatalogWorld, as: Caller) => unknown> = {
    'renaming it': ({ boxes }, as) => boxes.update(as, ...tiny, { name: 'mine' }),
    'describing it': ({ boxes }, as) => boxes.update(as, ...tiny, { description: 'mine' }),
    'adding a version': ({ versions }, as) => versions.create(as, ...tiny, { number: '9.0.0' }),
    'copying a version': ({ versions }, as) => versions.duplicate(as, ...tiny, '1.0.0'),
    'changing a version': ({ versions }, as) =>
      versions.update(as, ...tiny, '1.0.0', { description: 'mine' }),
    'releasing a version': ({ versions }, as) => versions.release(as, ...tiny, '1.0.0'),
    'revoking a version': ({ versions }, as) => versions.revoke(as, ...tiny, '1.0.0'),
    'removing a version': ({ versions }, as) => versions.remove(as, ...tiny, '1.0.0'),
    'adding an image': ({ images, refTo }, as) => images.create(as, refTo(), { provider: 'utm' }),
    'changing an image': ({ images, refTo }, as) =>
      images.update(as, refTo(), { url: 'https://example.test/x' }),
    'removing an image': ({ images, refTo }, as) => images.remove(as, refTo()),
    'asking for an upload': ({ uploads, refTo }, as) => uploads.issue(as, refTo(), 'simple'),
    'ending an upload': ({ uploads, refTo }, as) => uploads.finish(as, refTo(), randomUUID())
  }

  it.each(Object.entries(waysIn))('refuses %s, whoever asks', async (_, way) => {
    const { revision } = world.box()
    for (const caller of [operator, world.callers.admin]) {
      const [what, whatToDo] = await laterRefusal('forbidden', (async () => way(world, caller))())
      expect(what).toBe(
        'acme/tiny is a mirror of the box at Lab: its changes come from there, and it cannot be changed here.'
      )
      expect(whatToDo).toMatch(/^Fork it first/)
    }
    await laterRefusal('conflict', (async () => way(world, other))())
    expect(world.box().revision).toBe(revision)
  })

  it.each(Object.entries(waysIn))('tells nobody more of %s than before', async (_, way) => {
    await laterRefusal('forbidden', (async () => way(world, world.callers.viewer))()).then(([what]) =>
      expect(what).toMatch('This needs the role')
    )
  })

  it('refuses files of this machine, however they come', async () => {
    const staged = await file()
    await laterRefusal('forbidden', world.placing.bytes(staged, place))
    refusal('forbidden', () => world.placing.url('https://example.test/x.box', place))
    await laterRefusal(
      'forbidden',
      world.placing.bytes(staged, { ...place, version: '3.0.0', release: true })
    )
    expect(world.box().versions).toHaveLength(2)
  })

  it('refuses an upload that began while it was an own one', async () => {
    const { boxes, versions, uploads, mirrored, refTo, synced } = world
    boxes.create(operator, { organization: 'acme', name: 'own', private: false })
    versions.create(operator, 'acme', 'own', { number: '1.0.0' })
    world.addImage({ box: 'own' })
    const simple = uploads.issue(operator, refTo({ box: 'own' }), 'simple')
    const direct = uploads.issue(operator, refTo({ box: 'own' }), 'direct')
    await uploads.receive(direct.id, direct.key, Readable.from(['x']))
    mirrored.adopt('acme', 'own', mirrored.remoteOf(...tiny)!)
    await laterRefusal('forbidden', uploads.receive(simple.id, simple.key, Readable.from(['x'])))
    await laterRefusal('forbidden', uploads.finish(operator, refTo({ box: 'own' }), direct.id))
    synced.createBox(sync, 'acme', 'own', texts)
    expect(world.image({ box: 'own' }).blob).toBeNull()
  })

  it('refuses to be changed with many others, before any of them is', async () => {
    const { id } = world.addBox('another')
    await laterRefusal('forbidden', world.boxes.setPrivateOfMany(operator, [id, world.box().id], true))
    expect(world.box('another').private).toBe(false)
  })

  it('can be deleted as a whole, and restored as an own one', async () => {
    const { boxes, trash, mirrored } = world
    for (const remove of [
      () => boxes.remove(operator, ...tiny),
      () => boxes.removeMany(operator, [world.box().id])
    ]) {
      const { trashId } = await remove()
      await trash.restoreInParts(operator, trashId)
      expect(mirrored.remoteOf(...tiny)).toBeNull()
      boxes.update(operator, ...tiny, { description: 'mine' })
      expect(world.image({ version: '2.0.0' }).known).toBeNull()
      mirrored.adopt(...tiny, world.addRemote(randomUUID()))
    }
  })

  it('takes nothing back from the trash, until it is forked', () => {
    const { versions, images, trash, mirrored, refTo } = world
    const gone = [images.remove(sync, refTo()), versions.remove(sync, ...tiny, '2.0.0')]
    for (const { trashId } of gone) refusal('forbidden', () => trash.restore(operator, trashId))
    mirrored.fork(...tiny)
    for (const { trashId } of gone) trash.restore(operator, trashId)
    expect(world.box().versions.map(({ images }) => images.length)).toEqual([1, 1])
  })

  it('offers clients the newest version that is here', async () => {
    expect(world.box().currentVersion).toBeNull()
    await fetch('1.0.0', 'old')
    expect(world.box().currentVersion?.number).toBe('1.0.0')
    await fetch('2.0.0', 'new')
    expect(world.box().currentVersion?.number).toBe('2.0.0')
    expect(world.image({ version: '2.0.0' })).toMatchObject({ known: null, size: 3, checksum: sha256('new') })
  })

  it('offers a prerelease that is here before a version that is not', async () => {
    add('3.0.0-rc.1', 'rc')
    await fetch('3.0.0-rc.1', 'rc')
    expect(world.box().currentVersion?.number).toBe('3.0.0-rc.1')
  })

  it('is found by clients once something of it is here, by what that is', async () => {
    const find = (provider: string | null = null): number[] =>
      listingSearch(world.db)({
        ...{ q: '', provider, architecture: null, privateIn: 'all', sort: 'downloads', order: 'asc' },
        ...{ limit: 10, offset: 0 }
      })
    expect(find()).toEqual([])
    await fetch('1.0.0', 'old')
    world.synced.createImage(sync, wholeRef({ provider: 'utm' }), {
      ...{ url: null, checksums: {}, known: { size: null }, isDefault: true }
    })
    expect(find('virtualbox')).toEqual([world.box().id])
    expect(find('utm')).toEqual([])
    await fetch('1.0.0', 'older')
    expect(find('virtualbox')).toEqual([world.box().id])
  })

  describe('in search', () => {
    const found = (origin: Origin): string[] =>
      libraryReader(world.db, searchReaders(world.db))
        .find({ query: { ...everything, origin }, offset: 0, limit: 10 })
        .rows.map(({ name }) => name)
    beforeEach(() => world.addBox('own'))

    it('is told from own ones, and from those that are here whole', async () => {
      expect(found('own')).toEqual(['own'])
      expect(found('mirrored')).toEqual(['tiny'])
      await fetch('1.0.0', 'old')
      expect(found('at-remote')).toEqual(['tiny'])
      await fetch('2.0.0', 'new')
      expect(found('at-remote')).toEqual([])
      expect(found('mirrored')).toEqual(['tiny'])
    })

    it('is an own one once it is forked', () => {
      world.mirrored.fork(...tiny)
      expect(found('own')).toEqual(['own', 'tiny'])
      expect(found('at-remote')).toEqual([])
    })

    it('is an own one once its remote goes, and mirrors of others stay', async () => {
      for (let n = 0; n < 250; n++) world.synced.createBox(sync, 'acme', `tiny-${n}`, texts)
      world.synced.createBox(other, 'acme', 'theirs', texts)
      await world.mirrored.forkAllOf(world.mirrored.remoteOf(...tiny)!)
      expect(found('mirrored')).toEqual(['theirs'])
      expect(world.box().currentVersion?.number).toBe('2.0.0')
    })
  })

  it('tells who asks for a file that it is not here', () => {
    const [what] = refusal('missing', () =>
      world.downloads.locate(anonymous, world.refTo({ version: '2.0.0' }))
    )
    expect(what).toBe(
      'acme/tiny 2.0.0 for virtualbox on amd64 is mirrored from Lab, and its file has not been fetched to this registry.'
    )
  })

  it('shows size and checksum of what is only known', () => {
    const { image, refTo } = world
    expect(image(refTo({ version: '2.0.0' }))).toMatchObject({
      ...{ size: 7, blob: null, checksum: sha256('2.0.0'), checksumType: 'sha256' },
      known: { checksums: { sha256: sha256('2.0.0') } }
    })
  })

  it('is changed by the sync of its remote and nobody else while its organization is not', () => {
    world.boxes.create(operator, { organization: 'acme', name: 'own' })
    const error = (() => {
      try {
        world.boxes.update(sync, 'acme', 'own', { description: 'theirs' })
      } catch (error) {
        return error
      }
      return null
    })()
    expect(error).toBeInstanceOf(Problem)
    expect((error as Problem).message).toMatch('There is a box acme/own of its own here')
  })
})

describe('a copy of a version', () => {
  it('has its texts, images and state under the next number, and shares the bytes', async () => {
    const { versions, addBox, addReleased, addImage, addVersion, box, blobs, sidecars } = await catalogWorld()
    addBox()
    await addReleased('1.0.0')
    addImage({ architecture: 'arm64' }, { url: 'https://example.test/a.box', isDefault: true })
    versions.update(operator, ...tiny, '1.0.0', { description: '*First*' })
    addVersion('1.4.0')
    expect(versions.duplicate(operator, ...tiny, '1.0.0').number).toBe('1.4.1')
    const [copy, , original] = box().versions
    const strip = (version: typeof copy) => ({
      ...version,
      ...{ id: 0, boxId: 0, number: '', createdAt: 0, updatedAt: 0 },
      images: version?.images.map((image) => ({
        ...image,
        ...{ id: 0, versionId: 0, createdAt: 0, updatedAt: 0, hostedToken: null }
      }))
    })
    expect(strip(copy)).toEqual(strip(original))
    expect(box().currentVersion?.number).toBe('1.4.1')
    await sidecars.drain()
    const sidecar = (await blobs.readSidecar(copy!.images[0]!.blob!)) as { uses: unknown[] }
    expect(sidecar.uses).toHaveLength(2)
  })
})
