import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { Problem } from '../../src-main/domain/problem.ts'
import type { Deed } from '../../src-main/domain/sync/plan-types.ts'
import type { BoxSnapshot, Checksums, ImageName } from '../../src-main/domain/sync/snapshot.ts'
import type { BytesToPut, End, Listed, Memo, OpenedBytes, PutOptions } from '../../src-main/remotes/end.ts'
import { RemoteFailure } from '../../src-main/remotes/failure.ts'
import { sha256 } from '../support/sha256.ts'

/** An end with an organization in which boxes may be made, and nothing else that matters. Closed by who made it. */
export interface EndToTest {
  readonly end: End
  readonly organization: string
}

/** In what ends may differ without being worse for it. */
export interface EndManners {
  /** Whether bytes that were cut off go on where they were, rather than from the beginning. */
  readonly resumesPut: boolean
  /** Whether bytes are opened from any byte on, rather than from the beginning. */
  readonly opensAnywhere: boolean
  /** Whether listings know that nothing has changed. */
  readonly hasCursor: boolean
}

const never = new AbortController().signal

/** A memo that a second attempt can be given. */
export function memoInMemory(): Memo & { value: unknown } {
  return {
    value: null,
    read() {
      return this.value
    },
    write(value) {
      // As a row would keep it.
      this.value = JSON.parse(JSON.stringify(value)) as unknown
    }
  }
}

/** Bytes as an end hands them to another, and how often they were opened from where. */
export function bytesToPut(
  bytes: Buffer,
  { checksums = { sha256: sha256(bytes) }, size = bytes.length as number | null, breakAt = Infinity } = {}
): BytesToPut & { readonly opened: number[]; readonly checksums: Checksums } {
  const opened: number[] = []
  return {
    size,
    checksums,
    opened,
    async open(from) {
      opened.push(from)
      return { body: inPieces(bytes, from, breakAt), from, size: bytes.length }
    }
  }
}

function inPieces(bytes: Buffer, from: number, breakAt: number): Readable {
  const piece = 100_000
  return Readable.from(
    (async function* () {
      for (let at = from; at < bytes.length; at += piece) {
        if (at >= breakAt) throw new RemoteFailure('offline', ['The source broke off.'])
        yield bytes.subarray(at, Math.min(at + piece, bytes.length))
      }
    })(),
    { objectMode: false }
  )
}

export async function allOf({ body }: OpenedBytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const texts = { shortDescription: 'A tiny box', description: 'Long *text*\nin lines', private: false }
const big = randomBytes(1_500_000)
const other = randomBytes(700_000)

/** What every end must do, whatever it keeps boxes in. `make` is called once a test. */
export function endContract(name: string, make: () => Promise<EndToTest>, manners: EndManners): void {
  describe(name, () => {
    let end: End
    let organization: string
    const tag = (box = 'tiny') => ({ organization, name: box })
    const image = (architecture = 'amd64', version = '1.0.0'): ImageName => ({
      version,
      provider: 'virtualbox',
      // One that knows no architectures has this for all of them.
      architecture: end.traits.architectures ? architecture : 'unknown'
    })
    const carryOut = (deed: Exclude<Deed, { kind: 'put-bytes' }>, box?: string) =>
      end.carryOut(tag(box), deed, never)
    const read = async (box?: string): Promise<BoxSnapshot | null> =>
      sorted((await end.read(tag(box), never))?.snapshot ?? null)
    const contentOf = async (of: ImageName = image()) =>
      (await read())?.versions
        .find(({ number }) => number === of.version)
        ?.images.find((one) => one.provider === of.provider && one.architecture === of.architecture)?.content
    const createImage = (of = image(), more: Partial<Extract<Deed, { kind: 'create-image' }>> = {}) =>
      carryOut({
        kind: 'create-image',
        ...of,
        isDefault: true,
        url: null,
        checksums: {},
        known: null,
        ...more
      })
    const put = (bytes: BytesToPut, more: Partial<PutOptions> = {}, of = image()) =>
      end.put(tag(), of, bytes, {
        signal: never,
        memo: memoInMemory(),
        onProgress: () => {},
        onVerifying: () => {},
        ...more
      })
    /** A box with a version and an image without bytes. */
    const prepare = async (checksums: Checksums = {}): Promise<void> => {
      await carryOut({ kind: 'create-box', texts })
      await carryOut({ kind: 'create-version', version: '1.0.0', description: 'the first' })
      await createImage(image(), { checksums })
    }
    const failureOf = async (
      work: Promise<unknown>
    ): Promise<{ kind: string; sentences: readonly string[] }> => {
      const error = await work.then(
        () => null,
        (error: unknown) => error
      )
      if (error instanceof RemoteFailure || error instanceof Problem) return error
      throw new Error('no failure that people can be told', { cause: error })
    }

    beforeEach(async () => {
      const made = await make()
      end = made.end
      organization = made.organization
    })

    describe('a box', () => {
      it('that is not there is null, in an organization that is not there too', async () => {
        expect(await end.read(tag('nothing'), never)).toBeNull()
        expect(await end.read({ organization: 'nobody', name: 'nothing' }, never)).toBeNull()
      })

      it('is made with its texts, and changed one by one', async () => {
        await carryOut({ kind: 'create-box', texts: { ...texts, private: true } })
        expect(await read()).toEqual({ ...texts, private: true, versions: [] })
        await carryOut({ kind: 'change-box', texts: { shortDescription: 'another' } })
        expect(await read()).toMatchObject({ ...texts, shortDescription: 'another', private: true })
        await carryOut({ kind: 'change-box', texts: { private: false, description: '' } })
        expect(await read()).toMatchObject({ shortDescription: 'another', description: '', private: false })
      })

      it('keeps texts with quotes, line ends and letters of every script', async () => {
        const odd = {
          ...texts,
          description: '"\'\\ \u2028 <b>ü漢字🎁</b>\n\n- ok',
          shortDescription: 'é"\\🎁'
        }
        await carryOut({ kind: 'create-box', texts: odd })
        expect(await read()).toMatchObject(odd)
      })

      it('that is there already is not made into another by making it again', async () => {
        await carryOut({ kind: 'create-box', texts })
        await carryOut({ kind: 'create-box', texts: { ...texts, description: 'another' } })
        expect(await read()).toMatchObject(texts)
      })

      it('that is not there cannot be changed', async () => {
        const failure = await failureOf(carryOut({ kind: 'change-box', texts: { description: 'x' } }))
        expect(failure).toMatchObject({ kind: 'missing', sentences: [expect.any(String)] })
        expect(await read()).toBeNull()
      })

      it('goes with all that is in it, and stays gone', async () => {
        await prepare()
        await carryOut({ kind: 'remove-box' })
        await carryOut({ kind: 'remove-box' })
        expect(await read()).toBeNull()
      })
    })

    describe('versions and images', () => {
      it('are the same whether each deed was carried out once or twice', async () => {
        const deeds: Exclude<Deed, { kind: 'put-bytes' }>[] = [
          { kind: 'create-box', texts },
          { kind: 'change-box', texts: { description: 'changed' } },
          { kind: 'create-version', version: '1.0.0', description: 'the first' },
          { kind: 'change-version', version: '1.0.0', description: 'changed' },
          { kind: 'create-version', version: '2.0.0-rc.1', description: '' },
          {
            ...{ kind: 'create-image', ...image(), isDefault: true, known: null },
            ...{ url: 'https://elsewhere.example/a.box', checksums: {} }
          } as Extract<Deed, { kind: 'create-image' }>,
          { kind: 'release', version: '1.0.0' },
          { kind: 'revoke', version: '1.0.0' },
          { kind: 'remove-version', version: '2.0.0-rc.1' }
        ]
        for (const deed of deeds) {
          await carryOut(deed)
          await carryOut(deed)
        }
        expect(await read()).toEqual({
          ...texts,
          description: 'changed',
          versions: [
            {
              number: '1.0.0',
              status: 'revoked',
              description: 'changed',
              images: [
                {
                  provider: 'virtualbox',
                  architecture: image().architecture,
                  isDefault: true,
                  content: { kind: 'url', url: 'https://elsewhere.example/a.box', checksums: {} }
                }
              ]
            }
          ]
        })
      })

      it('without bytes are empty, also when it is known which will come', async () => {
        await prepare({ sha256: sha256(big) })
        expect(await contentOf()).toEqual({ kind: 'empty' })
      })

      it('that lie elsewhere have the address and the checksum they were given', async () => {
        await carryOut({ kind: 'create-box', texts })
        await carryOut({ kind: 'create-version', version: '1.0.0', description: '' })
        const checksums = { sha256: sha256(big) }
        await createImage(image(), { url: 'https://elsewhere.example/a.box', checksums })
        expect(await contentOf()).toEqual({ kind: 'url', url: 'https://elsewhere.example/a.box', checksums })
        const moved = { url: 'https://elsewhere.example/b.box', checksums: { sha256: sha256(other) } }
        await carryOut({ kind: 'change-image', ...image(), url: moved })
        await carryOut({ kind: 'change-image', ...image(), url: moved })
        expect(await contentOf()).toEqual({ kind: 'url', ...moved })
      })

      it('go one by one, and stay gone', async () => {
        await prepare()
        await carryOut({ kind: 'remove-image', ...image() })
        await carryOut({ kind: 'remove-image', ...image() })
        expect((await read())?.versions).toMatchObject([{ images: [] }])
        await carryOut({ kind: 'remove-version', version: '1.0.0' })
        expect((await read())?.versions).toEqual([])
      })

      it('have one default for each provider, which moves to the one that asks for it', async () => {
        if (!end.traits.architectures) return
        await prepare()
        await createImage(image('arm64'), { isDefault: false })
        const defaults = async () =>
          (await read())?.versions[0]?.images.filter((one) => one.isDefault).map((one) => one.architecture)
        expect(await defaults()).toEqual(['amd64'])
        await carryOut({ kind: 'change-image', ...image('arm64'), isDefault: true })
        await carryOut({ kind: 'change-image', ...image('arm64'), isDefault: true })
        expect(await defaults()).toEqual(['arm64'])
        await createImage(image('i386'), { isDefault: true })
        expect(await defaults()).toEqual(['i386'])
        await carryOut({ kind: 'remove-image', ...image('i386') })
        expect(await defaults()).toHaveLength(1)
      })

      it('are not released before there is a file or an address, and say why', async () => {
        await prepare()
        const { kind, sentences } = await failureOf(carryOut({ kind: 'release', version: '1.0.0' }))
        expect(kind).toMatch(/^(refused|invalid)$/)
        expect(sentences.join(' ')).toMatch(/1\.0\.0/)
        expect((await read())?.versions).toMatchObject([{ status: 'unreleased' }])
      })

      it('that were revoked are not released again', async () => {
        await prepare()
        await put(bytesToPut(big))
        await carryOut({ kind: 'release', version: '1.0.0' })
        expect((await read())?.versions).toMatchObject([{ status: 'active' }])
        await carryOut({ kind: 'revoke', version: '1.0.0' })
        expect((await failureOf(carryOut({ kind: 'release', version: '1.0.0' }))).kind).toMatch(
          /^(refused|invalid)$/
        )
        expect((await read())?.versions).toMatchObject([{ status: 'revoked' }])
      })
    })

    describe('bytes', () => {
      it('become the file of the image, with their checksum, and are told of on the way', async () => {
        await prepare({ sha256: sha256(big) })
        const progress: number[] = []
        let verifying = 0
        await put(bytesToPut(big), {
          onProgress: (bytes) => void progress.push(bytes),
          onVerifying: () => void (verifying += 1)
        })
        expect(await contentOf()).toMatchObject({ kind: 'bytes', checksums: { sha256: sha256(big) } })
        expect([null, big.length]).toContain(((await contentOf()) as { size: number | null }).size)
        expect(progress.at(-1)).toBe(big.length)
        expect(progress).toEqual(progress.toSorted((a, b) => a - b))
        expect(verifying).toBe(1)
        expect((await allOf(await end.open(tag(), image(), 0, never))).equals(big)).toBe(true)
      })

      it.each([
        ['of no length at all', Buffer.alloc(0)],
        ['of one byte', Buffer.from('x')]
      ])('may be %s', async (_what, bytes) => {
        await prepare()
        await put(bytesToPut(bytes))
        expect(await contentOf()).toMatchObject({ kind: 'bytes', checksums: { sha256: sha256(bytes) } })
        expect((await allOf(await end.open(tag(), image(), 0, never))).equals(bytes)).toBe(true)
      })

      it('need not have a length or a checksum that was known beforehand', async () => {
        await prepare()
        await put(bytesToPut(big, { size: null, checksums: {} as { sha256: string } }))
        expect((await allOf(await end.open(tag(), image(), 0, never))).equals(big)).toBe(true)
      })

      it('that are there already are not sent again', async () => {
        await prepare()
        await put(bytesToPut(big))
        const again = bytesToPut(big)
        await put(again)
        expect(again.opened).toEqual([])
      })

      it('take the place of others once they are there', async () => {
        await prepare()
        await put(bytesToPut(big))
        await put({ ...bytesToPut(other), replaces: true })
        expect(await contentOf()).toMatchObject({ checksums: { sha256: sha256(other) } })
        expect((await allOf(await end.open(tag(), image(), 0, never))).equals(other)).toBe(true)
      })

      it('do not take the place of others unless that is wanted', async () => {
        await prepare()
        await put(bytesToPut(big))
        const before = await read()
        const unwanted = bytesToPut(other)
        expect(await failureOf(put(unwanted))).toMatchObject({ kind: 'busy' })
        expect(unwanted.opened).toEqual([])
        expect(await read()).toEqual(before)
      })

      it('nor of others that came while they were on their way', async () => {
        await prepare()
        const theirs = bytesToPut(other)
        let came: Promise<void> | null = null
        const slow = bytesToPut(big)
        const work = put({
          ...slow,
          async open(from, signal) {
            await (came ??= put(theirs))
            return slow.open(from, signal)
          }
        })
        expect(await failureOf(work)).toMatchObject({ kind: 'busy' })
        expect(await contentOf()).toMatchObject({ checksums: { sha256: sha256(other) } })
      })

      it.each(['nothing', 'others'])(
        'that are not the ones they should be change nothing where there were %s',
        async (were) => {
          await prepare()
          if (were === 'others') await put(bytesToPut(other))
          const before = await read()
          const checksums = { sha256: sha256(Buffer.from('others')) }
          const wrong = { ...bytesToPut(big, { checksums }), replaces: true }
          expect((await failureOf(put(wrong))).kind).toMatch(/^(damaged|invalid)$/)
          expect(await read()).toEqual(before)
          if (were === 'others')
            expect((await allOf(await end.open(tag(), image(), 0, never))).equals(other)).toBe(true)
          // And the right ones are welcome still.
          await put({ ...bytesToPut(big), replaces: true })
          expect(await contentOf()).toMatchObject({ checksums: { sha256: sha256(big) } })
        }
      )

      it('that break off change nothing, and go on with the next attempt', async () => {
        await prepare()
        const memo = memoInMemory()
        expect(await failureOf(put(bytesToPut(big, { breakAt: 800_000 }), { memo }))).toMatchObject({
          kind: 'offline'
        })
        expect(await contentOf()).toEqual({ kind: 'empty' })
        const again = bytesToPut(big)
        await put(again, { memo })
        expect(await contentOf()).toMatchObject({ checksums: { sha256: sha256(big) } })
        expect(again.opened).toHaveLength(1)
        if (manners.resumesPut) expect(again.opened[0]).toBeGreaterThan(0)
      })

      it('stop when they are not wanted any more, and change nothing', async () => {
        await prepare()
        const stop = new AbortController()
        const reason = new Error('not wanted')
        const work = put(bytesToPut(big), {
          signal: stop.signal,
          onProgress: (n) => void (n > 0 && stop.abort(reason))
        })
        await expect(work).rejects.toBe(reason)
        expect(await contentOf()).toEqual({ kind: 'empty' })
      })

      it('are not even asked for when nobody wants them from the start', async () => {
        await prepare()
        const bytes = bytesToPut(big)
        const reason = new Error('not wanted')
        await expect(put(bytes, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
        expect(bytes.opened).toEqual([])
      })

      it('for an image that is not there are refused', async () => {
        await carryOut({ kind: 'create-box', texts })
        await carryOut({ kind: 'create-version', version: '1.0.0', description: '' })
        expect(await failureOf(put(bytesToPut(big)))).toMatchObject({ kind: 'missing' })
      })

      it.each([0, 1, 700_000, big.length - 1, big.length])('can be read from byte %i on', async (from) => {
        await prepare()
        await put(bytesToPut(big))
        const opened = await end.open(tag(), image(), from, never)
        expect([from, 0]).toContain(opened.from)
        if (manners.opensAnywhere) expect(opened.from).toBe(from)
        expect(opened.size).toBe(big.length)
        expect((await allOf(opened)).equals(big.subarray(opened.from))).toBe(true)
      })

      it('that are not there cannot be read', async () => {
        await prepare()
        expect(await failureOf(end.open(tag(), image(), 0, never))).toMatchObject({ kind: 'missing' })
        expect(await failureOf(end.open(tag('nothing'), image(), 0, never))).toMatchObject({
          kind: 'missing'
        })
      })

      it('that are being read may be left in the middle', async () => {
        await prepare()
        await put(bytesToPut(big))
        const { body } = await end.open(tag(), image(), 0, never)
        for await (const _ of body) break
        expect((await allOf(await end.open(tag(), image(), 0, never))).equals(big)).toBe(true)
      })
    })

    describe('a listing', () => {
      const listed = async (cursor: string | null = null) => {
        const listing = await end.list(organization, cursor, never)
        const boxes: Listed[] = []
        for await (const page of listing.boxes) boxes.push(...page)
        return { unchanged: listing.unchanged, boxes, cursor: listing.cursor() }
      }

      it('has every box of the organization, each as it is read', async () => {
        for (const name of ['one', 'two', 'three']) await carryOut({ kind: 'create-box', texts }, name)
        const { boxes } = await listed()
        const here = boxes.filter(({ name }) => ['one', 'two', 'three'].includes(name))
        expect(here.map(({ name }) => name).toSorted()).toEqual(['one', 'three', 'two'])
        for (const box of here) {
          expect(box.organization).toBe(organization)
          const seen = await end.read({ organization, name: box.name }, never)
          expect(box.stamp).toBe(seen?.stamp)
        }
      })

      it('tells of a box that anything of it has changed', async () => {
        await prepare()
        const stampOf = async () => (await listed()).boxes.find(({ name }) => name === 'tiny')?.stamp
        let before = await stampOf()
        expect(before).not.toBeNull()
        const changes: (() => Promise<void>)[] = [
          () => carryOut({ kind: 'change-box', texts: { description: 'x' } }),
          () => carryOut({ kind: 'change-version', version: '1.0.0', description: 'x' }),
          () => put(bytesToPut(other)),
          () => carryOut({ kind: 'release', version: '1.0.0' })
        ]
        for (const change of changes) {
          await change()
          const after = await stampOf()
          expect(after).not.toBe(before)
          before = after
        }
      })

      it('knows that nothing has changed since an earlier one, and that something has', async () => {
        if (!manners.hasCursor) return
        await prepare()
        const { cursor, unchanged } = await listed()
        expect(unchanged).toBe(false)
        expect(cursor).not.toBeNull()
        expect(await listed(cursor)).toEqual({ unchanged: true, boxes: [], cursor })
        await carryOut({ kind: 'create-box', texts }, 'another')
        const later = await listed(cursor)
        expect(later.unchanged).toBe(false)
        expect(later.boxes.map(({ name }) => name)).toContain('another')
      })

      it('takes a cursor it cannot read for none', async () => {
        await prepare()
        expect((await listed('{"nonsense')).boxes.length).toBeGreaterThan(0)
      })

      it('that is left in the middle has no cursor', async () => {
        await prepare()
        const listing = await end.list(organization, null, never)
        for await (const _ of listing.boxes) break
        expect(listing.cursor()).toBeNull()
      })
    })

    describe('names', () => {
      it.each([
        '..',
        '.',
        '',
        'a/b',
        '../tiny',
        '%2e%2e',
        'a\\b',
        'a\0b',
        'a\nb',
        'x'.repeat(5000),
        '\ud800',
        ' '
      ])('that no box can have lead to none: %j', async (name) => {
        expect(await end.read({ organization, name }, never)).toBeNull()
        expect(await end.read({ organization: name, name: 'tiny' }, never)).toBeNull()
        const made = end.carryOut({ organization, name }, { kind: 'create-box', texts }, never)
        expect((await failureOf(made)).sentences.length).toBeGreaterThan(0)
        const listing = await end.list(organization, null, never)
        for await (const page of listing.boxes) for (const box of page) expect(box.name).not.toBe(name)
      })

      it.each(['..', 'a/b', '', '%2e%2e', 'v1', '1.0.0/../../x'])('nor versions: %j', async (version) => {
        await carryOut({ kind: 'create-box', texts })
        const before = await read()
        await failureOf(carryOut({ kind: 'create-version', version, description: '' }))
        expect(await read()).toEqual(before)
      })
    })
  })
}

/** In an order of its own: that of an end means nothing. */
function sorted(box: BoxSnapshot | null): BoxSnapshot | null {
  if (!box) return null
  return {
    ...box,
    versions: box.versions
      .map((version) => ({
        ...version,
        images: version.images.toSorted((a, b) =>
          `${a.provider} ${a.architecture}` < `${b.provider} ${b.architecture}` ? -1 : 1
        )
      }))
      .toSorted((a, b) => (a.number < b.number ? -1 : 1))
  }
}
