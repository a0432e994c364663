import { describe, expect, it } from 'vitest'
import { operator } from '../../../src-main/domain/model.ts'
import { catalogWorld, refusal, someoneUnknown } from '../../support/catalog.ts'

describe('making a version', () => {
  it('starts unreleased, without images', async () => {
    const { versions, addBox, callers } = await catalogWorld()
    addBox()
    expect(
      versions.create(callers.contributor, 'acme', 'tiny', { number: '1.0.0', description: '*new*' })
    ).toMatchObject({
      number: '1.0.0',
      status: 'unreleased',
      description: '*new*',
      descriptionHtml: '<p><em>new</em></p>',
      images: []
    })
  })

  it.each([
    ['1.0.0', /^Version 1\.0\.0 already exists\.$/],
    ['1.0', /^Version 1\.0 is the same number as 1\.0\.0, which already exists\.$/],
    ['01.0', /the same number as 1\.0\.0/]
  ])('refuses %s where 1.0.0 exists', async (number, sentence) => {
    const { versions, addBox, addVersion } = await catalogWorld()
    addBox()
    addVersion('1.0.0')
    expect(refusal('invalid', () => versions.create(operator, 'acme', 'tiny', { number }))[0]).toMatch(
      sentence
    )
  })

  it('refuses a number equal to a revoked one, until that is deleted', async () => {
    const { versions, addBox, addReleased } = await catalogWorld()
    addBox()
    await addReleased('1.0.0')
    versions.revoke(operator, 'acme', 'tiny', '1.0.0')
    const [sentence] = refusal('invalid', () => versions.create(operator, 'acme', 'tiny', { number: '1.0' }))
    expect(sentence).toMatch(/already exists and was revoked; delete it first/)
    versions.remove(operator, 'acme', 'tiny', '1.0.0')
    expect(versions.create(operator, 'acme', 'tiny', { number: '1.0' }).number).toBe('1.0')
  })

  it.each([
    [{ number: 'v1.0' }, /must begin with a number, with segments separated by dots/],
    [{ number: null }, /The version number is missing/],
    [{}, /The version number is missing/]
  ])('refuses %j', async (input, sentence) => {
    const { versions, addBox } = await catalogWorld()
    addBox()
    expect(refusal('invalid', () => versions.create(operator, 'acme', 'tiny', input))[0]).toMatch(sentence)
  })

  it('is for contributors', async () => {
    const { versions, addBox, callers } = await catalogWorld()
    addBox()
    const create = (caller: (typeof callers)['viewer']) => () =>
      versions.create(caller, 'acme', 'tiny', { number: '1.0.0' })
    refusal('unauthorized', create(someoneUnknown))
    refusal('forbidden', create(callers.stranger))
    refusal('forbidden', create(callers.viewer))
  })
})

describe('changing a version', () => {
  it('leaves what is null or absent, and keeps its number free for itself', async () => {
    const { versions, addBox } = await catalogWorld()
    addBox()
    versions.create(operator, 'acme', 'tiny', { number: '1.0', description: 'text' })
    const update = (number: string, input: object) => versions.update(operator, 'acme', 'tiny', number, input)
    expect(update('1.0', { number: null, description: null })).toMatchObject({
      number: '1.0',
      description: 'text'
    })
    expect(update('1.0', { number: '1.0.0' }).number).toBe('1.0.0')
    expect(update('1.0.0', { description: '' })).toMatchObject({ description: '', descriptionHtml: '' })
  })

  it('does not take the number of another', async () => {
    const { versions, addBox, addVersion } = await catalogWorld()
    addBox()
    addVersion('1.0.0')
    addVersion('2.0.0')
    refusal('invalid', () => versions.update(operator, 'acme', 'tiny', '2.0.0', { number: '1.0' }))
  })
})

describe('reading a version', () => {
  it('is for members alone before it is released', async () => {
    const { versions, addBox, addVersion, callers } = await catalogWorld()
    addBox()
    addVersion()
    refusal('missing', () => versions.read(someoneUnknown, 'acme', 'tiny', '1.0.0'))
    refusal('missing', () => versions.read(callers.stranger, 'acme', 'tiny', '1.0.0'))
    expect(versions.read(callers.viewer, 'acme', 'tiny', '1.0.0').status).toBe('unreleased')
  })

  it('takes its number as it was written', async () => {
    const { versions, addBox, addVersion } = await catalogWorld()
    addBox()
    addVersion('1.0.0')
    refusal('missing', () => versions.read(operator, 'acme', 'tiny', '1.0'))
    refusal('missing', () => versions.read(operator, 'acme', 'tiny', "x' OR 1=1"))
  })
})

describe('releasing a version', () => {
  it('needs an image with a url or complete bytes', async () => {
    const { versions, addBox, addVersion, addImage, images, refTo, callers } = await catalogWorld()
    addBox()
    addVersion()
    const release = () => versions.release(callers.contributor, 'acme', 'tiny', '1.0.0')
    refusal('invalid', release)
    addImage()
    refusal('invalid', release)
    await images.update(operator, refTo(), { url: 'http://example.test/x.box' })
    expect(release().status).toBe('active')
  })

  it('does not happen while a direct upload waits for its callback', async () => {
    const { versions, addBox, addVersion, addImage, uploads, refTo } = await catalogWorld()
    addBox()
    addVersion()
    addImage()
    const { id, key } = uploads.issue(operator, refTo(), 'direct')
    const { Readable } = await import('node:stream')
    await uploads.receive(id, key, Readable.from([Buffer.from('bytes')]))
    refusal('invalid', () => versions.release(operator, 'acme', 'tiny', '1.0.0'))
    await uploads.finish(operator, refTo(), id)
    expect(versions.release(operator, 'acme', 'tiny', '1.0.0').status).toBe('active')
  })

  it('happens once, and says so in the words clients wait for', async () => {
    const { versions, addBox, addReleased } = await catalogWorld()
    addBox()
    await addReleased()
    const again = refusal('invalid', () => versions.release(operator, 'acme', 'tiny', '1.0.0'))
    expect(again[0]).toContain('already been released')
  })
})

describe('revoking a version', () => {
  it('is for active ones, and final', async () => {
    const { versions, addBox, addReleased, addVersion } = await catalogWorld()
    addBox()
    await addReleased('1.0.0')
    addVersion('2.0.0')
    const revoke = (number: string) => versions.revoke(operator, 'acme', 'tiny', number)
    expect(revoke('1.0.0').status).toBe('revoked')
    refusal('invalid', () => revoke('1.0.0'))
    refusal('invalid', () => versions.release(operator, 'acme', 'tiny', '1.0.0'))
    refusal('invalid', () => revoke('2.0.0'))
  })
})
