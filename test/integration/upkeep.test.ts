import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BlobPaths } from '../../src-main/blobs/paths.ts'
import { databaseFiles } from '../../src-main/store/open.ts'
import { Client, Refused } from '../faults/client.ts'
import { newToken, run, startServer } from '../faults/server.ts'
import { damages, damageTable } from '../support/damage.ts'
import { tempDir } from '../support/temp.ts'
import { sha256 } from '../support/sha256.ts'

const bytes = Buffer.from('the bytes of the box')

async function served(dataDir = tempDir()) {
  const server = await startServer(dataDir)
  const token = await newToken(dataDir)
  const client = new Client(server.url, token)
  return { dataDir, server, token, client }
}

/** One box with one released version. */
async function publish(client: Client, box = 'box'): Promise<void> {
  await client.createBox(box)
  await client.createVersion(box, '1.0.0')
  await client.createProvider(box, '1.0.0')
  await client.upload(box, '1.0.0', bytes)
  await client.release(box, '1.0.0')
}

const published = { '1.0.0': { status: 'active', provider: true, sha256: sha256(bytes) } }

/** Each of these starts several processes, on a machine that may be busy. */
const options = { timeout: 60_000 }

describe('a server on a damaged catalogue', options, () => {
  it.each(['garbage in its header', 'all of it cut off', 'its file gone'])(
    'with %s puts back what lies beside the images, and says so',
    async (damage) => {
      const first = await served()
      await publish(first.client)
      expect(await first.server.stop()).toBe(0)
      damages[damage]?.(databaseFiles(first.dataDir).catalogue)

      const refused = await run(first.dataDir, 'gc')
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(
        /^boxyard: The catalogue's database is damaged: .* start it again: it repairs/
      )

      const { server, client, dataDir } = await served(first.dataDir)
      expect(await client.see('box')).toEqual(published)
      expect(server.log()).toMatch(/1 boxes, 1 versions and 1 images were put back/)
      expect(await server.stop()).toBe(0)
      const [folder = ''] = readdirSync(join(dataDir, 'quarantine'))
      expect(
        JSON.parse(readFileSync(join(dataDir, 'quarantine', folder, 'report.json'), 'utf8'))
      ).toMatchObject({
        sentences: expect.arrayContaining([expect.stringContaining('is damaged')])
      })
      expect(existsSync(databaseFiles(dataDir).damageNote)).toBe(false)
      expect(await run(dataDir, 'verify')).toMatchObject({ code: 0 })
    }
  )

  it('that verify found is repaired at the next start', async () => {
    const first = await served()
    await publish(first.client)
    for (let i = 0; i < 100; i++) await first.client.createBox(`more-${i}`)
    expect(await first.server.stop()).toBe(0)
    damageTable(first.dataDir, 'boxes')
    expect(await run(first.dataDir, 'verify')).toMatchObject({ code: 1 })
    const { server, client } = await served(first.dataDir)
    expect(await client.see('box')).toEqual(published)
    expect(await server.stop()).toBe(0)
  })
})

describe('upkeep under a running server', options, () => {
  it('restores a backup while clients go on', async () => {
    const { dataDir, server, client } = await served()
    await publish(client)
    const file = join(tempDir(), 'backup.tar')
    expect(await run(dataDir, 'backup', file)).toMatchObject({ code: 0 })
    await client.createBox('later')
    await client.deleteBox('box')
    const restore = await run(dataDir, 'restore', file)
    expect(restore).toMatchObject({ code: 0 })
    expect(restore.stdout).toMatch(
      /^Restored the backup of .*: the catalogue and 0 files that were not here\./
    )
    expect(await client.see('later')).toBeNull()
    expect(await client.see('box')).toEqual(published)
    await client.createVersion('box', '2.0.0')
    expect(await server.stop()).toBe(0)

    const elsewhere = tempDir()
    expect(await run(elsewhere, 'restore', file)).toMatchObject({ code: 0 })
    const other = await served(elsewhere)
    expect(await other.client.see('box')).toEqual(published)
    expect(await other.server.stop()).toBe(0)
  })

  it('tells clients of an image whose file verify found damaged, and takes the file anew', async () => {
    const { dataDir, server, client } = await served()
    await publish(client)
    writeFileSync(new BlobPaths(dataDir).blob(sha256(bytes)), 'rotten')
    const verify = await run(dataDir, 'verify', '--box', 'acme/box')
    expect(verify.code).toBe(1)
    expect(verify.stdout).toContain('The file of acme/box 1.0.0 for virtualbox on amd64')
    const answer = await client.see('box').catch((error: unknown) => error)
    expect(answer).toBeInstanceOf(Refused)
    expect(answer).toMatchObject({ status: 404, errors: [expect.stringContaining('damaged or lost')] })
    await client.upload('box', '1.0.0', bytes)
    expect(await client.see('box')).toEqual(published)
    expect((await run(dataDir, 'verify')).code).toBe(0)
    expect(await server.stop()).toBe(0)
  })

  it('has clients come back later during maintenance', async () => {
    const { dataDir, server, client } = await served()
    expect(await run(dataDir, 'maintenance', 'on')).toMatchObject({ code: 0, stdout: 'Maintenance is on.' })
    await expect(client.createBox('box')).rejects.toMatchObject({ status: 503 })
    await run(dataDir, 'maintenance', 'off')
    await client.createBox('box')
    expect(await server.stop()).toBe(0)
  })

  it('rebuilds what a lost catalogue had, and lists files nothing is known of', async () => {
    const { dataDir, server, client } = await served()
    await publish(client)
    expect(await server.stop()).toBe(0)
    rmSync(new BlobPaths(dataDir).sidecar(sha256(bytes)))
    const { code, stdout } = await run(dataDir, 'rebuild')
    expect(code).toBe(0)
    expect(stdout).toContain(`Nothing beside the file ${sha256(bytes)} says what it is for.`)
    expect(stdout).toContain('Added 0 organizations, 0 boxes, 0 versions and 0 images.')
  })
})

describe('usage of the upkeep commands', options, () => {
  it.each([[['gc', '--grace', 'soon']], [['maintenance', 'perhaps']], [['backup']], [['restore']]])(
    'is told for %j',
    async (args) => {
      const { code, stdout } = await run(tempDir(), ...args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    }
  )

  it.each([
    [['verify', '--box', 'nowhere'], /is not the name of a box/],
    [['verify', '--box', 'acme/none'], /not found/],
    [['restore', '/does/not/exist'], /cannot be read/],
    [['rebuild'], /has no owner yet/]
  ])('%j fails with one line', async (args, pattern) => {
    const { code, stderr } = await run(tempDir(), ...args)
    expect(code).toBe(1)
    expect(stderr).toMatch(pattern)
    expect(stderr.split('\n')).toHaveLength(1)
  })
})
