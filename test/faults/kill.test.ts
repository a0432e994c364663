import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openCatalogueReadOnly } from '../../src-main/store/open.ts'
import { tempDir } from '../support/temp.ts'
import { Client } from './client.ts'
import { Publisher } from './publisher.ts'
import { Random } from './random.ts'
import { newToken, run, startServer } from './server.ts'

const rounds = 50
const publishers = 4

it(`keeps every acknowledged change, and no half one, through ${rounds} kills`, async () => {
  const dataDir = tempDir()
  const random = new Random(20261120)
  const shared = [1, 900, 70_000].map((length) => random.bytes(length))
  const all = Array.from(
    { length: publishers },
    (_, i) => new Publisher(`box-${i}`, new Random(i + 1), shared)
  )
  let server = await startServer(dataDir)
  const token = await newToken(dataDir)
  for (let round = 0; round < rounds; round++) {
    const client = new Client(server.url, token)
    const work = Promise.all(all.map((publisher) => publisher.work(client)))
    await setTimeout(random.between(20, 400))
    await server.kill()
    await work
    server = await startServer(dataDir)
    await Promise.all(all.map((publisher) => publisher.check(new Client(server.url, token))))
  }
  const acknowledged = all.reduce((sum, publisher) => sum + publisher.acknowledged, 0)
  console.log(`${rounds} kills, ${acknowledged} acknowledged changes`)
  expect(acknowledged, 'enough was going on for this to mean something').toBeGreaterThan(rounds)

  expect(await server.stop()).toBe(0)
  const gc = await run(dataDir, 'gc', '--grace', '0', '--json')
  expect(gc).toMatchObject({ code: 0 })
  expect(blobsOnDisk(dataDir)).toEqual(blobsReferredTo(dataDir))
  expect(await run(dataDir, 'gc', '--grace', '0', '--json')).toMatchObject({
    code: 0,
    stdout: JSON.stringify({
      files: 0,
      leftovers: 0,
      trash: 0,
      bytes: 0,
      waiting: { files: 0, bytes: 0 },
      dryRun: false
    })
  })
  const verify = await run(dataDir, 'verify')
  expect(verify.stdout).toMatch(/, 0 problems\.$/)
  expect(verify.code).toBe(0)
})

function blobsOnDisk(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'blobs/sha256'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.slice(3))
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .sort()
}

function blobsReferredTo(dataDir: string): unknown[] {
  const db = openCatalogueReadOnly(dataDir)
  const blobs = db
    .prepare(
      'SELECT blob FROM images WHERE blob IS NOT NULL UNION SELECT blob FROM uploads WHERE blob IS NOT NULL'
    )
    .pluck()
    .all()
    .sort()
  db.close()
  return blobs
}
