import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Storage } from '../../../src-main/catalog/storage.ts'
import { DiskUsage } from '../../../src-main/catalog/usage.ts'
import { operator } from '../../../src-main/domain/model.ts'
import { laterRefusal } from '../../support/catalog.ts'
import { upkeepWorld } from '../../support/upkeep.ts'
import { sha256 } from '../../support/sha256.ts'

const everything = { organization: null, box: null, version: null }
const inAcme = { ...everything, organization: 'acme' }

async function world() {
  const made = await upkeepWorld()
  const usage = new DiskUsage(made.dataDir)
  onTestFinished(() => usage.close())
  /** A box of any organization with one version of one image for each text of bytes. */
  async function publish(organization: string, box: string, files: Readonly<Record<string, string>>) {
    made.boxes.create(operator, { organization, name: box, private: false })
    made.versions.create(operator, organization, box, { number: '1.0.0' })
    for (const [provider, bytes] of Object.entries(files)) {
      const ref = { organization, box, version: '1.0.0', provider, architecture: 'amd64' }
      made.images.create(operator, ref, { provider, architecture: 'amd64' })
      const { id, key } = made.uploads.issue(operator, ref, 'simple')
      await made.uploads.receive(id, key, Readable.from([Buffer.from(bytes)]))
    }
  }
  return { ...made, usage, publish }
}

describe('what uses the disk', () => {
  it('is shown from everything down to an image, the largest first', async () => {
    const { usage, publish } = await world()
    await publish('acme', 'small', { virtualbox: 'x'.repeat(10) })
    await publish('acme', 'large', { virtualbox: 'y'.repeat(70), libvirt: 'z'.repeat(30) })
    await publish('owner', 'mine', { virtualbox: 'w'.repeat(20) })
    expect(await usage.of(everything)).toEqual({
      name: '',
      bytes: 130,
      shares: [
        { name: 'acme', bytes: 110, count: 3 },
        { name: 'owner', bytes: 20, count: 1 }
      ]
    })
    expect(await usage.of({ ...inAcme, organization: 'ACME' })).toEqual({
      name: 'acme',
      bytes: 110,
      shares: [
        { name: 'large', bytes: 100, count: 2 },
        { name: 'small', bytes: 10, count: 1 }
      ]
    })
    expect(await usage.of({ ...inAcme, box: 'large' })).toEqual({
      name: 'large',
      bytes: 100,
      shares: [{ name: '1.0.0', bytes: 100, count: 2 }]
    })
    expect(await usage.of({ ...inAcme, box: 'large', version: '1.0' })).toEqual({
      name: '1.0.0',
      bytes: 100,
      shares: [
        { name: 'virtualbox/amd64', bytes: 70, count: 1 },
        { name: 'libvirt/amd64', bytes: 30, count: 1 }
      ]
    })
  })

  it('counts a shared file once in each place, with the oldest there, so that the parts make the whole', async () => {
    const { usage, publish } = await world()
    const shared = 's'.repeat(50)
    await publish('owner', 'first', { virtualbox: shared })
    await publish('acme', 'copy', { virtualbox: shared })
    await publish('acme', 'twice', { virtualbox: shared, libvirt: 'own' })
    expect(await usage.of(everything)).toMatchObject({
      bytes: 53,
      shares: [
        { name: 'owner', bytes: 50, count: 1 },
        { name: 'acme', bytes: 3, count: 3 }
      ]
    })
    expect(await usage.of(inAcme)).toMatchObject({
      bytes: 53,
      shares: [
        { name: 'copy', bytes: 50 },
        { name: 'twice', bytes: 3 }
      ]
    })
    expect(await usage.of({ ...inAcme, box: 'twice' })).toMatchObject({ bytes: 53 })
    expect(await usage.totals()).toMatchObject({ files: 2, bytes: 53, bytesUnshared: 153 })
  })

  it('leaves out what lies elsewhere, what was found damaged, and what was deleted', async () => {
    const { usage, publish, db, boxes, images } = await world()
    await publish('acme', 'sound', { virtualbox: 'sound' })
    await publish('acme', 'rotten', { virtualbox: 'rotten bytes' })
    await publish('acme', 'deleted', { virtualbox: 'deleted bytes' })
    images.create(
      operator,
      { organization: 'acme', box: 'sound', version: '1.0.0' },
      { provider: 'libvirt', architecture: 'amd64', url: 'https://example.com/a.box' }
    )
    db.prepare('UPDATE blobs SET damaged_at = 1 WHERE sha256 = ?').run(sha256('rotten bytes'))
    boxes.remove(operator, 'acme', 'deleted')
    expect(await usage.of(everything)).toMatchObject({
      bytes: 5,
      shares: [{ name: 'acme', bytes: 5, count: 1 }]
    })
    expect(await usage.totals()).toEqual({
      files: 1,
      bytes: 5,
      bytesUnshared: 5,
      damagedImages: 1,
      trash: { entries: 1, bytes: 13 }
    })
  })

  it('names the sixty largest and puts the others together', async () => {
    const { usage, publish } = await world()
    for (let i = 1; i <= 63; i += 1)
      await publish('acme', `box-${i}`, { virtualbox: `${i}`.padEnd(1000 + i) })
    const { bytes, shares } = await usage.of(inAcme)
    expect(shares).toHaveLength(61)
    expect(shares[0]).toMatchObject({ name: 'box-63', bytes: 1063 })
    expect(shares.at(-1)).toEqual({ name: '', bytes: 1001 + 1002 + 1003, count: 3 })
    expect(shares.reduce((all, share) => all + share.bytes, 0)).toBe(bytes)
  })

  it.each([
    { ...everything, organization: 'nobody' },
    { ...inAcme, box: 'none' },
    { ...inAcme, box: 'there', version: '9.9.9' }
  ])('says of %j that it is not there', async (node) => {
    const { usage, publish } = await world()
    await publish('acme', 'there', {})
    expect(await laterRefusal('missing', usage.of(node))).toEqual(['This is not there any more.'])
  })

  it('tells what was changed just before it was asked', async () => {
    const { usage, publish } = await world()
    expect((await usage.of(everything)).bytes).toBe(0)
    for (let i = 1; i <= 5; i += 1) {
      await publish('acme', `box-${i}`, { virtualbox: `${i}`.padEnd(10) })
      expect((await usage.of(everything)).bytes).toBe(10 * i)
    }
  })

  it('counts the boxes of each organization', async () => {
    const { usage, publish, organization } = await world()
    await publish('acme', 'one', {})
    await publish('acme', 'two', {})
    expect([...(await usage.boxCounts())]).toEqual([[organization().id, 2]])
  })

  it('is refused, and keeps nobody waiting, once the program closes', async () => {
    const { usage } = await world()
    const asked = usage.of(everything)
    await usage.close()
    await laterRefusal('unavailable', asked)
    await laterRefusal('unavailable', usage.totals())
  })

  it('comes with the figures of the disk and the copies of the catalogue', async () => {
    const { usage, dataDir, publish, upkeep } = await world()
    await publish('acme', 'one', { virtualbox: 'bytes' })
    const file = `${dataDir}/all.tar`
    await upkeep.backUp({ file, catalogueOnly: true, force: false })
    const { safetyCopy } = await upkeep.restore(file)
    const summary = await new Storage({ dataDir, usage }).summary()
    expect(summary).toMatchObject({ dataFolder: dataDir, files: 1, bytes: 5 })
    expect(summary.catalogueBackups).toEqual([
      { file: safetyCopy, at: expect.any(Number), size: expect.any(Number) }
    ])
    expect(summary.databaseBytes).toBeGreaterThan(summary.catalogueBackups[0]?.size ?? NaN)
    expect(summary.diskTotal).toBeGreaterThan(summary.diskFree)
  })
})
