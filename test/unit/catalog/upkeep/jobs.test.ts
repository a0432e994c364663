import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BlobPaths } from '../../../../src-main/blobs/paths.ts'
import { Jobs } from '../../../../src-main/catalog/upkeep/jobs.ts'
import type { Job, JobRequest } from '../../../../src-main/contract/storage.ts'
import { operator } from '../../../../src-main/domain/model.ts'
import { takeUpkeepLock } from '../../../../src-main/store/locks.ts'
import { refusal } from '../../../support/catalog.ts'
import { tempDir } from '../../../support/temp.ts'
import { upkeepWorld } from '../../../support/upkeep.ts'
import { sha256 } from '../../../support/sha256.ts'

async function world() {
  const made = await upkeepWorld()
  const jobs = new Jobs(made)
  onTestFinished(() => jobs.close())
  const told: Job[] = []
  jobs.onChange((job) => void told.push(job))
  made.addBox()
  await made.addReleased('1.0.0', 'tiny', 'some bytes')
  const run = async (request: JobRequest): Promise<Job> => {
    jobs.start(request)
    await jobs.settled()
    const ended = jobs.current
    if (!ended) throw new Error('nothing was kept of the job')
    return ended
  }
  const backup = join(made.dataDir, 'backups', 'all.tar')
  const backUp: JobRequest = { job: 'back-up', file: backup, catalogueOnly: false, replace: false }
  const blob = new BlobPaths(made.dataDir).blob(sha256('some bytes'))
  return { ...made, jobs, told, run, backup, backUp, blob }
}

describe('a job', () => {
  it('is told of from its start to its end, and what it came to stays to be read', async () => {
    const { jobs, told, run } = await world()
    expect(jobs.current).toBeNull()
    const ended = await run({ job: 'verify' })
    expect(ended).toMatchObject({
      job: 'verify',
      state: 'done',
      sentences: ['1 file of 10 bytes was checked; everything is sound.'],
      problems: []
    })
    expect(told[0]).toMatchObject({ state: 'running', endedAt: null })
    expect(told.at(-1)).toEqual(ended)
    expect(jobs.current).toEqual(ended)
    expect(ended.endedAt).toBeGreaterThanOrEqual(ended.startedAt)
  })

  it('can be cancelled while it runs, and is neither done nor failed then', async () => {
    const { jobs, run, backUp, backup, addReleased } = await world()
    jobs.cancel()
    expect(jobs.current).toBeNull()
    await addReleased('2.0.0', 'tiny', 'other bytes')
    jobs.start(backUp)
    jobs.cancel()
    await jobs.settled()
    expect(jobs.current).toMatchObject({
      ...{ job: 'back-up', state: 'cancelled', cancellable: true, problems: [] },
      sentences: ['Nothing is left of the file that was being written.']
    })
    expect(existsSync(backup)).toBe(false)
    jobs.cancel()
    expect(await run(backUp)).toMatchObject({ state: 'done' })
    jobs.start({ job: 'restore', file: backup })
    refusal('conflict', () => jobs.cancel())
    await jobs.settled()
    expect(jobs.current).toMatchObject({ job: 'restore', state: 'done', cancellable: false })
  })

  it('is one at a time, here and in other processes', async () => {
    const { jobs, run, dataDir } = await world()
    jobs.start({ job: 'verify' })
    refusal('conflict', () => jobs.start({ job: 'verify' }))
    await jobs.settled()
    const lock = takeUpkeepLock(dataDir, 'gc')
    const ended = await run({ job: 'verify' })
    lock.release()
    expect(ended.state).toBe('failed')
    expect(ended.problems[0]).toContain('Another job is at work on this folder: gc')
    expect((await run({ job: 'verify' })).state).toBe('done')
  })

  it('is cut off when the program closes, and the next one finds nothing in its way', async () => {
    const { jobs, told, upkeep, backUp } = await world()
    jobs.start(backUp)
    await jobs.close()
    expect(told.at(-1)?.state).toBe('running')
    await expect(upkeep.verify({})).resolves.toMatchObject({ problems: [] })
  })
})

describe('verifying', () => {
  it('tells what is damaged as a problem of its result', async () => {
    const { run, blob } = await world()
    await writeFile(blob, 'rotten')
    const { state, problems, sentences } = await run({ job: 'verify' })
    expect(state).toBe('done')
    expect(sentences).toEqual(['1 file of 10 bytes was checked; 1 problem was found.'])
    expect(problems).toEqual([expect.stringContaining('acme/tiny 1.0.0 for virtualbox on amd64')])
  })
})

describe('cleaning up', () => {
  it('shows first what it would remove, and then removes just that', async () => {
    const { jobs, run, boxes, db, blob } = await world()
    boxes.remove(operator, 'acme', 'tiny')
    const longAgo = Date.now() - 3 * 3_600_000
    db.prepare('UPDATE trash SET deleted_at = ?').run(longAgo)
    db.prepare('UPDATE blobs SET created_at = ?').run(longAgo)
    await utimes(blob, longAgo / 1000, longAgo / 1000)
    expect(await jobs.previewCleanUp(4)).toMatchObject({ files: 0, trash: 0, bytes: 0, items: [] })
    const preview = await jobs.previewCleanUp(1)
    expect(preview).toMatchObject({ files: 1, trash: 1, bytes: 10, items: [{ bytes: 10 }] })
    expect(existsSync(blob)).toBe(true)
    expect((await run({ job: 'clean-up', graceHours: 4 })).sentences).toEqual([
      'There was nothing to remove.'
    ])
    expect((await run({ job: 'clean-up', graceHours: 1 })).sentences).toEqual([
      'Removed 1 unused file and 1 recent deletion; 10 bytes are free again.'
    ])
    expect(existsSync(blob)).toBe(false)
  })

  it('never touches what is younger than a minute, whatever is asked', async () => {
    const { jobs, boxes, db } = await world()
    boxes.remove(operator, 'acme', 'tiny')
    db.prepare('UPDATE trash SET deleted_at = ?').run(Date.now() - 30_000)
    expect(await jobs.previewCleanUp(0)).toMatchObject({ files: 0, trash: 0 })
    db.prepare('UPDATE trash SET deleted_at = ?').run(Date.now() - 61_000)
    expect(await jobs.previewCleanUp(0)).toMatchObject({ trash: 1 })
  })
})

describe('backing up and restoring', () => {
  it('brings back everything, for the connection that was open all the time', async () => {
    const { run, backUp, backup, boxes, allBoxes, blob, accounts } = await world()
    const before = allBoxes()
    expect((await run(backUp)).sentences[0]).toMatch(/^The catalogue and 1 file are in .*all\.tar, /)
    boxes.remove(operator, 'acme', 'tiny')
    await accounts.addUser('later')
    await rm(blob)
    const { state, sentences, problems } = await run({ job: 'restore', file: backup })
    expect({ state, problems }).toEqual({ state: 'done', problems: [] })
    expect(sentences[0]).toMatch(/ is in place, with 1 file that was not here\.$/)
    expect(sentences[1]).toMatch(/^The catalogue as it was before is kept in .*before-restore-/)
    expect(allBoxes()).toEqual(before)
    expect(accounts.findUser('later')).toBeNull()
    expect(existsSync(blob)).toBe(true)
  })

  it('replaces a backup only when that was allowed', async () => {
    const { jobs, run, backUp } = await world()
    await run(backUp)
    refusal('conflict', () => jobs.start(backUp))
    expect((await run({ ...backUp, replace: true })).state).toBe('done')
  })

  it('says what is wrong with a file that is no backup, and changes nothing', async () => {
    const { run, allBoxes, dataDir } = await world()
    const before = allBoxes()
    const file = join(dataDir, 'no-backup.tar')
    writeFileSync(file, 'x'.repeat(2000))
    const { state, problems } = await run({ job: 'restore', file })
    expect(state).toBe('failed')
    expect(problems.join(' ')).not.toContain('fault in the program')
    expect(allBoxes()).toEqual(before)
  })

  // Whoever opens a pipe waits for its other end, and the program could not even be ended.
  it.skipIf(process.platform === 'win32')('has nothing to do with pipes and devices', async () => {
    const { jobs } = await world()
    const pipe = join(tempDir(), 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const file of [pipe, '/dev/null', '/dev/zero']) {
      refusal('invalid', () => jobs.start({ job: 'restore', file }))
      refusal('invalid', () => jobs.start({ job: 'back-up', file, catalogueOnly: true, replace: true }))
    }
  })

  it('writes through no link that somebody has put where the file is prepared', async () => {
    const { run, backUp } = await world()
    const folder = tempDir()
    const [file, own] = [join(folder, 'all.tar'), join(folder, 'own')]
    writeFileSync(own, 'not to be touched')
    symlinkSync(own, `${file}.part`)
    expect((await run({ ...backUp, file })).state).toBe('done')
    expect(readFileSync(own, 'utf8')).toBe('not to be touched')
    expect(lstatSync(file).isFile()).toBe(true)
  })

  it.each<[string, string, JobRequest['job']]>([
    ['a name without a folder', 'backup.tar', 'back-up'],
    ['no name', ' ', 'back-up'],
    ['a folder that is not there', '/nowhere/at/all/backup.tar', 'back-up'],
    ['a folder', '<folder>', 'back-up'],
    ['the catalogue', '<data>/catalogue.sqlite', 'back-up'],
    ['a place among the blobs', '<data>/blobs/backup.tar', 'back-up'],
    ['a copy of the catalogue', '<data>/backups/automatic-1.sqlite', 'back-up'],
    ['a way round into the data folder', '<folder>/../catalogue.sqlite', 'back-up'],
    ['a way through a link into the data folder', '<link>/catalogue.sqlite', 'back-up'],
    ['a place among the blobs behind a link', '<link>/blobs/backup.tar', 'back-up'],
    ['a name with a NUL', '<data>/backups/a\0b.tar', 'back-up'],
    ['a name without a folder', 'backup.tar', 'restore'],
    ['a name with a NUL', '<data>/a\0b.tar', 'restore'],
    ['a file that is not there', '<data>/none.tar', 'restore'],
    ['a folder', '<folder>', 'restore']
  ])('refuses %s at once: %s (%s)', async (_what, name, job) => {
    const { jobs, dataDir } = await world()
    mkdirSync(join(dataDir, 'folder'))
    const link = join(dataDir, 'link')
    symlinkSync(dataDir, link, 'dir')
    const file = name
      .replace('<folder>', join(dataDir, 'folder'))
      .replace('<link>', link)
      .replace('<data>', dataDir)
    const request: JobRequest =
      job === 'restore' ? { job, file } : { job: 'back-up', file, catalogueOnly: true, replace: true }
    expect(() => jobs.start(request)).toThrow(/\.$/)
    expect(jobs.current).toBeNull()
  })
})
