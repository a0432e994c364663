import { rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { BlobPaths } from '../../../../src-main/blobs/paths.ts'
import { openCatalogue } from '../../../../src-main/store/open.ts'
import { damageBeforeOpening } from '../../../../src-main/store/repair.ts'
import { Upkeep } from '../../../../src-main/catalog/upkeep/upkeep.ts'
import { damageTable } from '../../../support/damage.ts'
import { upkeepWorld, type UpkeepWorld } from '../../../support/upkeep.ts'
import { sha256 } from '../../../support/sha256.ts'

let world: UpkeepWorld
let paths: BlobPaths
const bytes = 'the bytes of the box'
const hash = sha256(bytes)
const name = 'acme/tiny 1.0.0 for virtualbox on amd64'

beforeEach(async () => {
  world = await upkeepWorld()
  paths = new BlobPaths(world.dataDir)
  world.addBox()
  await world.addReleased('1.0.0', 'tiny', bytes)
  await world.sidecars.drain()
})

const row = () =>
  world.db
    .prepare('SELECT verified_at AS verified, damaged_at AS damaged FROM blobs WHERE sha256 = ?')
    .get(hash)

describe('verify', () => {
  it('finds nothing wrong where nothing is, and notes when it looked', async () => {
    expect(await world.upkeep.verify({})).toEqual({
      blobs: 1,
      bytes: bytes.length,
      problems: [],
      sidecarsMended: 0
    })
    expect(row()).toEqual({ verified: expect.any(Number), damaged: null })
  })

  it.each([
    ['changed', 'THE bytes of the box'],
    ['cut short', 'the bytes'],
    ['emptied', '']
  ])('moves a file that was %s aside and says whose it is', async (_, content) => {
    writeFileSync(paths.blob(hash), content)
    const told: string[] = []
    const { problems } = await world.upkeep.verify({ onProblem: (sentence) => told.push(sentence) })
    expect(problems).toEqual([
      `The file of ${name} (${hash.slice(0, 12)}…) does not hold the bytes that were stored; it was moved to the quarantine folder. Upload or import it again.`
    ])
    expect(told).toEqual(problems)
    expect(row()).toMatchObject({ damaged: expect.any(Number) })
    expect(await world.blobs.size(hash)).toBeNull()
    const kept = (await readdir(join(world.dataDir, 'quarantine'))).filter((file) => !file.endsWith('.json'))
    expect(await readFile(join(world.dataDir, 'quarantine', kept[0] ?? ''), 'utf8')).toBe(content)
  })

  it('tells of a missing file every time, until the bytes are here again', async () => {
    rmSync(paths.blob(hash))
    for (let i = 0; i < 2; i++)
      expect((await world.upkeep.verify({})).problems).toEqual([
        `The file of ${name} (${hash.slice(0, 12)}…) is missing. Upload or import it again.`
      ])
    await world.upload(bytes)
    expect(row()).toMatchObject({ damaged: null })
    expect((await world.upkeep.verify({})).problems).toEqual([])
  })

  it('corrects a checksum that is not that of the bytes', async () => {
    world.db.exec("UPDATE images SET checksum = 'beef'")
    expect((await world.upkeep.verify({})).problems).toEqual([
      `The catalogue gave a wrong sha256 checksum for ${name}; it was corrected.`
    ])
    expect(world.image().checksum).toBe(hash)
  })

  it.each([
    ['missing', () => rmSync(paths.sidecar(hash))],
    ['stale', () => world.blobs.writeSidecar(hash, { schema: 1 })],
    ['no JSON', () => writeFileSync(paths.sidecar(hash), '{')]
  ])('writes a sidecar that is %s anew', async (_, damage) => {
    const before = await world.blobs.readSidecar(hash)
    await damage()
    expect(await world.upkeep.verify({})).toMatchObject({ problems: [], sidecarsMended: 1 })
    expect(await world.blobs.readSidecar(hash)).toEqual(before)
  })

  it('can look at one box alone', async () => {
    world.addBox('other')
    await world.addReleased('1.0.0', 'other', 'other bytes')
    rmSync(paths.blob(hash))
    expect(await world.upkeep.verify({ boxId: world.box('other').id })).toMatchObject({
      blobs: 1,
      problems: []
    })
    expect((await world.upkeep.verify({ boxId: world.box('tiny').id })).problems).toHaveLength(1)
  })

  it('finds a damaged database, touches no file, and leaves its repair to the next start', async () => {
    for (let i = 0; i < 500; i++) world.addBox(`box-${i}`)
    world.db.pragma('wal_checkpoint(TRUNCATE)')
    damageTable(world.dataDir, 'boxes')
    const db = openCatalogue(world.dataDir)
    const { problems } = await new Upkeep({ ...world, db, recovery: null }).verify({})
    db.close()
    expect(problems[0]).toMatch(/^The catalogue's database is damaged: /)
    expect(problems.at(-1)).toContain('The next start of the server repairs it')
    expect(damageBeforeOpening(world.dataDir, true)).not.toBeNull()
    expect(await world.blobs.size(hash)).toBe(bytes.length)
  })
})
