import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { BlobPaths } from '../../../src-main/blobs/paths.ts'
import { boxesHandlers } from '../../../src-main/desk/boxes.ts'
import { mirroring } from '../../../src-main/domain/model.ts'
import { laterRefusal, refusal } from '../../support/catalog.ts'
import { upkeepWorld } from '../../support/upkeep.ts'
import { sha256 } from '../../support/sha256.ts'

async function world() {
  const world = await upkeepWorld()
  return { ...world, desk: boxesHandlers(world), box: { organization: 'acme', box: 'tiny' } }
}
const image = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }

describe('a box at the window', () => {
  it('is shown with what its bytes are worth and the number a next version would get', async () => {
    const { desk, box, ...catalog } = await world()
    expect(desk['box.create']({ ...box, changes: { private: false } })).toMatchObject({
      currentVersion: null,
      nextVersion: '1.0.0',
      versions: []
    })
    await catalog.addReleased('1.0.0')
    desk['image.create']({
      ...box,
      ...image,
      architecture: 'arm64',
      changes: { url: 'https://example.com/a.box' }
    })
    desk['image.create']({ ...box, ...image, provider: 'libvirt', changes: {} })
    const shown = await desk['box.read'](box)
    expect(shown).toMatchObject({ currentVersion: '1.0.0', nextVersion: '1.0.1' })
    expect(shown.versions[0]?.images.map(({ state }) => state)).toEqual(['here', 'external', 'empty'])
  })

  it('shows what a remote alone has, with its size and checksum', async () => {
    const { desk, box, synced, versions, addRemote } = await world()
    const sync = mirroring(addRemote())
    const texts = { shortDescription: '', description: '', private: false }
    synced.createBox(sync, 'acme', 'tiny', texts)
    versions.create(sync, 'acme', 'tiny', { number: '1.0.0' })
    const checksums = { sha256: sha256('there') }
    synced.createImage(
      sync,
      { ...box, ...image },
      { url: null, checksums, known: { size: 5 }, isDefault: true }
    )
    synced.setStatus(sync, 'acme', 'tiny', '1.0.0', 'active')
    expect(await desk['box.read'](box)).toMatchObject({
      currentVersion: null,
      versions: [
        {
          status: 'active',
          images: [{ state: 'known', size: 5, checksum: sha256('there'), checksumType: 'sha256', url: null }]
        }
      ]
    })
  })

  it('has a new version that is like another, without its bytes', async () => {
    const { desk, box, ...catalog } = await world()
    catalog.addBox()
    await catalog.addReleased('1.0.0')
    catalog.addImage({ architecture: 'arm64' }, { isDefault: true })
    desk['version.change']({ ...box, version: '1.0.0', changes: { description: 'What is *new*' } })
    expect(desk['version.create']({ ...box, version: '1.1.0', likeVersion: '1.0.0' })).toMatchObject({
      number: '1.1.0',
      status: 'unreleased',
      description: 'What is *new*',
      descriptionHtml: expect.stringContaining('<em>new</em>'),
      images: [
        { provider: 'virtualbox', architecture: 'amd64', isDefault: false, state: 'empty', checksum: null },
        { provider: 'virtualbox', architecture: 'arm64', isDefault: true, state: 'empty' }
      ]
    })
  })

  it('shows damaged bytes after they were verified, and not before', async () => {
    const { desk, box, ...catalog } = await world()
    catalog.addBox()
    await catalog.addReleased('1.0.0', 'tiny', 'bytes')
    expect(await desk['image.verify']({ ...box, ...image })).toMatchObject({ sound: true })
    expect((await desk['box.read'](box)).versions[0]?.images[0]?.verifiedAt).toBeGreaterThan(0)
    await writeFile(new BlobPaths(catalog.dataDir).blob(sha256('bytes')), 'BYTES')
    const found = await desk['image.verify']({ ...box, ...image })
    expect(found).toMatchObject({ sound: false })
    expect(found.sentence).toContain('does not hold the bytes that were stored')
    expect((await desk['box.read'](box)).versions[0]?.images[0]?.state).toBe('damaged')
  })

  it('says that there is nothing to verify', async () => {
    const { desk, box, ...catalog } = await world()
    catalog.addBox()
    catalog.addVersion()
    catalog.addImage()
    expect((await desk['image.verify']({ ...box, ...image })).sentence).toContain('no bytes')
  })

  it('has its downloads day by day, with the days without any', async () => {
    const { desk, box, ...catalog } = await world()
    const { id } = catalog.addBox()
    catalog.downloads.count(id)
    catalog.clock.time += 3 * 24 * 60 * 60_000
    catalog.downloads.count(id)
    catalog.downloads.count(id)
    const days = await desk['box.downloads']({ ...box, days: 5 })
    expect(days.map(({ count }) => count)).toEqual([0, 1, 0, 0, 2])
  })

  it('is deleted and given back', async () => {
    const { desk, box, ...catalog } = await world()
    catalog.addBox()
    await catalog.addReleased('1.0.0')
    const { trashId, what } = await desk['box.remove'](box)
    expect(what).toBe('acme/tiny')
    refusal('missing', () => desk['box.read'](box))
    expect(await desk['trash.list']({})).toHaveLength(1)
    expect(await desk['trash.restore']({ id: trashId })).toEqual({ what })
    expect((await desk['box.read'](box)).currentVersion).toBe('1.0.0')
  })

  it('follows a renaming in what is answered', async () => {
    const { desk, box, ...catalog } = await world()
    catalog.addBox()
    expect(await desk['box.change']({ ...box, changes: { name: 'small' } })).toMatchObject({ name: 'small' })
    catalog.addVersion('1.0.0', 'small')
    const small = { ...box, box: 'small' }
    expect(
      await desk['version.change']({ ...small, version: '1.0.0', changes: { number: '2.0.0' } })
    ).toMatchObject({
      number: '2.0.0'
    })
  })

  it('is found under its new name by what does not change, and not when it is gone', async () => {
    const { desk, box, ...catalog } = await world()
    const { id, createdAt } = catalog.addBox()
    desk['box.change']({ ...box, changes: { name: 'small' } })
    expect(desk['box.nameNow']({ id, createdAt })).toEqual({ organization: 'acme', box: 'small' })
    expect(desk['box.nameNow']({ id, createdAt: createdAt + 1 })).toBeNull()
    desk['box.remove']({ ...box, box: 'small' })
    expect(desk['box.nameNow']({ id, createdAt })).toBeNull()
  })

  it('is refused what its rules refuse', async () => {
    const { desk, box, ...catalog } = await world()
    catalog.addBox()
    catalog.addVersion()
    refusal('invalid', () => desk['version.release']({ ...box, version: '1.0.0' }))
    await laterRefusal(
      'missing',
      Promise.resolve().then(() => desk['image.change']({ ...box, ...image, changes: {} }))
    )
  })

  it('shows how a text will look, unless it is too long to be saved', async () => {
    const { desk } = await world()
    expect(await desk['text.preview']({ markdown: '*new*' })).toEqual({ html: '<p><em>new</em></p>' })
    refusal('invalid', () => desk['text.preview']({ markdown: 'a@b.c '.repeat(50_000) }))
  })
})
