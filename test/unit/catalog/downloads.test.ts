import { describe, expect, it } from 'vitest'
import { operator } from '../../../src-main/domain/model.ts'
import { hours } from '../../support/access.ts'
import { catalogWorld, refusal, someoneUnknown } from '../../support/catalog.ts'

describe('the file of an image', () => {
  it('is for whoever may see the box, once the version was released, also after it was revoked', async () => {
    const { downloads, versions, addBox, addReleased, refTo } = await catalogWorld()
    const { id } = addBox()
    await addReleased()
    expect(downloads.locate(someoneUnknown, refTo())).toMatchObject({
      boxId: id,
      image: { architecture: 'amd64' }
    })
    versions.revoke(operator, 'acme', 'tiny', '1.0.0')
    expect(downloads.locate(someoneUnknown, refTo({ architecture: null })).boxId).toBe(id)
  })

  it('of an unreleased version is for members alone', async () => {
    const { downloads, addBox, addVersion, addImage, upload, refTo, callers } = await catalogWorld()
    addBox()
    addVersion()
    addImage()
    await upload('bytes')
    refusal('missing', () => downloads.locate(someoneUnknown, refTo()))
    refusal('missing', () => downloads.locate(callers.stranger, refTo()))
    expect(downloads.locate(callers.viewer, refTo()).image.size).toBe(5)
  })

  it('of a private box is for members alone', async () => {
    const { downloads, addBox, addReleased, refTo, callers } = await catalogWorld()
    addBox('tiny', true)
    await addReleased()
    refusal('missing', () => downloads.locate(someoneUnknown, refTo()))
    refusal('missing', () => downloads.locate(callers.stranger, refTo()))
    expect(downloads.locate(callers.viewer, refTo()).image.size).toBe(19)
  })

  it('is not there before there are bytes or a url', async () => {
    const { downloads, addBox, addReleased, addImage, refTo } = await catalogWorld()
    addBox()
    await addReleased()
    addImage({ architecture: 'arm64' })
    addImage({ architecture: 'i386' }, { url: 'http://example.test/x.box' })
    refusal('missing', () => downloads.locate(someoneUnknown, refTo({ architecture: 'arm64' })))
    expect(downloads.locate(someoneUnknown, refTo({ architecture: 'i386' })).image.url).toBe(
      'http://example.test/x.box'
    )
  })
})

describe('counting downloads', () => {
  it('counts in all, by day, in search, and for caches of the listing', async () => {
    const { downloads, addBox, addReleased, box, organization, clock, db } = await catalogWorld()
    const { id } = addBox()
    await addReleased()
    const { revision } = organization()
    const { updatedAt } = box()
    downloads.count(id)
    downloads.count(id)
    clock.pass(hours(24))
    downloads.count(id)
    expect(box()).toMatchObject({ downloads: 3, updatedAt })
    expect(db.prepare('SELECT day, count FROM downloads_by_day').raw().all()).toEqual([
      ['2026-01-31', 2],
      ['2026-02-01', 1]
    ])
    expect(db.prepare('SELECT downloads FROM listings').pluck().get()).toBe(3)
    expect(organization().revision).toBeGreaterThan(revision)
  })

  it('of a box deleted meanwhile is nothing', async () => {
    const { downloads, addBox, boxes } = await catalogWorld()
    const { id } = addBox()
    boxes.remove(operator, 'acme', 'tiny')
    expect(() => downloads.count(id)).not.toThrow()
  })
})
