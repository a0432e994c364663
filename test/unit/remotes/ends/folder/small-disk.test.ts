import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Deed } from '../../../../../src-main/domain/sync/plan-types.ts'
import type { End } from '../../../../../src-main/remotes/end.ts'
import { openFolder } from '../../../../../src-main/remotes/ends/folder/open-folder.ts'
import { RemoteFailure } from '../../../../../src-main/remotes/failure.ts'
import { allOf, bytesToPut, memoInMemory } from '../../../../contract/end.ts'
import { tempDir } from '../../../../support/temp.ts'

const { signal } = new AbortController()
const megabyte = 1024 * 1024
const tag = { organization: 'acme', name: 'tiny' }
const image = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }
const deeds: Exclude<Deed, { kind: 'put-bytes' }>[] = [
  { kind: 'create-box', texts: { shortDescription: '', description: '', private: false } },
  { kind: 'create-version', version: '1.0.0', description: '' },
  { kind: 'create-image', ...image, isDefault: true, url: null, checksums: {}, known: null }
]

const mount = (...args: string[]): void => void execFileSync('mount', args, { stdio: 'pipe' })
const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** A disk of its own for one test. */
function disk(megabytes: number): string {
  const dir = tempDir()
  mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir)
  onTestFinished(() => void execFileSync('umount', ['-l', dir]))
  return dir
}

async function open(location: string, setUp = true) {
  const { end, introduction } = await openFolder({ location, setUp }, signal)
  onTestFinished(() => end.close())
  return { end, introduction }
}

const put = (end: End, bytes: Buffer): Promise<void> =>
  end.put(
    tag,
    image,
    { ...bytesToPut(bytes), replaces: true },
    {
      ...{ signal, memo: memoInMemory(), onProgress: () => {}, onVerifying: () => {} }
    }
  )

const kindOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof RemoteFailure ? error.kind : error)
  )

describe.runIf(canMount)('a folder on a disk', () => {
  it('that has no room for a file says so before it is sent, and keeps what was there', async () => {
    const location = disk(70)
    const { end } = await open(location)
    for (const deed of deeds) await end.carryOut(tag, deed, signal)
    const bytes = randomBytes(megabyte)
    await put(end, bytes)
    expect(await kindOf(put(end, randomBytes(8 * megabyte)))).toBe('no-room')
    expect((await allOf(await end.open(tag, image, 0, signal))).equals(bytes)).toBe(true)
  })

  it('that is full to the last byte keeps every document as it was', async () => {
    const location = disk(2)
    const { end } = await open(location)
    for (const deed of deeds) await end.carryOut(tag, deed, signal)
    const before = await end.read(tag, signal)
    try {
      writeFileSync(join(location, 'filler'), Buffer.alloc(4 * megabyte))
    } catch {
      // As much of it as there was room for.
    }
    const longer: Deed = { kind: 'change-box', texts: { description: 'x'.repeat(100_000) } }
    expect(await kindOf(end.carryOut(tag, longer, signal))).toBe('no-room')
    expect(await end.read(tag, signal)).toEqual(before)
  })

  it('that can only be read is read, and nothing else', async () => {
    const location = disk(70)
    const { end: writing } = await open(location)
    for (const deed of deeds) await writing.carryOut(tag, deed, signal)
    mount('-o', 'remount,ro', location)
    const { end, introduction } = await open(location, false)
    expect(end.traits.writable).toBe(false)
    expect(introduction.notes.join(' ')).toMatch(/Nothing may be written/)
    expect((await end.read(tag, signal))?.snapshot.versions).toHaveLength(1)
    const deed: Deed = { kind: 'change-box', texts: { description: 'x' } }
    expect(await kindOf(end.carryOut(tag, deed, signal))).toBe('forbidden')
  })
})
