import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fsDriver } from '../../../src-main/blobs/fs-driver.ts'
import { operator } from '../../../src-main/domain/model.ts'
import { box as boxFile } from '../../support/archives.ts'
import { catalogWorld, laterRefusal, refusal } from '../../support/catalog.ts'
import { tempDir } from '../../support/temp.ts'
import { sha256 } from '../../support/sha256.ts'

async function worldWithFiles() {
  const world = await catalogWorld(fsDriver)
  const dir = tempDir()
  const stored = async (): Promise<string[]> => {
    const names: string[] = []
    for await (const { sha256 } of world.blobs.list()) names.push(sha256)
    for await (const { id } of world.blobs.staging()) names.push(`staged ${id}`)
    return names
  }
  return {
    ...world,
    stored,
    file(name: string, bytes = boxFile()): string {
      writeFileSync(join(dir, name), bytes)
      return join(dir, name)
    }
  }
}

describe('importing a file', () => {
  it("makes a private box of the owner's organization of what the file says of itself", async () => {
    const { importer, file, boxes, blobs } = await worldWithFiles()
    const bytes = boxFile({ provider: 'libvirt', architecture: 'arm64' })
    const path = file('base.box', bytes)
    expect(await importer.importFile(path)).toEqual({
      tag: 'owner/base',
      private: true,
      version: '1.0.0',
      released: false,
      provider: 'libvirt',
      architecture: 'arm64',
      sha256: sha256(bytes),
      size: bytes.length,
      note: null
    })
    const [version] = boxes.read(operator, 'owner', 'base').versions
    expect(version).toMatchObject({
      status: 'unreleased',
      images: [
        {
          isDefault: true,
          checksum: sha256(bytes),
          checksumType: 'sha256',
          blob: sha256(bytes),
          hostedToken: null
        }
      ]
    })
    expect(await blobs.size(sha256(bytes))).toBe(bytes.length)
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('lets the person say everything', async () => {
    const { importer, file, box } = await worldWithFiles()
    const options = {
      ...{ organization: 'acme', name: 'Tiny', version: '2.0.0', provider: 'vmware', architecture: 'i386' },
      ...{ release: true, public: true }
    }
    expect(await importer.importFile(file('x.box'), options)).toMatchObject({
      tag: 'acme/Tiny',
      private: false,
      version: '2.0.0',
      released: true,
      provider: 'vmware',
      architecture: 'i386'
    })
    expect(box('tiny').currentVersion?.number).toBe('2.0.0')
  })

  it('takes the version from a file name that has one, else the next one of the box', async () => {
    const { importer, file, boxes } = await worldWithFiles()
    await importer.importFile(file('base-1.2.0.box'))
    await importer.importFile(file('base.box', boxFile({ provider: 'libvirt' })))
    const { versions } = boxes.read(operator, 'owner', 'base')
    expect(versions.map(({ number }) => number)).toEqual(['1.2.1', '1.2.0'])
  })

  it('adds an image to a version that exists, and replaces the file of one that does', async () => {
    const { importer, file, boxes } = await worldWithFiles()
    const newer = boxFile({ provider: 'virtualbox', architecture: 'amd64', newer: true })
    await importer.importFile(file('base-1.2.0.box'), { release: true })
    await importer.importFile(file('base-1.2.0.box', boxFile({ provider: 'libvirt', architecture: 'amd64' })))
    expect(await importer.importFile(file('base-1.2.0.box', newer), { release: true })).toMatchObject({
      released: true
    })
    const { versions } = boxes.read(operator, 'owner', 'base')
    expect(versions.length).toBe(1)
    expect(versions[0]?.images.map(({ provider, blob }) => [provider, blob])).toEqual([
      ['virtualbox', sha256(newer)],
      ['libvirt', expect.any(String)]
    ])
  })

  it('keeps a declared type of checksum', async () => {
    const { importer, file, addBox, addVersion, addImage, image } = await worldWithFiles()
    addBox()
    addVersion()
    addImage({}, { checksumType: 'md5' })
    const bytes = boxFile()
    await importer.importFile(file('x.box', bytes), { organization: 'acme', name: 'tiny', version: '1.0.0' })
    expect(image()).toMatchObject({
      checksumType: 'md5',
      checksum: createHash('md5').update(bytes).digest('hex')
    })
  })

  it('takes a file over that is to be moved, and leaves it where it is when the import fails', async () => {
    const { importer, file, stored } = await worldWithFiles()
    const bytes = boxFile()
    const path = file('base.box', bytes)
    await expect(importer.importFile(path, { move: true, version: 'v1' })).rejects.toThrowError('must begin')
    expect(readFileSync(path)).toEqual(bytes)
    const { sha256 } = await importer.importFile(path, { move: true })
    expect(existsSync(path)).toBe(false)
    expect(await stored()).toEqual([sha256])
  })

  it('writes the sidecar before it says it is done', async () => {
    const { importer, file, sidecars, blobs, staleSidecars } = await worldWithFiles()
    const { sha256 } = await importer.importFile(file('base.box'))
    expect(staleSidecars()).toEqual([])
    expect(await blobs.readSidecar(sha256)).toEqual(sidecars.describe(sha256))
  })
})

describe('a file that cannot be imported', () => {
  it.each([
    [
      'says no provider',
      'plain.box',
      {},
      /plain\.box does not say which provider it is for; name it with --provider/
    ],
    ['has no name a box could have', '盒子.box', { provider: 'x' }, /give one with --name/],
    [
      'is for an organization that is not there',
      'a.box',
      { provider: 'x', organization: 'nobody' },
      /There is no organization nobody/
    ]
  ])('because it %s leaves nothing behind', async (_, name, options, sentence) => {
    const { importer, file, stored } = await worldWithFiles()
    const kind = 'organization' in options ? 'missing' : 'invalid'
    const [said] = await laterRefusal(
      kind,
      importer.importFile(file(name, Buffer.from('no archive')), options)
    )
    expect(said).toMatch(sentence)
    expect(await stored()).toEqual([])
  })

  it('because of a bad version makes no box', async () => {
    const { importer, file, boxes } = await worldWithFiles()
    await laterRefusal('invalid', importer.importFile(file('a.box'), { version: 'v1' }))
    refusal('missing', () => boxes.read(operator, 'owner', 'a'))
  })

  it('because other bytes were declared changes nothing', async () => {
    const { importer, file, addBox, addVersion, addImage, image } = await worldWithFiles()
    addBox()
    addVersion()
    addImage({}, { checksum: '0'.repeat(64) })
    const before = image()
    const into = { organization: 'acme', name: 'tiny', version: '1.0.0' }
    await laterRefusal('invalid', importer.importFile(file('x.box'), into))
    expect(image()).toEqual(before)
  })

  it('because its version was revoked changes nothing when it is to be released', async () => {
    const { importer, file, boxes, versions } = await worldWithFiles()
    await importer.importFile(file('base-1.0.0.box'), { release: true })
    versions.revoke(operator, 'owner', 'base', '1.0.0')
    const before = boxes.read(operator, 'owner', 'base')
    await laterRefusal(
      'invalid',
      importer.importFile(file('base-1.0.0.box', boxFile({ provider: 'kvm' })), { release: true })
    )
    expect(boxes.read(operator, 'owner', 'base')).toEqual(before)
  })
})
