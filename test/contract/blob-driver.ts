import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BlobDriver, ByteRange, Staged } from '../../src-main/blobs/driver.ts'
import { Problem } from '../../src-main/domain/problem.ts'
import { box } from '../support/archives.ts'
import { tempDir } from '../support/temp.ts'
import { sha256 } from '../support/sha256.ts'

const inPieces = (bytes: Buffer, size: number): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
    { objectMode: false }
  )

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** A target that takes its time, as a socket does. */
class Slow extends Writable {
  readonly chunks: Buffer[] = []
  constructor() {
    super({ highWaterMark: 1000 })
  }
  override _write(chunk: Buffer, _: string, done: () => void): void {
    setImmediate(() => {
      this.chunks.push(Buffer.from(chunk))
      done()
    })
  }
  get bytes(): Buffer {
    return Buffer.concat(this.chunks)
  }
}

const nowhere = 'f'.repeat(64)
const big = randomBytes(3_300_001)

/** What every store of bytes must do, whatever it keeps them in. `make` is called once a test. */
export function blobDriverContract(name: string, make: () => BlobDriver): void {
  describe(name, () => {
    let driver: BlobDriver
    beforeEach(() => {
      driver = make()
    })
    afterEach(async () => {
      const left = await all(driver.staging())
      await driver.close()
      expect(left, 'nothing stays behind in the staging area').toEqual([])
    })

    const keep = async (bytes: Buffer): Promise<Staged> => {
      const staged = await driver.receive(inPieces(bytes, 70_000))
      await driver.commit(staged)
      return staged
    }
    const read = async (name: string, range?: ByteRange): Promise<Buffer> => {
      const target = new Slow()
      await driver.copyTo(name, target, range)
      return target.bytes
    }

    describe('receives', () => {
      it.each([
        ['nothing', Buffer.alloc(0), 1],
        ['one byte', Buffer.from('x'), 1],
        ['many small chunks', randomBytes(5000), 7],
        ['chunks that fit no buffer', big, 99_991],
        ['one huge chunk', big, big.length]
      ])('%s', async (_, bytes, size) => {
        const staged = await driver.receive(inPieces(bytes, size), { length: bytes.length })
        expect(staged).toMatchObject({ sha256: sha256(bytes), size: bytes.length })
        expect(staged.checksums).toEqual({ sha256: sha256(bytes) })
        expect(await driver.size(staged.sha256), 'not in the store before it is committed').toBeNull()
        await driver.commit(staged)
        expect(await driver.size(staged.sha256)).toBe(bytes.length)
        expect((await read(staged.sha256)).equals(bytes)).toBe(true)
      })

      it('strings as their UTF-8', async () => {
        const { sha256: name } = await driver.receive(Readable.from(['ä', 'b'])).then(async (staged) => {
          await driver.commit(staged)
          return staged
        })
        expect((await read(name)).toString()).toBe('äb')
      })

      it('and leaves the sender its own buffers', async () => {
        const mine = Buffer.from(randomBytes(100_000))
        const before = sha256(mine)
        await driver.discard(await driver.receive(Readable.from([mine, mine])))
        expect(mine.length).toBe(100_000)
        expect(sha256(mine)).toBe(before)
      })

      it('every kind of checksum in the same pass', async () => {
        const types = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const
        const staged = await driver.receive(inPieces(big, 50_000), { checksums: types })
        expect(staged.checksums).toEqual(
          Object.fromEntries(types.map((type) => [type, createHash(type).update(big).digest('hex')]))
        )
        await driver.discard(staged)
      })

      it('and looks inside', async () => {
        const staged = await driver.receive(Readable.from([box()]))
        expect(staged.facts).toEqual({
          format: 'tar.gz',
          provider: 'virtualbox',
          architecture: 'amd64',
          diskFormat: null,
          hasVagrantfile: true,
          note: null
        })
        await driver.discard(staged)
      })

      it('and tells how far it is', async () => {
        const seen: number[] = []
        await driver.discard(
          await driver.receive(inPieces(big, 100_000), { onProgress: (bytes) => seen.push(bytes) })
        )
        expect(seen.at(-1)).toBe(big.length)
        expect(seen).toEqual([...seen].sort((a, b) => a - b))
      })

      it('several at once', async () => {
        const bodies = Array.from({ length: 8 }, (_, i) => randomBytes(400_000 + i))
        const staged = await Promise.all(bodies.map((bytes) => driver.receive(inPieces(bytes, 33_333))))
        expect(staged.map((one) => one.sha256)).toEqual(bodies.map(sha256))
        await Promise.all(staged.map((one) => driver.commit(one)))
        for (const bytes of bodies) expect((await read(sha256(bytes))).equals(bytes)).toBe(true)
      })
    })

    describe('leaves nothing of', () => {
      it.each([
        ['fewer', 10, 'Only 5 of 10 bytes arrived'],
        ['more', 3, 'More bytes arrived than the 3']
      ])('%s bytes than announced', async (_, length, why) => {
        const received = driver.receive(Readable.from([Buffer.from('12'), Buffer.from('345')]), { length })
        await expect(received).rejects.toThrowError(why)
        await expect(received).rejects.toMatchObject({ name: 'Problem', kind: 'invalid' })
      })

      it('a stream that breaks', async () => {
        const body = new PassThrough()
        const received = driver.receive(body)
        body.write(randomBytes(500_000))
        setImmediate(() => body.destroy(new Error('the cable')))
        await expect(received).rejects.toThrowError('the cable')
      })

      it('a line that is cut', async () => {
        const body = new PassThrough()
        const received = driver.receive(body)
        body.write('abc')
        setImmediate(() => body.destroy())
        await expect(received).rejects.toMatchObject({ name: 'Problem', kind: 'invalid' })
        await expect(received).rejects.toThrowError(/broke off after \d+ bytes/)
      })

      it('an upload that is called off', async () => {
        const body = new PassThrough()
        const control = new AbortController()
        const received = driver.receive(body, { signal: control.signal })
        body.write(randomBytes(300_000))
        setImmediate(() => control.abort(new Error('shutting down')))
        await expect(received).rejects.toThrowError('shutting down')
        expect(body.destroyed).toBe(true)
      })

      it('an upload that was called off before', async () => {
        const signal = AbortSignal.abort(new Error('too late'))
        await expect(driver.receive(Readable.from(['x']), { signal })).rejects.toThrowError('too late')
      })

      it('an upload whose listener fails, and keeps its line open for an answer', async () => {
        const body = inPieces(big, 10_000)
        const onProgress = (): void => {
          throw new Problem('missing', 'The box is gone.')
        }
        await expect(driver.receive(body, { onProgress })).rejects.toThrowError('The box is gone.')
        expect(body.destroyed).toBe(false)
        body.destroy()
      })
    })

    describe('goes on where a receive was cut off', () => {
      const id = randomUUID()
      const cut = (bytes: Buffer, size: number): Readable =>
        Readable.from(
          (function* () {
            for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
            throw new Error('cut')
          })(),
          { objectMode: false }
        )
      const receivePart = async (bytes: Buffer, continueFrom = 0): Promise<void> => {
        const receiving = driver.receive(cut(bytes, 30_000), { id, keepPartial: true, continueFrom })
        await expect(receiving).rejects.toThrowError('cut')
      }

      it.each([
        ['after the first byte', [1]],
        ['before the last one', [big.length - 1]],
        ['when all have come', [big.length]],
        ['many times', [10_000, 262_144, 1_000_000, 1_000_001, 3_000_000]]
      ])('%s', async (_, cuts) => {
        let from = 0
        for (const at of cuts) {
          await receivePart(big.subarray(from, at), from)
          expect(await driver.stagedSize(id), 'every byte that came is kept').toBe(at)
          from = at
        }
        const seen: number[] = []
        const staged = await driver.receive(inPieces(big.subarray(from), 70_000), {
          ...{ id, keepPartial: true, continueFrom: from, length: big.length, checksums: ['md5'] as const },
          onProgress: (bytes) => seen.push(bytes)
        })
        expect(staged).toMatchObject({
          ...{ id, size: big.length, sha256: sha256(big) },
          checksums: { md5: createHash('md5').update(big).digest('hex') }
        })
        expect(seen.every((bytes) => bytes > from)).toBe(true)
        await driver.commit(staged)
        expect((await read(staged.sha256)).equals(big)).toBe(true)
      })

      it('and looks inside what came in two parts', async () => {
        const bytes = box()
        await receivePart(bytes.subarray(0, 50))
        const staged = await driver.receive(Readable.from([bytes.subarray(50)]), { id, continueFrom: 50 })
        expect(staged.facts).toMatchObject({ provider: 'virtualbox', hasVagrantfile: true })
        await driver.discard(staged)
      })

      it('from an earlier place, or anew, when it is told to', async () => {
        await receivePart(randomBytes(500_000))
        await receivePart(big.subarray(0, 400_000))
        const rest = big.subarray(300_000)
        const staged = await driver.receive(inPieces(rest, 99_999), { id, continueFrom: 300_000 })
        expect(staged.sha256).toBe(sha256(big))
        await driver.discard(staged)
      })

      it('opening the rest only once what is there was read', async () => {
        await receivePart(big.subarray(0, 2_000_000))
        const staged = await driver.receive(async () => inPieces(big.subarray(2_000_000), 50_000), {
          ...{ id, continueFrom: 2_000_000, length: big.length }
        })
        expect(staged.sha256).toBe(sha256(big))
        await driver.discard(staged)
      })

      it('again, when the rest cannot be opened, or is called off before', async () => {
        await receivePart(big.subarray(0, 2_000_000))
        const options = { id, keepPartial: true, continueFrom: 2_000_000 }
        const unopened = driver.receive(async () => Promise.reject(new Error('not there')), options)
        await expect(unopened).rejects.toThrowError('not there')
        const control = new AbortController()
        const stopped = driver.receive(inPieces(big, 1000), { ...options, signal: control.signal })
        control.abort(new Error('enough'))
        await expect(stopped).rejects.toThrowError('enough')
        expect(await driver.stagedSize(id)).toBe(2_000_000)
        await driver.dropStaged(id)
        expect(await driver.stagedSize(id)).toBeNull()
      })

      it('but not from more than is there', async () => {
        await receivePart(big.subarray(0, 1000))
        const options = { id, keepPartial: true, continueFrom: 1001 }
        await expect(driver.receive(inPieces(big, 1000), options)).rejects.toThrowError()
        await driver.dropStaged(id)
      })

      it('and keeps nothing when nobody asks for it', async () => {
        await receivePart(big.subarray(0, 1000))
        await expect(driver.receive(cut(big, 9000), { id, continueFrom: 1000 })).rejects.toThrowError('cut')
        expect(await driver.stagedSize(id)).toBeNull()
      })
    })

    describe('is read as a stream', () => {
      it.each([0, 1, 1_048_576, big.length - 1, big.length])('from byte %i', async (from) => {
        await keep(big)
        const stream = await driver.read(sha256(big), from)
        expect((await buffer(stream)).equals(big.subarray(from))).toBe(true)
      })

      it('but not when there is nothing', async () => {
        await expect(driver.read(nowhere, 0)).rejects.toMatchObject({ kind: 'missing' })
      })
    })

    describe('takes a local file', () => {
      const file = (bytes: Buffer | string): string => {
        const path = join(tempDir(), 'a.box')
        writeFileSync(path, bytes)
        return path
      }

      it.each([
        ['empty', Buffer.alloc(0)],
        ['a box', box()],
        ['large', big]
      ])('%s', async (_, bytes) => {
        const path = file(bytes)
        const before = statSync(path)
        const staged = await driver.takeFile(path, { checksums: ['md5'] })
        expect(staged).toMatchObject({
          size: bytes.length,
          checksums: { sha256: sha256(bytes), md5: createHash('md5').update(bytes).digest('hex') }
        })
        await driver.commit(staged)
        expect((await read(staged.sha256)).equals(bytes)).toBe(true)
        const after = statSync(path)
        expect([after.mtimeMs, after.mode, after.size]).toEqual([before.mtimeMs, before.mode, before.size])
      })

      it('that may be written to afterwards without changing what was kept', async () => {
        const path = file('first')
        const staged = await driver.takeFile(path)
        await driver.commit(staged)
        writeFileSync(path, 'other')
        expect((await read(staged.sha256)).toString()).toBe('first')
        await driver.remove(staged.sha256)
        expect(readFileSync(path, 'utf8')).toBe('other')
      })

      it('that nobody may write to', async () => {
        const path = file('read-only')
        execFileSync('chmod', ['400', path])
        const staged = await driver.takeFile(path)
        await driver.commit(staged)
        expect((await read(staged.sha256)).toString()).toBe('read-only')
      })

      it.each([
        ['a folder', (dir: string) => mkdirSync(dir), 'is a folder'],
        ['a pipe', (path: string) => execFileSync('mkfifo', [path]), 'is not a file'],
        ['nothing', () => {}, 'There is no file']
      ])('but not %s', async (_, make, why) => {
        const path = join(tempDir(), 'x')
        make(path)
        await expect(driver.takeFile(path)).rejects.toThrowError(why)
        await expect(driver.takeFile(path)).rejects.toMatchObject({ name: 'Problem', kind: 'invalid' })
      })

      it('but no device, and nothing behind a file', async () => {
        await expect(driver.takeFile('/dev/zero')).rejects.toThrowError('is not a file')
        await expect(driver.takeFile(join(file('x'), 'y'))).rejects.toThrowError('There is no file')
        await expect(driver.takeFile('a\0b')).rejects.toMatchObject({ name: 'Problem', kind: 'invalid' })
      })

      it('unless its listener fails', async () => {
        const onProgress = (): void => {
          throw new Error('not wanted')
        }
        await expect(driver.takeFile(file(big), { onProgress })).rejects.toThrowError('not wanted')
      })

      it('unless that is called off', async () => {
        const signal = AbortSignal.abort(new Error('not any more'))
        await expect(driver.takeFile(file(big), { signal })).rejects.toThrowError('not any more')
      })
    })

    describe('keeps', () => {
      it('the same bytes once, and counts them as new', async () => {
        await keep(big)
        const [first] = await all(driver.list())
        await untilClockMoves()
        await keep(big)
        const found = await all(driver.list())
        expect(found).toMatchObject([{ sha256: sha256(big), size: big.length }])
        expect(found[0]?.modifiedAt).toBeGreaterThan(first?.modifiedAt ?? Infinity)
      })

      it('the same bytes from two at once', async () => {
        const two = await Promise.all([1, 2].map(() => driver.receive(inPieces(big, 90_000))))
        await Promise.all(two.map((one) => driver.commit(one)))
        expect((await read(sha256(big))).equals(big)).toBe(true)
      })

      it('what is committed once more, until it is removed', async () => {
        const staged = await driver.receive(Readable.from(['x']))
        await driver.keep(staged)
        await driver.commit(staged)
        await driver.commit(staged)
        expect((await read(staged.sha256)).toString()).toBe('x')
        await driver.remove(staged.sha256)
        await expect(driver.commit(staged)).rejects.toMatchObject({ name: 'Problem', kind: 'missing' })
      })

      it('bytes under the id that was chosen for them', async () => {
        const ids = [randomUUID(), randomUUID()]
        const path = join(tempDir(), 'x')
        writeFileSync(path, 'x')
        const staged = [
          await driver.receive(Readable.from(['y']), { id: ids[0]! }),
          await driver.takeFile(path, { id: ids[1]! })
        ]
        expect(staged.map(({ id }) => id)).toEqual(ids)
        expect((await all(driver.staging())).map(({ id }) => id).sort()).toEqual(ids.sort())
        for (const one of staged) await driver.discard(one)
      })

      it('nothing that was discarded', async () => {
        const staged = await driver.receive(Readable.from(['x']))
        expect(await all(driver.staging())).toMatchObject([{ id: staged.id, size: 1 }])
        await driver.discard(staged)
        await driver.discard(staged)
        expect(await driver.size(staged.sha256)).toBeNull()
      })

      it('what is staged until somebody drops it', async () => {
        const before = Date.now()
        await driver.receive(Readable.from(['abandoned']))
        for await (const { id, modifiedAt } of driver.staging()) {
          expect(modifiedAt).toBeGreaterThanOrEqual(before - 2000)
          await driver.dropStaged(id)
        }
      })

      it('a list of everything', async () => {
        const many = Array.from({ length: 20 }, (_, i) => Buffer.from(`blob ${i}`))
        for (const bytes of many) await keep(bytes)
        const found = await all(driver.list())
        expect(found.map((one) => one.sha256).sort()).toEqual(many.map(sha256).sort())
      })

      it('an empty list when there is nothing', async () => {
        expect(await all(driver.list())).toEqual([])
        expect(await driver.size(nowhere)).toBeNull()
      })
    })

    describe('writes out', () => {
      it.each([
        ['the first byte', { start: 0, end: 0 }],
        ['the last byte', { start: big.length - 1, end: big.length - 1 }],
        ['a part over many buffers', { start: 1234, end: 2_345_678 }],
        ['all of it', { start: 0, end: big.length - 1 }]
      ])('%s', async (_, range) => {
        await keep(big)
        expect((await read(sha256(big), range)).equals(big.subarray(range.start, range.end + 1))).toBe(true)
      })

      it('and tells before the last bytes', async () => {
        await keep(big)
        const target = new Slow()
        let before = -1
        await driver.copyTo(sha256(big), target, undefined, {
          beforeLast: () => (before = target.bytes.length)
        })
        expect(before).toBeGreaterThanOrEqual(0)
        expect(before).toBeLessThan(big.length)
        expect(target.writableEnded, 'the target is left open').toBe(false)
      })

      it('an empty file, telling as well', async () => {
        const { sha256: name } = await keep(Buffer.alloc(0))
        let told = 0
        const target = new Slow()
        await driver.copyTo(name, target, undefined, { beforeLast: () => (told += 1) })
        expect([told, target.bytes.length]).toEqual([1, 0])
      })

      it('not the last bytes when the listener refuses', async () => {
        await keep(big)
        const target = new Slow()
        const beforeLast = (): void => {
          throw new Error('not counted')
        }
        await expect(driver.copyTo(sha256(big), target, undefined, { beforeLast })).rejects.toThrowError(
          'not counted'
        )
        expect(target.bytes.length).toBeLessThan(big.length)
      })

      it('nothing that is not there', async () => {
        await expect(driver.copyTo(nowhere, new Slow())).rejects.toMatchObject({ kind: 'missing' })
      })

      it('until the reader goes away', async () => {
        await keep(big)
        const target = new Writable({ highWaterMark: 10, write: () => {} }) // never takes the first piece
        const copied = driver.copyTo(sha256(big), target)
        setImmediate(() => target.destroy())
        await expect(copied).rejects.toThrowError()
        await expect(driver.copyTo(sha256(big), target), 'nor to one long gone').rejects.toThrowError()
      })

      it('until it is called off', async () => {
        await keep(big)
        const target = new Writable({ highWaterMark: 10, write: () => {} })
        const control = new AbortController()
        const copied = driver.copyTo(sha256(big), target, undefined, { signal: control.signal })
        setImmediate(() => control.abort(new Error('enough')))
        await expect(copied).rejects.toThrowError('enough')
      })

      it('to several at once', async () => {
        await keep(big)
        const copies = await Promise.all(Array.from({ length: 5 }, () => read(sha256(big))))
        for (const copy of copies) expect(copy.equals(big)).toBe(true)
      })
    })

    describe('reads again', () => {
      it('digests and facts', async () => {
        const bytes = box({ provider: 'libvirt', format: 'qcow2' })
        await keep(bytes)
        const seen: number[] = []
        const digest = await driver.digest(sha256(bytes), ['sha512'], (done) => seen.push(done))
        expect(digest).toMatchObject({
          size: bytes.length,
          checksums: { sha256: sha256(bytes), sha512: createHash('sha512').update(bytes).digest('hex') },
          facts: { provider: 'libvirt', diskFormat: 'qcow2' }
        })
        expect(seen.at(-1)).toBe(bytes.length)
      })

      it('nothing that is not there', async () => {
        expect(await driver.digest(nowhere, [])).toBeNull()
      })
    })

    describe('removes', () => {
      it('a blob with its sidecar, and again without harm', async () => {
        const { sha256: name } = await keep(big)
        await driver.writeSidecar(name, { a: 1 })
        await driver.remove(name)
        await driver.remove(name)
        expect([await driver.size(name), await driver.readSidecar(name)]).toEqual([null, null])
        expect(await all(driver.list())).toEqual([])
      })

      it('one nobody stored again', async () => {
        const { sha256: name } = await keep(big)
        await driver.writeSidecar(name, { a: 1 })
        const [found] = await all(driver.list())
        expect(await driver.removeIfUnchanged(name, found?.modifiedAt ?? 0)).toBe(true)
        expect([await driver.size(name), await driver.readSidecar(name)]).toEqual([null, null])
        expect(await driver.removeIfUnchanged(name, found?.modifiedAt ?? 0)).toBe(false)
      })

      it('none that was stored again meanwhile', async () => {
        const { sha256: name } = await keep(big)
        const [found] = await all(driver.list())
        await untilClockMoves()
        await keep(big)
        expect(await driver.removeIfUnchanged(name, found?.modifiedAt ?? 0)).toBe(false)
        expect((await read(name)).equals(big)).toBe(true)
      })

      it('none under the hands of those who store it', async () => {
        const bytes = Buffer.from('contended')
        for (let round = 0; round < 20; round += 1) {
          await keep(bytes)
          const [found] = await all(driver.list())
          await untilClockMoves()
          await Promise.all([keep(bytes), driver.removeIfUnchanged(sha256(bytes), found?.modifiedAt ?? 0)])
          expect(await driver.size(sha256(bytes))).toBe(bytes.length)
        }
      })

      it('from sight what is put into quarantine', async () => {
        const { sha256: name } = await keep(big)
        await driver.writeSidecar(name, {})
        await driver.quarantine(name)
        await driver.quarantine(name)
        expect([await driver.size(name), await driver.readSidecar(name)]).toEqual([null, null])
        expect(await all(driver.list())).toEqual([])
        await keep(big)
        expect(await driver.size(name)).toBe(big.length)
      })
    })

    describe('keeps a sidecar', () => {
      it('and replaces it', async () => {
        const { sha256: name } = await keep(big)
        expect(await driver.readSidecar(name)).toBeNull()
        await driver.writeSidecar(name, { boxes: ['a/b'] })
        await driver.writeSidecar(name, { boxes: ['a/ü'] })
        expect(await driver.readSidecar(name)).toEqual({ boxes: ['a/ü'] })
        expect(await all(driver.list()), 'sidecars are no blobs').toHaveLength(1)
      })

      it('only beside a blob', async () => {
        await driver.writeSidecar(nowhere, {})
        expect(await driver.readSidecar(nowhere)).toBeNull()
      })
    })

    it('says how much room there is', async () => {
      expect(await driver.freeBytes()).toBeGreaterThan(0)
    })
  })
}

/** File times may be as coarse as the clock that ticks for the kernel. */
async function untilClockMoves(): Promise<void> {
  const start = Date.now()
  while (Date.now() < start + 2) await new Promise((resolve) => setImmediate(resolve))
}
