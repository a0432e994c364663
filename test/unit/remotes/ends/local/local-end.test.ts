import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { fsDriver } from '../../../../../src-main/blobs/fs-driver.ts'
import { anonymous, operator } from '../../../../../src-main/domain/model.ts'
import type { Deed } from '../../../../../src-main/domain/sync/plan-types.ts'
import type { BoxSnapshot, Checksums } from '../../../../../src-main/domain/sync/snapshot.ts'
import type { BytesToPut, End, Memo } from '../../../../../src-main/remotes/end.ts'
import { LocalEnd } from '../../../../../src-main/remotes/ends/local/local-end.ts'
import { RemoteFailure } from '../../../../../src-main/remotes/failure.ts'
import { catalogWorld, laterRefusal } from '../../../../support/catalog.ts'

const tag = { organization: 'acme', name: 'tiny' }
const image = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }
const { signal } = new AbortController()
const hash = (bytes: Buffer, type = 'sha256'): string => createHash(type).update(bytes).digest('hex')
const texts = { shortDescription: 'Small', description: '# Tiny', private: false }

class TestMemo implements Memo {
  value: unknown = null
  stagedId: string | null = null
  read(): unknown {
    return this.value
  }
  write(value: unknown, stagedId?: string | null): void {
    this.value = JSON.parse(JSON.stringify(value))
    if (stagedId !== undefined) this.stagedId = stagedId
  }
}

async function world() {
  const catalog = await catalogWorld(fsDriver)
  const local = new LocalEnd(catalog)
  const remoteId = catalog.addRemote()
  const mirror = local.asMirrorOf(remoteId)
  const run = async (end: End, ...deeds: Exclude<Deed, { kind: 'put-bytes' }>[]): Promise<void> => {
    for (const deed of deeds) await end.carryOut(tag, deed, signal)
  }
  const opened: number[] = []
  /** Bytes at another end, which breaks off after each of `cuts`, counted over the whole file. */
  const source = (bytes: Buffer, checksums: Checksums, cuts: number[] = []): BytesToPut => ({
    size: bytes.length,
    checksums,
    async open(from) {
      opened.push(from)
      const cut = cuts.shift()
      const body = Readable.from(
        (function* () {
          for (let at = from; at < Math.min(cut ?? Infinity, bytes.length); at += 10_000)
            yield bytes.subarray(at, Math.min(at + 10_000, cut ?? Infinity))
          if (cut !== undefined) throw new RemoteFailure('offline', ['The line was cut.'])
        })(),
        { objectMode: false }
      )
      return { body, from, size: bytes.length }
    }
  })
  const memo = new TestMemo()
  const progress: number[] = []
  let verifying = 0
  const put = (end: End, bytes: BytesToPut, stop = signal): Promise<void> =>
    end.put(tag, image, bytes, {
      ...{ signal: stop, memo, onProgress: (count) => progress.push(count) },
      onVerifying: () => (verifying += 1)
    })
  const staged = async (): Promise<string[]> => {
    const ids: string[] = []
    for await (const { id } of catalog.blobs.staging()) ids.push(id)
    return ids
  }
  return {
    ...catalog,
    ...{ local, mirror, remoteId, run, source, opened, memo, progress, put, staged },
    verifying: () => verifying,
    snapshot: async (end: End = local): Promise<BoxSnapshot | null> =>
      (await end.read(tag, signal))?.snapshot ?? null,
    stamp: async (): Promise<string | null> => (await local.read(tag, signal))?.stamp ?? null
  }
}

const makeBox = { kind: 'create-box', texts } as const
const makeVersion = { kind: 'create-version', version: '1.0.0', description: 'First' } as const
const makeImage: Extract<Deed, { kind: 'create-image' }> = {
  ...image,
  kind: 'create-image',
  isDefault: true,
  url: null,
  checksums: {},
  known: null
}

describe('the catalogue as an end', () => {
  it('has no box nobody made', async () => {
    expect(await (await world()).snapshot()).toBeNull()
  })

  it('carries every deed out once, however often it is told to', async () => {
    const { local, run, snapshot, put, source, box } = await world()
    const bytes = randomBytes(50_000)
    const checksums = { sha256: hash(bytes), md5: hash(bytes, 'md5') }
    const other = { ...image, architecture: 'arm64' }
    const url = 'https://example.test/a.box'
    const twice = async (...deeds: Parameters<typeof run>[1][]): Promise<BoxSnapshot | null> => {
      await run(local, ...deeds)
      const { revision } = box()
      const first = await snapshot()
      await run(local, ...deeds)
      expect(await snapshot()).toEqual(first)
      expect(box().revision, 'nothing was written').toBe(revision)
      return first
    }
    await twice(makeBox)
    await twice(makeVersion)
    await twice(makeImage)
    await twice({ ...makeImage, ...other, isDefault: false, url, checksums: { md5: 'a'.repeat(32) } })
    await put(local, source(bytes, checksums))
    await put(local, source(bytes, checksums))
    expect(await twice({ kind: 'release', version: '1.0.0' })).toEqual({
      ...texts,
      versions: [
        {
          ...{ number: '1.0.0', status: 'active', description: 'First' },
          images: [
            {
              ...{ provider: 'virtualbox', architecture: 'amd64', isDefault: true },
              content: { kind: 'bytes', size: bytes.length, checksums: { sha256: hash(bytes) } }
            },
            {
              ...{ provider: 'virtualbox', architecture: 'arm64', isDefault: false },
              content: { kind: 'url', url, checksums: { md5: 'a'.repeat(32) } }
            }
          ]
        }
      ]
    })
    const changed = await twice(
      { kind: 'change-box', texts: { description: 'Another' } },
      { kind: 'change-version', version: '1.0.0', description: 'Mended' },
      { kind: 'change-image', ...other, isDefault: true, url: { url: `${url}?2`, checksums: {} } },
      { kind: 'revoke', version: '1.0.0' }
    )
    expect(changed).toMatchObject({
      shortDescription: 'Small',
      description: 'Another',
      versions: [
        { status: 'revoked', description: 'Mended', images: [{ isDefault: false }, { isDefault: true }] }
      ]
    })
    expect(changed?.versions[0]?.images[1]?.content).toEqual({ kind: 'url', url: `${url}?2`, checksums: {} })
    await twice({ kind: 'remove-image', ...other })
    await twice({ kind: 'remove-version', version: '1.0.0' })
    await run(local, { kind: 'remove-box' }, { kind: 'remove-box' })
    expect(await snapshot()).toBeNull()
  })

  it('puts what it removes into the trash', async () => {
    const { local, run, trash, snapshot } = await world()
    await run(local, makeBox, makeVersion, makeImage)
    const before = await snapshot()
    await run(local, { kind: 'remove-box' })
    trash.restore(operator, trash.list()[0]!.id)
    expect(await snapshot()).toEqual(before)
  })

  it('makes the organization that is not here', async () => {
    const { local, accounts } = await world()
    await local.carryOut({ organization: 'elsewhere', name: 'x' }, makeBox)
    expect(accounts.findOrganization('elsewhere')).toMatchObject({ ownerName: 'owner' })
  })

  it('tells of every change by the stamp, also within a millisecond', async () => {
    const { local, run, stamp } = await world()
    await run(local, makeBox, makeVersion, makeImage)
    const stamps = [await stamp()]
    for (const description of ['a', 'b', 'c']) {
      await run(local, { kind: 'change-box', texts: { description } })
      stamps.push(await stamp())
    }
    expect(new Set(stamps).size).toBe(4)
  })

  it('lists boxes with their stamps, some at a time, and knows when nothing changed', async () => {
    const { db, local, addBox, stamp, accounts, boxes } = await world()
    // In one transaction: the disk would be waited for after each of them.
    db.transaction(() => {
      for (let i = 0; i < 1100; i += 1) addBox(`box-${String(i).padStart(4, '0')}`)
    })()
    addBox('tiny')
    accounts.addOrganization('beta', 'owner')
    boxes.create(operator, { organization: 'beta', name: 'x' })
    const walk = async (organization: string | null, cursor: string | null = null) => {
      const listing = await local.list(organization, cursor, signal)
      const pages: number[] = []
      const all: { organization: string; name: string; stamp: string | null }[] = []
      for await (const page of listing.boxes) {
        pages.push(page.length)
        all.push(...page)
      }
      return { pages, all, cursor: listing.cursor(), unchanged: listing.unchanged }
    }
    const whole = await walk(null)
    expect(whole.pages).toEqual([500, 500, 101, 1])
    expect(whole.all.at(-2)).toEqual({ ...tag, stamp: await stamp() })
    expect((await walk('ACME')).all).toHaveLength(1101)
    expect((await walk('nobody')).all).toEqual([])
    expect(await walk(null, whole.cursor)).toMatchObject({ unchanged: true, all: [] })
    boxes.update(operator, 'acme', 'tiny', { description: 'new' })
    const after = await walk(null, whole.cursor)
    expect(after.unchanged).toBe(false)
    expect(after.all.filter((one, i) => one.stamp !== whole.all[i]?.stamp)).toMatchObject([tag])
  })

  it('opens bytes from any one on', async () => {
    const { local, addBox, addReleased } = await world()
    addBox()
    await addReleased('1.0.0', 'tiny', 'hello world')
    for (const from of [0, 6, 11]) {
      const { body, ...said } = await local.open(tag, image, from, signal)
      expect(said).toEqual({ from, size: 11 })
      expect((await buffer(body)).toString()).toBe('hello world'.slice(from))
    }
    await expect(local.open(tag, { ...image, provider: 'other' }, 0, signal)).rejects.toMatchObject({
      kind: 'missing'
    })
  })

  it('computes a checksum that was not asked for before', async () => {
    const { local, addBox, addReleased } = await world()
    addBox()
    await addReleased('1.0.0', 'tiny', 'hello')
    expect(await local.checksum(tag, image, 'md5')).toBe(hash(Buffer.from('hello'), 'md5'))
    expect(await local.checksum(tag, image, 'sha256')).toBe(hash(Buffer.from('hello')))
  })
})

describe('bytes that are put', () => {
  const bytes = randomBytes(3_000_000)
  const checksums = { sha256: hash(bytes) }

  async function ready() {
    const all = await world()
    await all.run(all.local, makeBox, makeVersion, makeImage)
    return all
  }

  it('go on where they were cut off, and are never seen before all are here', async () => {
    const { local, put, source, opened, progress, memo, staged, snapshot, verifying } = await ready()
    const from = source(bytes, checksums, [1_000_000, 2_500_000])
    for (let i = 0; i < 2; i += 1) {
      await expect(put(local, from)).rejects.toMatchObject({ kind: 'offline' })
      expect(await staged()).toEqual([memo.stagedId])
      expect((await snapshot())?.versions[0]?.images[0]?.content).toEqual({ kind: 'empty' })
    }
    progress.length = 0
    await put(local, from)
    expect(opened).toEqual([0, 1_000_000, 2_500_000])
    expect([progress[0], progress.at(-1)]).toEqual([2_500_000, bytes.length])
    expect((await snapshot())?.versions[0]?.images[0]?.content).toMatchObject({ kind: 'bytes', checksums })
    expect([memo.value, memo.stagedId, await staged(), verifying()]).toEqual([null, null, [], 1])
  })

  it('start anew where the other side cannot go on in the middle', async () => {
    const { local, put, source, opened, snapshot } = await ready()
    const from = source(bytes, checksums, [1_000_000])
    await expect(put(local, from)).rejects.toThrow()
    await put(local, { ...from, open: async (_at, stop) => from.open(0, stop) })
    expect(opened).toEqual([0, 0])
    expect((await snapshot())?.versions[0]?.images[0]?.content).toMatchObject({ kind: 'bytes', checksums })
  })

  it('start anew when others are wanted, and when no checksum could tell that both parts belong together', async () => {
    const { local, put, source, opened, snapshot, staged } = await ready()
    await expect(put(local, source(bytes, checksums, [1_000_000]))).rejects.toThrow()
    const other = randomBytes(2_000_000)
    await expect(put(local, source(other, {}, [500_000]))).rejects.toThrow()
    await put(local, source(other, {}))
    expect(opened).toEqual([0, 0, 0])
    expect((await snapshot())?.versions[0]?.images[0]?.content).toMatchObject({
      checksums: { sha256: hash(other) }
    })
    expect(await staged()).toEqual([])
  })

  it.each([
    ['the checksum', (wrong: Buffer) => ({ source: wrong, checksums: { sha512: hash(bytes, 'sha512') } })],
    ['one of two checksums', () => ({ source: bytes, checksums: { ...checksums, md5: 'a'.repeat(32) } })]
  ])('are dropped when %s is wrong', async (_, make) => {
    const { local, put, source, staged, memo, snapshot } = await ready()
    const made = make(randomBytes(bytes.length))
    const putting = put(local, source(made.source, made.checksums))
    await expect(putting).rejects.toMatchObject({ name: 'RemoteFailure', kind: 'damaged' })
    expect([await staged(), memo.value, memo.stagedId]).toEqual([[], null, null])
    expect((await snapshot())?.versions[0]?.images[0]?.content).toEqual({ kind: 'empty' })
  })

  it('are refused when more come than there should be, and go on when fewer did', async () => {
    const { local, put, source, staged, opened } = await ready()
    const long = source(Buffer.concat([bytes, Buffer.from('x')]), checksums)
    await expect(put(local, { ...long, size: bytes.length })).rejects.toMatchObject({ kind: 'damaged' })
    expect(await staged()).toEqual([])
    const short = source(bytes.subarray(0, 1_000_000), checksums)
    await expect(put(local, { ...short, size: bytes.length })).rejects.toMatchObject({ kind: 'offline' })
    await put(local, source(bytes, checksums))
    expect(opened.at(-1)).toBe(1_000_000)
  })

  it('replace those of before only once they are whole', async () => {
    const { local, put, source, snapshot, addBox: _, upload } = await ready()
    await upload('old bytes')
    const wanted = { ...source(bytes, checksums, [2_000_000]), replaces: true }
    await expect(put(local, wanted)).rejects.toMatchObject({ kind: 'offline' })
    const old = { kind: 'bytes', checksums: { sha256: hash(Buffer.from('old bytes')) } }
    expect((await snapshot())?.versions[0]?.images[0]?.content).toMatchObject(old)
    await put(local, wanted)
    expect((await snapshot())?.versions[0]?.images[0]?.content).toMatchObject({ kind: 'bytes', checksums })
  })

  it('are not asked for when the image has them, or the store', async () => {
    const { local, put, source, opened, run } = await ready()
    await put(local, source(bytes, checksums))
    await put(local, source(bytes, { md5: hash(bytes, 'md5') }))
    await run(local, { ...makeVersion, version: '2.0.0' }, { ...makeImage, version: '2.0.0' })
    const options = { signal, memo: new TestMemo(), onProgress: () => {}, onVerifying: () => {} }
    await local.put(tag, { ...image, version: '2.0.0' }, source(bytes, checksums), options)
    expect(opened).toEqual([0])
  })

  it('are asked for again when those here are damaged', async () => {
    const { local, put, source, opened, blobs, db, snapshot } = await ready()
    await put(local, source(bytes, checksums))
    await blobs.quarantine(checksums.sha256)
    db.prepare('UPDATE blobs SET damaged_at = 1').run()
    expect((await snapshot())?.versions[0]?.images[0]?.content).toMatchObject({ kind: 'known', checksums })
    await put(local, source(bytes, checksums))
    expect(opened).toEqual([0, 0])
    expect((await snapshot())?.versions[0]?.images[0]?.content).toMatchObject({ kind: 'bytes', checksums })
  })

  it('are attached without a word to the other side when only that had been left to do', async () => {
    const { local, put, source, opened, memo, snapshot, db } = await ready()
    const write = memo.write.bind(memo)
    // As if the program had ended between the commit and the row.
    db.exec("CREATE TRIGGER stop BEFORE INSERT ON blobs BEGIN SELECT RAISE(ABORT, 'power cut'); END")
    await expect(put(local, source(bytes, { md5: hash(bytes, 'md5') }))).rejects.toThrow('power cut')
    db.exec('DROP TRIGGER stop')
    memo.write = write
    expect(memo.value).toMatchObject({ arrived: { sha256: hash(bytes) } })
    await put(local, source(bytes, { md5: hash(bytes, 'md5') }))
    expect(opened).toEqual([0])
    expect((await snapshot())?.versions[0]?.images[0]?.content).toMatchObject({
      checksums: { sha256: hash(bytes), md5: hash(bytes, 'md5') }
    })
  })

  it('stop when they are called off, and keep what has come', async () => {
    const { local, put, source, memo, staged, opened } = await ready()
    const stop = new AbortController()
    const endless: BytesToPut = {
      ...source(bytes, checksums),
      async open(from) {
        opened.push(from)
        const body = new Readable({ read() {} })
        body.push(bytes.subarray(0, 100_000))
        setImmediate(() => stop.abort(new Error('paused')))
        return { body, from, size: bytes.length }
      }
    }
    await expect(put(local, endless, stop.signal)).rejects.toThrow('paused')
    expect(await staged()).toEqual([memo.stagedId])
    await put(local, source(bytes, checksums))
    expect(opened).toEqual([0, 100_000])
  })
})

describe('a mirror', () => {
  const known = { size: 5, checksums: { sha256: 'a'.repeat(64) } }

  it('is made by pulling, read-only for everybody else, and served', async () => {
    const { mirror, local, run, mirrored, remoteId, boxes, versions, refTo } = await world()
    await run(mirror, makeBox, makeVersion, { ...makeImage, ...known, known })
    await run(mirror, { kind: 'release', version: '1.0.0' })
    expect(mirrored.remoteOf('acme', 'tiny')).toBe(remoteId)
    expect(boxes.read(anonymous, 'acme', 'tiny')).toMatchObject({
      currentVersion: null,
      versions: [
        { status: 'active', images: [{ known: { checksums: known.checksums }, size: 5, blob: null }] }
      ]
    })
    const change = { kind: 'change-box', texts: { description: 'mine' } } as const
    const [sentence] = await laterRefusal('forbidden', run(local, change))
    expect(sentence).toMatch('acme/tiny is a mirror of the box at Lab')
    expect(() => versions.remove(operator, 'acme', 'tiny', '1.0.0')).toThrow('is a mirror')
    await run(mirror, change)
    expect(refTo().box).toBe('tiny')
  })

  it('gets the bytes of what was known', async () => {
    const { mirror, run, put, source, snapshot, box } = await world()
    const bytes = Buffer.from('hello')
    const checksums = { sha256: hash(bytes) }
    await run(mirror, makeBox, makeVersion, { ...makeImage, checksums, known: { size: 5 } })
    await run(mirror, { kind: 'release', version: '1.0.0' })
    expect((await snapshot())?.versions[0]?.images[0]?.content).toEqual({ kind: 'known', size: 5, checksums })
    await put(mirror, source(bytes, checksums))
    expect((await snapshot())?.versions[0]?.images[0]?.content).toEqual({ kind: 'bytes', size: 5, checksums })
    expect(box().currentVersion?.number).toBe('1.0.0')
    await run(mirror, { kind: 'change-image', ...image, known: { size: 5, checksums } })
    expect((await snapshot())?.versions[0]?.images[0]?.content, 'those are here').toMatchObject({
      kind: 'bytes'
    })
    await run(mirror, { kind: 'change-image', ...image, known })
    expect((await snapshot())?.versions[0]?.images[0]?.content).toEqual({ kind: 'known', ...known })
    expect(box().currentVersion).toBeNull()
  })

  it('follows what was revoked without ever being released here', async () => {
    const { mirror, run, snapshot } = await world()
    await run(mirror, makeBox, makeVersion, { kind: 'revoke', version: '1.0.0' })
    expect((await snapshot())?.versions[0]?.status).toBe('revoked')
  })

  it('is never made of a box that holds anything more', async () => {
    const { mirror, local, run, mirrored, snapshot, addVersion } = await world()
    await run(local, makeBox, makeVersion, makeImage)
    await laterRefusal('conflict', run(mirror, makeBox))
    await laterRefusal('conflict', run(mirror, { kind: 'remove-box' }))
    const theirs = (await snapshot())!
    addVersion('2.0.0')
    const sentences = await laterRefusal('conflict', mirror.claim(tag, theirs))
    expect(sentences[0]).toMatch('version 2.0.0 is here alone')
    expect(mirrored.remoteOf('acme', 'tiny')).toBeNull()
    await run(local, { kind: 'remove-version', version: '2.0.0' })
    await mirror.claim(tag, theirs)
    expect(mirrored.of('acme', 'tiny')).toMatchObject({ remoteName: 'Lab' })
    await mirror.claim(tag, { ...theirs, description: 'they changed it' })
  })

  it('is a mirror of one remote alone', async () => {
    const { mirror, local, run, addRemote, snapshot } = await world()
    await run(mirror, makeBox)
    const other = local.asMirrorOf(addRemote('Other'))
    await laterRefusal('conflict', run(other, makeBox))
    const [sentence] = await laterRefusal('conflict', other.claim(tag, (await snapshot())!))
    expect(sentence).toMatch('it is a mirror of the box at Lab')
  })

  it('becomes an own box when it is forked, deleted and restored, or the remote is removed', async () => {
    const { mirror, local, run, mirrored, trash, db, snapshot, boxes } = await world()
    const all = [makeBox, makeVersion, { ...makeImage, ...known, known }] as const
    const mend = { kind: 'change-box', texts: { description: 'mine' } } as const
    await run(mirror, ...all)
    mirrored.fork('acme', 'tiny')
    await run(local, mend)
    expect((await snapshot())?.versions[0]?.images[0]?.content).toEqual({ kind: 'empty' })
    expect(() => mirrored.fork('acme', 'tiny')).toThrow('is no mirror')
    await run(local, { kind: 'remove-box' })
    await run(mirror, ...all)
    boxes.remove(operator, 'acme', 'tiny')
    trash.restore(operator, trash.list()[0]!.id)
    await run(local, mend, { kind: 'remove-box' })
    await run(mirror, ...all)
    db.prepare('DELETE FROM remotes').run()
    await run(local, mend)
  })
})
