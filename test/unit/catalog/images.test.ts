import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { BlobDriver } from '../../../src-main/blobs/driver.ts'
import { memoryDriver } from '../../../src-main/blobs/memory-driver.ts'
import type { ImageInput } from '../../../src-main/catalog/images.ts'
import { operator } from '../../../src-main/domain/model.ts'
import { catalogWorld, laterRefusal, refusal, someoneUnknown } from '../../support/catalog.ts'

const digest = (type: string, text: string): string => createHash(type).update(text).digest('hex')
const url = 'http://example.test/x.box'

async function worldWithVersion(driver?: () => BlobDriver) {
  const world = await catalogWorld(driver)
  world.addBox()
  world.addVersion()
  return world
}

describe('making an image', () => {
  it('takes a bare name: architecture unknown, default of its name, no file yet', async () => {
    const { images, callers } = await worldWithVersion()
    const ref = { organization: 'acme', box: 'tiny', version: '1.0.0' }
    const nulls = { url: null, checksum: null, checksumType: null, architecture: null, isDefault: null }
    expect(images.create(callers.contributor, ref, { provider: 'virtualbox', ...nulls })).toMatchObject({
      provider: 'virtualbox',
      architecture: 'unknown',
      isDefault: true,
      url: null,
      checksum: null,
      checksumType: null,
      blob: null,
      size: null,
      hostedToken: null
    })
  })

  it('refuses a second one of the same name and architecture, in the words clients know', async () => {
    const { addImage } = await worldWithVersion()
    addImage()
    expect(refusal('invalid', () => addImage())).toEqual(['Metadata provider must be unique for version'])
    expect(addImage({ architecture: 'arm64' }).architecture).toBe('arm64')
    expect(addImage({ provider: 'libvirt' }).provider).toBe('libvirt')
  })

  it('says everything that is wrong at once', async () => {
    const { images } = await worldWithVersion()
    const ref = { organization: 'acme', box: 'tiny', version: '1.0.0' }
    const wrong: ImageInput = {
      provider: '',
      architecture: 'A B',
      url: 'ftp://x',
      checksum: 'zz',
      checksumType: 'md5'
    }
    expect(refusal('invalid', () => images.create(operator, ref, wrong))).toEqual([
      expect.stringMatching(/^The provider name is missing/),
      expect.stringMatching(/^The architecture "A B" must be/),
      expect.stringMatching(/^The url "ftp:\/\/x" must be a whole address/),
      expect.stringMatching(/^The checksum "zz" is not a md5 one/)
    ])
  })

  it('is for contributors', async () => {
    const { images, callers } = await worldWithVersion()
    const ref = { organization: 'acme', box: 'tiny', version: '1.0.0' }
    refusal('unauthorized', () => images.create(someoneUnknown, ref, { provider: 'virtualbox' }))
    refusal('forbidden', () => images.create(callers.viewer, ref, { provider: 'virtualbox' }))
  })
})

describe('the default architecture', () => {
  const defaults = (world: Awaited<ReturnType<typeof worldWithVersion>>) =>
    world.versions
      .read(operator, 'acme', 'tiny', '1.0.0')
      .images.filter(({ isDefault }) => isDefault)
      .map(({ provider, architecture }) => `${provider} ${architecture}`)

  it('is the first one of a provider name, even if it says false', async () => {
    const world = await worldWithVersion()
    world.addImage({ architecture: 'arm64' }, { isDefault: false })
    world.addImage({ architecture: 'amd64' })
    world.addImage({ provider: 'libvirt' })
    expect(defaults(world)).toEqual(['virtualbox arm64', 'libvirt amd64'])
  })

  it('moves when another is set, on create and on update', async () => {
    const world = await worldWithVersion()
    world.addImage({ architecture: 'amd64' })
    world.addImage({ architecture: 'arm64' }, { isDefault: true })
    expect(defaults(world)).toEqual(['virtualbox arm64'])
    await world.images.update(operator, world.refTo({ architecture: 'amd64' }), { isDefault: true })
    expect(defaults(world)).toEqual(['virtualbox amd64'])
  })

  it('is told by the sidecar of the one that was it before', async () => {
    const world = await worldWithVersion()
    world.addImage({ architecture: 'amd64' })
    await world.upload('bytes', { architecture: 'amd64' })
    await world.sidecars.drain()
    expect(world.staleSidecars()).toEqual([])
    world.addImage({ architecture: 'arm64' }, { isDefault: true })
    expect(world.staleSidecars()).toEqual([world.image({ architecture: 'amd64' }).blob])
  })

  it('does not change when the default says false', async () => {
    const world = await worldWithVersion()
    world.addImage({ architecture: 'amd64' })
    world.addImage({ architecture: 'arm64' })
    await world.images.update(operator, world.refTo({ architecture: 'amd64' }), { isDefault: false })
    expect(defaults(world)).toEqual(['virtualbox amd64'])
  })

  it('goes to the oldest that remains when the default is deleted', async () => {
    const world = await worldWithVersion()
    for (const architecture of ['amd64', 'arm64', 'i386']) world.addImage({ architecture })
    await world.images.update(operator, world.refTo({ architecture: 'i386' }), { isDefault: true })
    world.images.remove(operator, world.refTo({ architecture: 'i386' }))
    expect(defaults(world)).toEqual(['virtualbox amd64'])
  })

  it('goes to the oldest that remains when the default is renamed, and never to a second one of the new name', async () => {
    const world = await worldWithVersion()
    world.addImage({ architecture: 'amd64' })
    world.addImage({ architecture: 'arm64' })
    world.addImage({ provider: 'libvirt', architecture: 'i386' })
    await world.images.update(operator, world.refTo({ architecture: 'amd64' }), { provider: 'libvirt' })
    expect(defaults(world)).toEqual(['virtualbox arm64', 'libvirt i386'])
    await world.images.update(operator, world.refTo({ architecture: 'arm64' }), { provider: 'vmware' })
    expect(defaults(world)).toEqual(['vmware arm64', 'libvirt i386'])
  })

  it('stays with an image whose architecture alone is renamed', async () => {
    const world = await worldWithVersion()
    world.addImage({ architecture: 'amd64' })
    world.addImage({ architecture: 'arm64' })
    await world.images.update(operator, world.refTo({ architecture: 'amd64' }), { architecture: 'i386' })
    expect(defaults(world)).toEqual(['virtualbox i386'])
  })

  it('is what a request without an architecture means', async () => {
    const world = await worldWithVersion()
    world.addImage({ architecture: 'arm64' })
    world.addImage({ architecture: 'amd64' })
    expect(world.image({ architecture: null }).architecture).toBe('arm64')
  })
})

describe('changing an image', () => {
  it('leaves what is null, absent or an empty url', async () => {
    const { addImage, images, refTo } = await worldWithVersion()
    const before = addImage({}, { url, checksum: 'a'.repeat(32), checksumType: 'md5' })
    for (const input of [
      {},
      { provider: null, url: null, checksum: null, checksumType: null, architecture: null },
      { url: '' }
    ])
      expect(await images.update(operator, refTo(), input)).toEqual(before)
  })

  it('does not take the place of another', async () => {
    const { addImage, images, refTo } = await worldWithVersion()
    addImage()
    addImage({ architecture: 'arm64' })
    expect(
      await laterRefusal('invalid', images.update(operator, refTo(), { architecture: 'arm64' }))
    ).toEqual(['Metadata provider must be unique for version'])
  })

  it('makes a hosted image external with a url, and an external one hosted with an upload', async () => {
    const { addImage, images, refTo, upload, image } = await worldWithVersion()
    addImage()
    const token = await upload('bytes')
    expect(image()).toMatchObject({
      url: null,
      size: 5,
      checksum: digest('sha256', 'bytes'),
      hostedToken: token
    })
    expect(await images.update(operator, refTo(), { url })).toMatchObject({
      url,
      blob: null,
      size: null,
      checksum: null,
      checksumType: null,
      hostedToken: null
    })
    await upload('others')
    expect(image()).toMatchObject({
      url: null,
      size: 6,
      checksum: digest('sha256', 'others'),
      checksumType: 'sha256'
    })
  })

  it('is for contributors', async () => {
    const { addImage, images, refTo, callers } = await worldWithVersion()
    addImage()
    await laterRefusal('unauthorized', images.update(someoneUnknown, refTo(), {}))
    await laterRefusal('forbidden', images.update(callers.viewer, refTo(), {}))
    refusal('forbidden', () => images.remove(callers.viewer, refTo()))
  })
})

describe('the checksum shown', () => {
  it('is that of the bytes as sha256 when no type was declared', async () => {
    const { addImage, upload, image } = await worldWithVersion()
    addImage()
    await upload('bytes')
    expect(image()).toMatchObject({ checksum: digest('sha256', 'bytes'), checksumType: 'sha256' })
  })

  it('is in the declared type when one was declared, with or without a checksum', async () => {
    const { addImage, upload, image } = await worldWithVersion()
    addImage({}, { checksumType: 'MD5' })
    addImage(
      { architecture: 'arm64' },
      { checksumType: 'sha1', checksum: digest('sha1', 'bytes').toUpperCase() }
    )
    await upload('bytes')
    await upload('bytes', { architecture: 'arm64' })
    expect(image()).toMatchObject({ checksum: digest('md5', 'bytes'), checksumType: 'md5' })
    expect(image({ architecture: 'arm64' })).toMatchObject({
      checksum: digest('sha1', 'bytes'),
      checksumType: 'sha1'
    })
  })

  it.each(['md5', 'sha1', 'sha384', 'sha512', 'sha256'])(
    'is computed again when %s is declared on an image that has its bytes',
    async (checksumType) => {
      const { addImage, upload, images, refTo } = await worldWithVersion()
      addImage()
      await upload('bytes')
      expect(await images.update(operator, refTo(), { checksumType })).toMatchObject({
        checksum: digest(checksumType, 'bytes'),
        checksumType
      })
    }
  )

  it('is that of the new bytes when they come while the old ones are read', async () => {
    let onDigest = async (): Promise<void> => {}
    const { addImage, upload, images, refTo } = await worldWithVersion(() => {
      const driver = memoryDriver()
      const digest = driver.digest.bind(driver)
      return Object.assign(driver, {
        digest: async (...about: Parameters<BlobDriver['digest']>) => {
          await onDigest()
          return digest(...about)
        }
      })
    })
    addImage()
    await upload('bytes')
    onDigest = async () => {
      onDigest = async () => {}
      await upload('others')
    }
    expect(await images.update(operator, refTo(), { checksumType: 'md5' })).toMatchObject({
      blob: digest('sha256', 'others'),
      checksum: digest('md5', 'others')
    })
  })

  it('stays true for the bytes served when another one is declared for those to come', async () => {
    const { addImage, upload, images, refTo } = await worldWithVersion()
    addImage()
    await upload('bytes')
    const declared = { checksum: digest('md5', 'others'), checksumType: 'md5' }
    expect(await images.update(operator, refTo(), declared)).toMatchObject({
      checksum: digest('md5', 'bytes'),
      checksumType: 'md5'
    })
  })

  it('is sha256 again when the declared type is taken away', async () => {
    const { addImage, upload, images, refTo } = await worldWithVersion()
    addImage({}, { checksumType: 'md5' })
    await upload('bytes')
    expect(await images.update(operator, refTo(), { checksum: '', checksumType: 'none' })).toMatchObject({
      checksum: digest('sha256', 'bytes'),
      checksumType: 'sha256'
    })
  })

  it('is handed on as given for an external url, lower case', async () => {
    const { addImage, images, refTo } = await worldWithVersion()
    expect(addImage({}, { url, checksum: 'A'.repeat(40), checksumType: 'SHA1' })).toMatchObject({
      checksum: 'a'.repeat(40),
      checksumType: 'sha1'
    })
    expect(await images.update(operator, refTo(), { checksum: '', checksumType: '' })).toMatchObject({
      url,
      checksum: null,
      checksumType: null
    })
  })
})
