import { rm } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BlobPaths } from '../../../src-main/blobs/paths.ts'
import { Library } from '../../../src-main/catalog/library.ts'
import { Search } from '../../../src-main/catalog/search.ts'
import type { LibraryQuery } from '../../../src-main/contract/library.ts'
import { libraryHandlers } from '../../../src-main/desk/library.ts'
import { anonymous, operator } from '../../../src-main/domain/model.ts'
import { laterRefusal } from '../../support/catalog.ts'
import { upkeepWorld } from '../../support/upkeep.ts'
import { sha256 } from '../../support/sha256.ts'

const everything: LibraryQuery = {
  ...{ q: '', provider: null, architecture: null, organization: null },
  ...{ visibility: 'any', state: 'any', origin: 'any', sort: 'name', order: 'asc' }
}

async function world() {
  const world = await upkeepWorld()
  const search = new Search(world.dataDir, world.permissions)
  onTestFinished(() => search.close())
  const desk = libraryHandlers({ library: new Library(search), boxes: world.boxes })
  const rows = async (query: Partial<LibraryQuery> = {}) =>
    (await desk['library.find']({ query: { ...everything, ...query }, offset: 0, limit: 500 })).rows
  const names = async (query: Partial<LibraryQuery> = {}) => (await rows(query)).map(({ name }) => name)
  return { ...world, search, desk, rows, names }
}

describe('the library at the window', () => {
  it('shows a box from its making on, as it grows', async () => {
    const { rows, ...catalog } = await world()
    catalog.addBox('tiny', true)
    const empty = { versions: 0, images: [], currentVersion: null, here: 'none', size: 0, private: true }
    expect(await rows()).toMatchObject([{ name: 'tiny', hasUnreleased: false, ...empty }])
    catalog.addVersion()
    catalog.addImage()
    expect(await rows()).toMatchObject([
      {
        ...empty,
        versions: 1,
        hasUnreleased: true,
        images: [{ provider: 'virtualbox', architecture: 'amd64' }]
      }
    ])
    await catalog.upload('12345')
    expect(await rows()).toMatchObject([{ here: 'all', size: 5, currentVersion: null }])
    catalog.versions.release(operator, 'acme', 'tiny', '1.0.0')
    expect(await rows()).toMatchObject([{ hasUnreleased: false, currentVersion: '1.0.0' }])
    catalog.addImage({ architecture: 'arm64' }, { url: 'https://example.com/a.box' })
    expect(await rows()).toMatchObject([{ here: 'some', size: 5 }])
    await catalog.images.update(operator, catalog.refTo(), { url: 'https://example.com/b.box' })
    expect(await rows()).toMatchObject([{ here: 'none', size: 0 }])
    catalog.images.remove(operator, catalog.refTo())
    catalog.boxes.update(operator, 'acme', 'tiny', { name: 'other', shortDescription: 'new words' })
    expect(await rows({ q: 'new oth' })).toMatchObject([
      { name: 'other', images: [{ provider: 'virtualbox', architecture: 'arm64' }] }
    ])
  })

  it('keeps what has no release out of the registry', async () => {
    const { names, search, ...catalog } = await world()
    catalog.addBox('never')
    catalog.addVersion('1.0.0', 'never')
    catalog.addBox('gone')
    await catalog.addReleased('1.0.0', 'gone')
    catalog.versions.revoke(operator, 'acme', 'gone', '1.0.0')
    catalog.addBox('there')
    await catalog.addReleased('1.0.0', 'there')
    const query = { q: '', provider: null, architecture: null } as const
    for (const caller of [operator, anonymous, catalog.callers.viewer]) {
      const found = await search.find(caller, { ...query, sort: 'created', order: 'asc', limit: 9, page: 1 })
      expect(found).toEqual([catalog.box('there').id])
    }
    expect(await names()).toEqual(['gone', 'never', 'there'])
    expect(await names({ state: 'unreleased' })).toEqual(['never'])
    expect(await names({ provider: 'virtualbox' })).toEqual(['gone', 'there'])
  })

  it('knows of bytes found damaged, and of the same bytes come anew for another box', async () => {
    const { names, rows, upkeep, ...catalog } = await world()
    for (const box of ['one', 'two']) {
      catalog.addBox(box)
      await catalog.addReleased('1.0.0', box, 'shared')
    }
    expect(await names({ state: 'here' })).toEqual(['one', 'two'])
    await rm(new BlobPaths(catalog.dataDir).blob(sha256('shared')))
    await upkeep.verify({})
    expect(await names({ state: 'here' })).toEqual([])
    expect(await names({ state: 'elsewhere' })).toEqual(['one', 'two'])
    await catalog.upload('shared', { box: 'one' })
    expect(await rows({ state: 'here' })).toMatchObject([
      { name: 'one', size: 6 },
      { name: 'two', size: 6 }
    ])
  })

  it('changes many boxes at once, and restores those that were deleted', async () => {
    const { desk, names, rows, trash, ...catalog } = await world()
    const ids = ['a', 'b', 'c'].map((name) => catalog.addBox(name).id)
    const some = { ids: ids.slice(1) }
    expect(await desk['library.setPrivate']({ ...some, private: true })).toEqual({ changed: 2 })
    expect(await names({ visibility: 'private' })).toEqual(['b', 'c'])
    const { trashId, what } = await desk['library.remove'](some)
    expect(what).toBe('2 boxes')
    expect(await names()).toEqual(['a'])
    trash.restore(operator, trashId)
    expect(await rows({ order: 'desc' })).toMatchObject([
      { name: 'c', private: true },
      { name: 'b' },
      { name: 'a' }
    ])
  })

  it('tells what there is to filter by, and no more', async () => {
    const { desk, ...catalog } = await world()
    catalog.addBox()
    catalog.addVersion()
    catalog.addImage({ provider: 'libvirt', architecture: 'arm64' })
    catalog.addImage()
    const facets = { organizations: ['acme', 'owner'], providers: ['libvirt', 'virtualbox'] }
    expect(await desk['library.facets']({})).toEqual({ ...facets, architectures: ['amd64', 'arm64'] })
    catalog.images.remove(operator, catalog.refTo({ provider: 'libvirt', architecture: 'arm64' }))
    catalog.accounts.addOrganization('beta', 'owner')
    expect(await desk['library.facets']({})).toEqual({
      ...{ organizations: ['acme', 'beta', 'owner'], providers: ['virtualbox'], architectures: ['amd64'] }
    })
  })

  it('gives ids and sizes of a range', async () => {
    const { desk, ...catalog } = await world()
    const ids = ['a', 'b', 'c'].map((name) => catalog.addBox(name).id)
    await catalog.addReleased('1.0.0', 'b', 'four')
    expect(await desk['library.range']({ query: { ...everything, order: 'desc' }, from: 1, to: 9 })).toEqual({
      ids: [ids[1], ids[0]],
      sizes: [4, 0]
    })
  })

  it('refuses more words than anybody types', async () => {
    const { rows } = await world()
    const words = Array.from({ length: 65 }, (_, n) => `w${n}`)
    expect(await rows({ q: words.slice(1).join(' ') })).toEqual([])
    const sentences = await laterRefusal('invalid', rows({ q: words.join(' ') }))
    expect(sentences).toEqual([
      'A search may have 1000 characters and 64 different words at most; use fewer.'
    ])
  })
})
