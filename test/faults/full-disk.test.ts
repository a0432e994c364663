import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../support/temp.ts'
import { Client, put, Refused, sha256 } from './client.ts'
import { Random } from './random.ts'
import { newToken, run, startServer } from './server.ts'

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

  it('a backup without room says so beforehand and leaves nothing', async () => {
    const { disk, dataDir, server, client } = await served()
    await client.upload('box', '1.0.0', Buffer.alloc(90 * megabyte, 3))
    const backup = await run(dataDir, 'backup', join(disk, 'backup.tar'))
    expect(backup).toMatchObject({ code: 1, stdout: '' })
    expect(backup.stderr).toMatch(/^boxyard: The backup needs \d+ MB in .*, where \d+ MB are free\.$/)
    expect(execFileSync('ls', [disk], { encoding: 'utf8' })).toBe('data\n')
    expect(await server.stop()).toBe(0)
  })
})
