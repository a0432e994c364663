import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Deed } from '../../../../../src-main/domain/sync/plan-types.ts'
import type { End, Listed, Tag } from '../../../../../src-main/remotes/end.ts'
import { openFolder } from '../../../../../src-main/remotes/ends/folder/open-folder.ts'
import { FolderPaths } from '../../../../../src-main/remotes/ends/folder/paths.ts'
import { RemoteFailure } from '../../../../../src-main/remotes/failure.ts'
import { bytesToPut, memoInMemory } from '../../../../contract/end.ts'
import { upkeepWorld } from '../../../../support/upkeep.ts'
import { tempDir } from '../../../../support/temp.ts'
import { sha256 } from '../../../../support/sha256.ts'

const { signal } = new AbortController()
const texts = { shortDescription: 'Small', description: '# Tiny', private: false }
const tag = { organization: 'acme', name: 'tiny' }
const image = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }
const file = Buffer.from('bytes of a box')

async function opened(location = tempDir(), setUp = true) {
  const { end, introduction } = await openFolder({ location, setUp }, signal)
  onTestFinished(() => end.close())
  return { location, end, introduction, document: join(location, 'boxes', 'acme', 'tiny.json') }
}

async function failureOf(work: Promise<unknown>): Promise<{ kind: string; text: string }> {
  const error = await work.then(
    () => expect.fail('nothing failed'),
    (error: unknown) => error
  )
  if (!(error instanceof RemoteFailure)) throw error
  return { kind: error.kind, text: error.sentences.join(' ') }
}

async function fill(end: End, at: Tag = tag, bytes = file): Promise<void> {
  const deeds: Exclude<Deed, { kind: 'put-bytes' }>[] = [
    { kind: 'create-box', texts },
    { kind: 'create-version', version: '1.0.0', description: 'the first' },
    { kind: 'create-image', ...image, isDefault: true, url: null, checksums: {}, known: null }
  ]
  for (const deed of deeds) await end.carryOut(at, deed, signal)
  await end.put(
    at,
    image,
    { ...bytesToPut(bytes), replaces: true },
    {
      ...{ signal, memo: memoInMemory(), onProgress: () => {}, onVerifying: () => {} }
    }
  )
}

async function listed(end: End, cursor: string | null = null, organization: string | null = null) {
  const listing = await end.list(organization, cursor, signal)
  const boxes: Listed[] = []
  for await (const page of listing.boxes) boxes.push(...page)
  return { boxes, cursor: listing.cursor(), unchanged: listing.unchanged }
}

const blobPath = (location: string, bytes = file): string =>
  join(location, 'blobs', 'sha256', sha256(bytes).slice(0, 2), sha256(bytes))

describe('opening a folder', () => {
  it('that is empty makes it a remote once it is set up, and leaves it alone before', async () => {
    const { location, introduction } = await opened(tempDir(), false)
    expect(readdirSync(location)).toEqual([])
    expect(introduction.notes.join(' ')).toMatch(/empty/)
    const added = await opened(location)
    const again = await opened(location, false)
    expect(again.introduction.identity).toBe(added.introduction.identity)
    expect(again.introduction.identity).not.toBe(introduction.identity)
  })

  it('takes what systems put onto every disk for nothing', async () => {
    const location = tempDir()
    mkdirSync(join(location, 'System Volume Information'))
    mkdirSync(join(location, '.Trash-1000'))
    await opened(location)
  })

  it.each([
    ['is not there', (path: string) => join(path, 'nothing'), 'offline', /not there.*Plug in/],
    [
      'holds other files',
      (path: string) => (writeFileSync(join(path, 'holiday.jpg'), ''), path),
      'refused',
      /holiday\.jpg/
    ],
    [
      'is a file',
      (path: string) => (writeFileSync(join(path, 'file'), ''), join(path, 'file')),
      'odd',
      /not a folder/
    ],
    [
      'has a damaged identity',
      (path: string) => (writeFileSync(join(path, 'boxyard-remote.json'), '{'), path),
      'odd',
      /damaged/
    ],
    [
      'is of a newer program',
      (path: string) => (writeFileSync(join(path, 'boxyard-remote.json'), '{"schema":9}'), path),
      'odd',
      /newer Boxyard/
    ]
  ])('that %s is refused in words', async (_what, make, kind, words) => {
    const failure = await failureOf(openFolder({ location: make(tempDir()), setUp: true }, signal))
    expect(failure).toEqual({ kind, text: expect.stringMatching(words) as string })
  })

  it
    .skipIf(process.platform === 'win32')
    .each(['boxes', 'boxes/acme', 'blobs', 'blobs/sha256', 'locks', 'uploads'])(
    'whose %s leads out of it is refused, and nothing is touched there',
    async (name) => {
      const { location, end } = await opened()
      await fill(end)
      const outside = tempDir()
      rmSync(join(location, name), { recursive: true, force: true })
      symlinkSync(outside, join(location, name))
      const failure = await failureOf(openFolder({ location }, signal))
      expect(failure).toEqual({ kind: 'refused', text: expect.stringMatching(/leads out of it/) as string })
      expect(readdirSync(outside)).toEqual([])
      rmSync(join(location, name))
      mkdirSync(join(location, 'elsewhere'))
      symlinkSync(join(location, 'elsewhere'), join(location, name))
      await opened(location, false)
    }
  )

  it('that was one and is empty now waits for its disk, and is left alone', async () => {
    const location = tempDir()
    const failure = await failureOf(openFolder({ location }, signal))
    expect(failure).toEqual({ kind: 'offline', text: expect.stringMatching(/not be plugged in/) as string })
    expect(readdirSync(location)).toEqual([])
  })

  it('that goes away while it is open is offline, and another in its place is another', async () => {
    const { location, end } = await opened()
    await fill(end)
    renameSync(location, `${location}.away`)
    onTestFinished(() => rmSync(`${location}.away`, { recursive: true, force: true }))
    expect((await failureOf(end.read(tag, signal))).kind).toBe('offline')
    mkdirSync(location)
    expect((await failureOf(end.carryOut(tag, { kind: 'create-box', texts }, signal))).kind).toBe('offline')
    expect(readdirSync(location)).toEqual([])
    await opened(location)
    expect((await failureOf(end.carryOut(tag, { kind: 'create-box', texts }, signal))).kind).toBe('another')
  })
})

describe('documents of a folder', () => {
  it('keep names as they are written, and find them however they are asked for', async () => {
    const { end, location } = await opened()
    const written = { organization: 'AcMe', name: 'Web.Node-X' }
    await fill(end, written)
    expect(await end.read({ organization: 'acme', name: 'WEB.node-x' }, signal)).toMatchObject({
      snapshot: texts
    })
    expect((await listed(end)).boxes).toMatchObject([written])
    expect(readdirSync(join(location, 'boxes', 'acme'))).toContain('web.node-x.json')
  })

  it.each(['con', 'NUL.box', 'com1', 'aux', 'ends.with.', 'a..b', 'x'.repeat(128), 'X'.repeat(128), '0'])(
    'of a box named %s have a file name every system takes',
    async (name) => {
      const { end, location } = await opened()
      const written = { organization: name, name }
      await fill(end, written)
      expect((await listed(end)).boxes).toMatchObject([written])
      expect((await end.read(written, signal))?.snapshot.versions).toHaveLength(1)
      for (const entry of readdirSync(join(location, 'boxes'), { recursive: true, encoding: 'utf8' }))
        for (const part of entry.split('/')) {
          expect(part).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|[. ]$|[<>:"\\|?*]/i)
          expect(part.length).toBeLessThan(200)
        }
    }
  )

  it.each([
    ['no JSON', () => '{"schema": 1, "organ'],
    ['of another box', (text: string) => text.replace('"tiny"', '"other"')],
    ['of a newer program', (text: string) => text.replace('"schema": 1', '"schema": 2')],
    ['with a status nobody knows', (text: string) => text.replace('"unreleased"', '"sold"')],
    [
      'with a checksum that is a path',
      (text: string) => text.replace(sha256(file), '../../../../etc/passwd')
    ],
    ['empty', () => '']
  ])('that are %s keep that box from being read, and no other', async (_what, damage) => {
    const { end, document } = await opened()
    await fill(end)
    await fill(end, { ...tag, name: 'sound' })
    const before = damage(readFileSync(document, 'utf8'))
    writeFileSync(document, before)
    const failure = await failureOf(end.read(tag, signal))
    expect(failure.kind).toBe('odd')
    expect(failure.text).toContain(document)
    expect((await failureOf(end.carryOut(tag, { kind: 'change-box', texts: {} }, signal))).kind).toBe('odd')
    expect(readFileSync(document, 'utf8')).toBe(before)
    expect((await end.read({ ...tag, name: 'sound' }, signal))?.snapshot).toMatchObject(texts)
    expect((await listed(end)).boxes.map(({ name }) => name)).toEqual(['sound', 'tiny'])
  })

  it('lose nothing when several programs change one box at the same time', async () => {
    const { end, location } = await opened()
    await fill(end)
    const others = await Promise.all([opened(location), opened(location)])
    const numbers = Array.from({ length: 12 }, (_, i) => `2.${i}.0`)
    await Promise.all(
      numbers.map((version, i) =>
        (others[i % 2]?.end ?? end).carryOut(
          tag,
          { kind: 'create-version', version, description: '' },
          signal
        )
      )
    )
    const seen = await end.read(tag, signal)
    expect(seen?.snapshot.versions.map(({ number }) => number).toSorted()).toEqual(
      ['1.0.0', ...numbers].toSorted()
    )
    expect(readdirSync(join(location, 'locks'))).toEqual([])
  })

  it('are changed though a machine that went away left its lock behind', async () => {
    const { end, location } = await opened()
    await fill(end)
    const lock = new FolderPaths(location).lock('box acme/tiny')
    writeFileSync(lock, 'another machine')
    const longAgo = new Date(Date.now() - 3_600_000)
    utimesSync(lock, longAgo, longAgo)
    await end.carryOut(tag, { kind: 'release', version: '1.0.0' }, signal)
    expect((await end.read(tag, signal))?.snapshot.versions).toMatchObject([{ status: 'active' }])
  })

  it.skipIf(process.getuid?.() === 0)('are refused where nothing may be written', async () => {
    const { end, location } = await opened()
    await fill(end)
    chmodSync(join(location, 'locks'), 0o500)
    onTestFinished(() => chmodSync(join(location, 'locks'), 0o700))
    expect((await failureOf(end.carryOut(tag, { kind: 'release', version: '1.0.0' }, signal))).kind).toBe(
      'forbidden'
    )
  })
})

describe('a listing of a folder', () => {
  it('notices what another program changed, and what somebody copied by hand', async () => {
    const { end, location, document } = await opened()
    await fill(end)
    const first = await listed(end)
    expect((await listed(end, first.cursor)).unchanged).toBe(true)
    const other = await opened(location)
    await other.end.carryOut(tag, { kind: 'release', version: '1.0.0' }, signal)
    const second = await listed(end, first.cursor)
    expect(second.unchanged).toBe(false)
    expect(second.boxes[0]?.stamp).not.toBe(first.boxes[0]?.stamp)
    writeFileSync(join(location, 'boxes', 'acme', 'copied.json'), readFileSync(document))
    expect((await listed(end, second.cursor)).unchanged).toBe(false)
  })

  it('reads no document', async () => {
    const { end, location } = await opened()
    mkdirSync(join(location, 'boxes', 'acme'), { recursive: true })
    for (let i = 0; i < 1200; i++)
      writeFileSync(join(location, 'boxes', 'acme', `box-${i}.json`), 'no document')
    const pages: number[] = []
    const listing = await end.list(null, null, signal)
    for await (const page of listing.boxes) pages.push(page.length)
    expect(pages.reduce((sum, count) => sum + count, 0)).toBe(1200)
    expect(pages.length).toBeGreaterThan(1)
  })

  it('leaves out files of others', async () => {
    const { end, location } = await opened()
    await fill(end)
    const folder = join(location, 'boxes', 'acme')
    for (const name of ['notes.txt', '.hidden.json', '-x.json', 'a b.json', '..json', 'Tiny (1).json'])
      writeFileSync(join(folder, name), '{}')
    mkdirSync(join(folder, 'folder.json'))
    writeFileSync(join(location, 'boxes', 'stray'), '')
    expect((await listed(end)).boxes.map(({ name }) => name)).toEqual(['tiny'])
  })
})

describe('files of a folder', () => {
  it('stay while any box uses them, and go with the last', async () => {
    const { end, location } = await opened()
    await fill(end)
    await fill(end, { ...tag, name: 'second' })
    await end.carryOut(tag, { kind: 'remove-box' }, signal)
    expect(readFileSync(blobPath(location))).toEqual(file)
    await end.carryOut({ ...tag, name: 'second' }, { kind: 'remove-image', ...image }, signal)
    expect(() => readFileSync(blobPath(location))).toThrow(/ENOENT/)
  })

  it('that were replaced go, and those nobody can tell the use of stay', async () => {
    const { end, location } = await opened()
    await fill(end)
    const other = Buffer.from('others')
    await fill(end, tag, other)
    expect(() => readFileSync(blobPath(location))).toThrow(/ENOENT/)
    writeFileSync(`${blobPath(location, other)}.json`, 'no sidecar')
    await end.carryOut(tag, { kind: 'remove-version', version: '1.0.0' }, signal)
    expect(readFileSync(blobPath(location, other))).toEqual(other)
  })

  it('that are there already for another box are not sent again, unless they are damaged', async () => {
    const { end, location } = await opened()
    await fill(end)
    const { opened: asked, ...rest } = bytesToPut(file)
    const bytes = { ...rest, replaces: true }
    const options = { signal, memo: memoInMemory(), onProgress: () => {}, onVerifying: () => {} }
    const prepare = async (name: string): Promise<Tag> => {
      await fill(end, { ...tag, name }, Buffer.from('others'))
      return { ...tag, name }
    }
    await end.put(await prepare('second'), image, bytes, options)
    expect(asked).toEqual([])
    writeFileSync(blobPath(location), 'bytes of a bot')
    await end.put(await prepare('third'), image, bytes, options)
    expect(asked).toEqual([0])
    expect(readFileSync(blobPath(location))).toEqual(file)
  })

  it('that are gone from the disk are missing, and are sent again', async () => {
    const { end, location } = await opened()
    await fill(end)
    rmSync(blobPath(location))
    expect((await failureOf(end.open(tag, image, 0, signal))).kind).toBe('missing')
    await fill(end)
    expect(readFileSync(blobPath(location))).toEqual(file)
  })

  it('have sidecars a catalogue can be put together from', async () => {
    const { end, location } = await opened()
    await fill(end)
    await end.carryOut(tag, { kind: 'release', version: '1.0.0' }, signal)
    await end.carryOut(tag, { kind: 'change-box', texts: { shortDescription: 'Smaller' } }, signal)
    const sidecar = JSON.parse(readFileSync(`${blobPath(location)}.json`, 'utf8')) as { uses: unknown[] }
    expect(sidecar.uses).toMatchObject([
      {
        organization: { name: 'acme' },
        box: { name: 'tiny', shortDescription: 'Smaller', private: false },
        version: { number: '1.0.0', status: 'active' },
        image: { provider: 'virtualbox', architecture: 'amd64', isDefault: true, checksum: sha256(file) }
      }
    ])
    const catalogue = await upkeepWorld()
    cpSync(join(location, 'blobs'), join(catalogue.dataDir, 'blobs'), { recursive: true })
    expect(await catalogue.upkeep.rebuild()).toMatchObject({ boxes: 1, versions: 1, images: 1, skipped: [] })
    expect(catalogue.box()).toMatchObject({
      ...{ shortDescription: 'Smaller', private: false },
      versions: [{ number: '1.0.0', status: 'active', images: [{ blob: sha256(file) }] }]
    })
  })
})

/** What somebody may have put in the place of a file. */
const noFiles: readonly [string, (path: string) => unknown][] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a folder', (path) => mkdirSync(path)],
  ['a link to a device that never ends', (path) => symlinkSync('/dev/zero', path)]
]

describe.skipIf(process.platform === 'win32').each(noFiles)('%s in a folder', (what, put) => {
  const inPlaceOf = (path: string): void => {
    rmSync(path, { force: true })
    put(path)
  }

  it('is no identity', async () => {
    const location = tempDir()
    put(join(location, 'boxyard-remote.json'))
    expect((await failureOf(openFolder({ location, setUp: true }, signal))).text).toMatch(/damaged/)
  })

  it('is no document, and no note of a change', async () => {
    const { location, end, document } = await opened()
    await fill(end)
    inPlaceOf(document)
    expect((await failureOf(end.read(tag, signal))).text).toMatch(/damaged/)
    inPlaceOf(join(location, 'boxes', 'acme', '.changed'))
    await listed(end)
  })

  it('says nothing of a file, and is in the way at most', async () => {
    const { location, end } = await opened()
    await fill(end)
    inPlaceOf(`${blobPath(location)}.json`)
    const changing = end.carryOut(tag, { kind: 'change-version', version: '1.0.0', description: 'x' }, signal)
    if (what === 'a folder')
      expect((await failureOf(changing)).text).toMatch(/something else is where a file/)
    else await changing
  })

  it('is no file of an image', async () => {
    const { location, end } = await opened()
    await fill(end)
    inPlaceOf(blobPath(location))
    expect((await failureOf(end.open(tag, image, 0, signal))).kind).toBe('missing')
  })
})
