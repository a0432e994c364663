import { describe, expect, it } from 'vitest'
import { memoryDriver } from '../../../src-main/blobs/memory-driver.ts'
import type { BlobDriver } from '../../../src-main/blobs/driver.ts'
import { readSidecar, Sidecars } from '../../../src-main/catalog/sidecars.ts'
import { operator } from '../../../src-main/domain/model.ts'
import { Problem } from '../../../src-main/domain/problem.ts'
import { catalogWorld } from '../../support/catalog.ts'
import { sha256 } from '../../support/sha256.ts'

function beforeSidecar(work: (name: string) => void): BlobDriver {
  const driver = memoryDriver()
  const write = driver.writeSidecar.bind(driver)
  return Object.assign(driver, {
    writeSidecar: async (name: string, content: unknown) => {
      work(name)
      await write(name, content)
    }
  })
}

describe('the sidecar of a blob', () => {
  it('says all there is to know of every image made of it', async () => {
    const { boxes, versions, addBox, addVersion, addImage, upload, sidecars, blobs } = await catalogWorld()
    boxes.create(operator, { organization: 'acme', name: 'tiny', shortDescription: 's', description: 'd' })
    addVersion('1.0.0')
    addImage({}, { checksumType: 'md5' })
    await upload('bytes')
    versions.release(operator, 'acme', 'tiny', '1.0.0')
    addBox('other')
    addVersion('2.0.0', 'other')
    addImage({ box: 'other', version: '2.0.0', architecture: 'arm64' })
    await upload('bytes', { box: 'other', version: '2.0.0', architecture: 'arm64' })
    await sidecars.drain()
    const written = readSidecar(await blobs.readSidecar(sha256('bytes')))
    expect(written).toMatchObject({
      schema: 1,
      sha256: sha256('bytes'),
      size: 5,
      uses: [
        {
          organization: { name: 'acme' },
          box: { name: 'tiny', shortDescription: 's', description: 'd', private: true },
          version: { number: '1.0.0', status: 'active' },
          image: { provider: 'virtualbox', architecture: 'amd64', isDefault: true, checksumType: 'md5' }
        },
        {
          box: { name: 'other', private: false },
          version: { number: '2.0.0', status: 'unreleased' },
          image: { architecture: 'arm64', checksumType: null, checksum: sha256('bytes') }
        }
      ]
    })
  })

  it('says so when nothing is made of the blob any more', async () => {
    const { boxes, addBox, addReleased, sidecars, blobs } = await catalogWorld()
    addBox()
    await addReleased('1.0.0', 'tiny', 'bytes')
    await sidecars.drain()
    boxes.remove(operator, 'acme', 'tiny')
    await sidecars.drain()
    expect(readSidecar(await blobs.readSidecar(sha256('bytes')))?.uses).toEqual([])
  })

  it('is written after a restart when there was no time before', async () => {
    const { db, blobs, log, addBox, addReleased, sidecars, staleSidecars } = await catalogWorld()
    await sidecars.close()
    addBox()
    await addReleased('1.0.0', 'tiny', 'bytes')
    await sidecars.drain()
    expect(staleSidecars()).toEqual([sha256('bytes')])
    await new Sidecars({ db, blobs, log }).drain()
    expect(staleSidecars()).toEqual([])
    expect(readSidecar(await blobs.readSidecar(sha256('bytes')))?.uses.length).toBe(1)
  })

  it('stays to be written when it could not be, and keeps no other from being written', async () => {
    let broken = true
    const { addBox, addReleased, sidecars, blobs, staleSidecars, lines } = await catalogWorld(() =>
      beforeSidecar((name) => {
        if (broken && name === sha256('first')) throw new Error('disk on fire')
      })
    )
    addBox()
    await addReleased('1.0.0', 'tiny', 'first')
    await addReleased('2.0.0', 'tiny', 'second')
    await sidecars.drain()
    expect(staleSidecars()).toEqual([sha256('first')])
    expect(await blobs.readSidecar(sha256('second'))).not.toBeNull()
    expect(lines.join()).toContain('disk on fire')
    broken = false
    await sidecars.drain()
    expect(staleSidecars()).toEqual([])
  })

  it('written while the catalogue changes is written again', async () => {
    let onWrite = (): void => {}
    const { boxes, addBox, addReleased, sidecars, blobs, staleSidecars } = await catalogWorld(() =>
      beforeSidecar(() => onWrite())
    )
    addBox()
    await addReleased('1.0.0', 'tiny', 'bytes')
    await sidecars.drain()
    onWrite = () => {
      onWrite = () => {}
      boxes.update(operator, 'acme', 'tiny', { shortDescription: 'newer' })
    }
    boxes.update(operator, 'acme', 'tiny', { shortDescription: 'new' })
    await sidecars.drain()
    expect(staleSidecars()).toEqual([])
    expect(readSidecar(await blobs.readSidecar(sha256('bytes')))?.uses[0]?.box.shortDescription).toBe('newer')
  })
})

describe('reading a sidecar', () => {
  it.each([[null], ['text'], [{}], [{ schema: 1 }], [{ schema: 0, uses: [] }]])('%j is none', (content) =>
    expect(readSidecar(content)).toBeNull()
  )
  it('refuses one from a newer program', () => {
    expect(() => readSidecar({ schema: 2, whatever: true })).toThrow(Problem)
    expect(() => readSidecar({ schema: 2, whatever: true })).toThrow(/written by a newer Boxyard/)
  })
})
