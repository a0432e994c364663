import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../src-main/app.ts'
import { silentLog } from '../../src-main/log.ts'
import { box } from '../support/archives.ts'
import { addPath, untilState } from '../support/arrivals.ts'
import { tempDir } from '../support/temp.ts'
import { Client, put, Refused } from './client.ts'
import { Random } from './random.ts'
import { newToken, run, startServer } from './server.ts'
import { sha256 } from '../support/sha256.ts'

const megabyte = 1024 * 1024
const random = new Random(7)

/** A disk of its own for one test, or null where this account may not mount one. */
function smallDisk(megabytes: number): string | null {
  const dir = tempDir()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir], { stdio: 'pipe' })
  } catch {
    return null
  }
  onTestFinished(() => void execFileSync('umount', ['-l', dir]))
  return dir
}

/** Takes all the room that is left; returns what gives it back. */
function fill(dir: string): () => void {
  const file = join(dir, 'filler')
  const descriptor = openSync(file, 'w')
  for (const size of [megabyte, 4096, 1])
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size))
    } catch {
      // No room for this size any more.
    }
  closeSync(descriptor)
  return () => rmSync(file)
}

const canMount = process.platform === 'linux' && process.getuid?.() === 0
if (!canMount)
  console.warn('the tests of a full disk are SKIPPED: they need to mount a small disk, as root on Linux')

describe.runIf(canMount)('on a full disk', () => {
  async function served() {
    const disk = smallDisk(160)
    if (disk === null) throw new Error('a small disk could not be mounted')
    const dataDir = join(disk, 'data')
    const server = await startServer(dataDir)
    const client = new Client(server.url, await newToken(dataDir))
    await client.createBox('box')
    await client.createVersion('box', '1.0.0')
    await client.createProvider('box', '1.0.0')
    const bytes = random.bytes(megabyte)
    await client.upload('box', '1.0.0', bytes)
    const before = { '1.0.0': { status: 'unreleased', provider: true, sha256: sha256(bytes) } }
    return { disk, dataDir, server, client, before }
  }

  it.each([
    ['says its length beforehand', (bytes: Buffer) => bytes],
    ['does not', (bytes: Buffer) => new Blob([new Uint8Array(bytes)]).stream()]
  ])(
    'an upload that is too big and %s is refused with a sentence, and nothing is lost',
    async (_, bodyOf) => {
      const { dataDir, server, client, before } = await served()
      const path = await client.uploadPath('box', '1.0.0')
      const refused = await put(path, bodyOf(Buffer.alloc(200 * megabyte, 1))).catch(
        (error: unknown) => error
      )
      expect(refused).toBeInstanceOf(Refused)
      expect(refused).toMatchObject({ status: 507, errors: [expect.stringMatching(/[Rr]oom|space|full/)] })
      expect(await client.see('box')).toEqual(before)
      // The room of what had arrived is free again.
      const fits = Buffer.alloc(60 * megabyte, 2)
      await client.upload('box', '1.0.0', fits)
      expect(await client.see('box')).toMatchObject({ '1.0.0': { sha256: sha256(fits) } })
      expect(await server.stop()).toBe(0)
      expect((await run(dataDir, 'verify')).code).toBe(0)
    }
  )

  it('a change that finds no room is refused with a sentence, reading goes on, and all works again after', async () => {
    const { disk, dataDir, server, client, before } = await served()
    const makeRoom = fill(disk)
    // Some changes may still fit into room that the database has already; then there is none.
    let refused: unknown = null
    let made = 0
    for (; refused === null && made < 2000; made++)
      refused = await client.createBox(`more-${made}`).then(
        () => null,
        (error: unknown) => error
      )
    expect(refused).toMatchObject({ status: 507, errors: [expect.stringContaining('disk is full')] })
    expect(await client.see('box')).toEqual(before)
    makeRoom()
    await client.createBox(`more-${made - 1}`)
    await client.release('box', '1.0.0')
    expect(await server.stop()).toBe(0)
    expect((await run(dataDir, 'verify')).code).toBe(0)
  })

  describe('files on their way in', () => {
    async function dropping() {
      const disk = smallDisk(160)
      if (disk === null) throw new Error('a small disk could not be mounted')
      const app = await createApp({ dataDir: join(disk, 'data'), log: silentLog })
      onTestFinished(() => app.close())
      app.accounts.ensureOwner('acme')
      await app.arrivals.start()
      const elsewhere = tempDir()
      const file = (name: string, megabytes: number): string => {
        const path = join(elsewhere, name)
        writeFileSync(path, box())
        truncateSync(path, megabytes * megabyte)
        return path
      }
      const staged = (): string[] => readdirSync(join(disk, 'data', 'uploads'))
      return { disk, app, file, staged }
    }
    const tooBig = [expect.stringMatching(/^The file.* does not fit: .* Make room on the disk/)]

    it('that are too big say so and leave nothing, and the others are read and published', async () => {
      const { app, file, staged } = await dropping()
      const big = await addPath(app, file('big.box', 200), {})
      const small = await addPath(app, file('small.box', 20), { release: true })
      expect(await untilState(app, big.id, 'failed')).toMatchObject({ problem: tooBig, canRetry: true })
      await untilState(app, small.id, 'ready')
      expect(staged()).toHaveLength(1)
      expect(await app.arrivals.publish([small.id])).toMatchObject([{ state: 'published' }])
    })

    it('that are sent and turn out to be too big are refused with a sentence and leave nothing', async () => {
      const { app, staged } = await dropping()
      const body = Readable.from(
        (function* () {
          for (let i = 0; i < 200; i++) yield Buffer.alloc(megabyte, i)
        })()
      )
      const refused = await app.arrivals
        .receive(randomUUID(), 'big.box', body)
        .catch((error: unknown) => error)
      expect(refused).toMatchObject({ kind: 'no-room', sentences: tooBig })
      expect(app.arrivals.list()).toMatchObject([{ state: 'failed', problem: tooBig, canRetry: false }])
      expect(staged()).toEqual([])
    })

    it('are told so when not even their names can be kept, and nothing of what was ready is lost', async () => {
      const { disk, app, file, staged } = await dropping()
      const ready = await addPath(app, file('ready.box', 1), {})
      await untilState(app, ready.id, 'ready')
      const makeRoom = fill(disk)
      let refused: unknown = null
      for (let i = 0; i < 2000 && refused === null; i++)
        try {
          app.arrivals.addUrl(`https://example.org/${'long'.repeat(500)}/base-${i}.box`)
          await app.arrivals.cancel(app.arrivals.list()[0]?.id ?? '')
        } catch (error) {
          refused = error
        }
      expect(refused).toMatchObject({ kind: 'no-room' })
      await app.arrivals.publish([ready.id]).catch(() => {})
      makeRoom()
      const { state } = app.arrivals.find(ready.id) ?? {}
      if (state !== 'published') await app.arrivals.publish([ready.id])
      expect(app.arrivals.find(ready.id)?.state).toBe('published')
      await app.sidecars.drain()
      expect(staged()).toEqual([])
    })
  })

  it('a backup without room says so beforehand and leaves nothing', async () => {
    const { disk, dataDir, server, client } = await served()
    await client.upload('box', '1.0.0', Buffer.alloc(90 * megabyte, 3))
    const backup = await run(dataDir, 'backup', join(disk, 'backup.tar'))
    expect(backup).toMatchObject({ code: 1, stdout: '' })
    expect(backup.stderr).toMatch(
      /^boxyard: The backup needs [\d.]+ [kM]B in .*, where [\d.]+ [kM]B are free\.$/
    )
    expect(execFileSync('ls', [disk], { encoding: 'utf8' })).toBe('data\n')
    expect(await server.stop()).toBe(0)
  })
})
