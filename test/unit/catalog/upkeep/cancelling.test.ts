import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { takeUpkeepLock } from '../../../../src-main/store/locks.ts'
import { tempDir } from '../../../support/temp.ts'
import { upkeepWorld } from '../../../support/upkeep.ts'

async function world() {
  const made = await upkeepWorld()
  made.addBox()
  await made.addReleased('1.0.0', 'tiny', 'some bytes')
  await made.addReleased('2.0.0', 'tiny', 'other bytes')
  const stop = new AbortController()
  return { ...made, stop, signal: stop.signal, reason: new Error('Enough.') }
}

it('a verification that is cancelled ends in the middle of what it reads, and the next one may begin', async () => {
  const { upkeep, stop, signal, reason, dataDir } = await world()
  let [asked, problems] = [0, 0]
  const onProgress = (): void => {
    asked += 1
    stop.abort(reason)
  }
  const ended = upkeep.verify({ signal, onProgress, onProblem: () => (problems += 1) })
  await expect(ended).rejects.toBe(reason)
  expect([asked, problems]).toEqual([1, 0])
  takeUpkeepLock(dataDir, 'verify').release()
  expect(await upkeep.verify({})).toMatchObject({ blobs: 2, problems: [] })
})

it('a clean-up that is cancelled leaves the rest to the next one', async () => {
  const { upkeep, blobs, stop, signal, reason } = await world()
  for (const bytes of ['a', 'bb', 'ccc'])
    await blobs.commit(await blobs.receive(Readable.from([Buffer.from(bytes)])))
  const found: string[] = []
  const onFound = (what: string): void => {
    found.push(what)
    stop.abort(reason)
  }
  await expect(upkeep.collectGarbage({ graceMs: -1000, dryRun: false, onFound, signal })).rejects.toBe(reason)
  expect(found).toHaveLength(1)
  expect(await upkeep.collectGarbage({ graceMs: -1000, dryRun: false })).toMatchObject({ files: 2 })
  expect(await upkeep.verify({})).toMatchObject({ blobs: 2, problems: [] })
})

it('a backup that is cancelled leaves nothing of itself, and what it was to replace', async () => {
  const { upkeep, stop, signal, reason } = await world()
  const folder = tempDir()
  const file = join(folder, 'all.tar')
  writeFileSync(file, 'the one before')
  const onProgress = (): void => stop.abort(reason)
  const ended = upkeep.backUp({ file, catalogueOnly: false, force: true, onProgress, signal })
  await expect(ended).rejects.toBe(reason)
  expect(readdirSync(folder)).toEqual(['all.tar'])
  expect(readFileSync(file, 'utf8')).toBe('the one before')
  await upkeep.backUp({ file: join(folder, 'next.tar'), catalogueOnly: false, force: false })
  expect(existsSync(join(folder, 'next.tar'))).toBe(true)
})
