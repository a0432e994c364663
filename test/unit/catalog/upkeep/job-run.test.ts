import { describe, expect, it } from 'vitest'
import { asProblem, runJob } from '../../../../src-main/catalog/upkeep/job-run.ts'
import { newManifest } from '../../../../src-main/catalog/upkeep/backup-format.ts'
import type { JobRequest } from '../../../../src-main/contract/storage.ts'
import { Problem } from '../../../../src-main/domain/problem.ts'

const waiting = { files: 0, bytes: 0 }
const verified = { blobs: 1200, bytes: 3_400_000_000, problems: [], sidecarsMended: 0 }
const collected = { files: 0, leftovers: 0, trash: 0, bytes: 0, waiting }
const manifest = newManifest({
  program: '1',
  createdAt: '2026-01-31T12:30:00.000Z',
  blobs: 2,
  bytes: 10,
  catalogueOnly: false
})
const restored = { manifest, added: 2, missing: 0, safetyCopy: '/data/copy.sqlite' }
const backUp: JobRequest = { job: 'back-up', file: '/disk/a.tar', catalogueOnly: false, replace: false }

type Reports = Partial<{ verify: object; collectGarbage: object; backUp: object; restore: object }>

/** What is said of a job that came to this. */
async function said(
  request: JobRequest,
  reports: Reports
): Promise<{ sentences: readonly string[]; problems: string[] }> {
  const answer = (report: object | undefined) => () => Promise.resolve(report as never)
  const upkeep = {
    verify: answer(reports.verify),
    collectGarbage: answer(reports.collectGarbage),
    backUp: answer(reports.backUp),
    restore: answer(reports.restore)
  }
  const problems: string[] = []
  const { signal } = new AbortController()
  const on = { signal, progress: () => {}, problem: (sentence: string) => void problems.push(sentence) }
  return { sentences: await runJob({ upkeep, dataDir: '/data' }, request, on), problems }
}

describe('what a job came to', () => {
  it.each<[string, JobRequest, Reports, readonly string[]]>([
    [
      'all sound',
      { job: 'verify' },
      { verify: verified },
      ['1,200 files of 3.4 GB were checked; everything is sound.']
    ],
    [
      'some damaged',
      { job: 'verify' },
      { verify: { ...verified, problems: ['a', 'b'], sidecarsMended: 1 } },
      [
        '1,200 files of 3.4 GB were checked; 2 problems were found.',
        '1 description beside the files did not match the catalogue; written anew.'
      ]
    ],
    [
      'nothing',
      { job: 'clean-up', graceHours: 1 },
      { collectGarbage: collected },
      ['There was nothing to remove.']
    ],
    [
      'some of each',
      { job: 'clean-up', graceHours: 1 },
      { collectGarbage: { ...collected, files: 2, leftovers: 1, trash: 3, bytes: 5_000_000 } },
      ['Removed 2 unused files, 1 upload leftover and 3 recent deletions; 5.0 MB are free again.']
    ],
    [
      'everything backed up but what is damaged',
      backUp,
      { backUp: { file: '/disk/a.tar', size: 2_000_000, blobs: 3, left: 1 } },
      [
        'The catalogue and 3 files are in /disk/a.tar, 2.0 MB.',
        '1 file left out, being damaged or missing. Verify tells which.'
      ]
    ],
    [
      'the catalogue backed up',
      { ...backUp, catalogueOnly: true },
      { backUp: { file: '/disk/a.tar', size: 2000, blobs: 0, left: 0 } },
      ['The catalogue is in /disk/a.tar, 2.0 kB.']
    ],
    [
      'restored',
      { job: 'restore', file: '/disk/a.tar' },
      { restore: restored },
      [
        'The backup of 2026-01-31 12:30 UTC is in place, with 2 files that were not here.',
        'The catalogue as it was before is kept in /data/copy.sqlite.'
      ]
    ]
  ])('is said in sentences: %s', async (_what, request, reports, sentences) => {
    expect(await said(request, reports)).toEqual({ sentences, problems: [] })
  })

  it('is a problem where the backup lacks files that are not here either', async () => {
    const { problems } = await said({ job: 'restore', file: '/a' }, { restore: { ...restored, missing: 2 } })
    expect(problems).toEqual(['2 files are neither in the backup nor here. Verify tells which.'])
  })
})

describe('what the file system refuses', () => {
  const failure = (code: string): Error => Object.assign(new Error(code), { code, path: '/disk/a.tar' })

  it.each([
    ['ENOENT', 'missing'],
    ['ENOTDIR', 'missing'],
    ['EACCES', 'forbidden'],
    ['EPERM', 'forbidden'],
    ['EROFS', 'forbidden'],
    ['EISDIR', 'invalid'],
    ['ENOSPC', 'no-room'],
    ['EDQUOT', 'no-room'],
    ['EIO', 'unavailable']
  ])('is said in words: %s is %s', (code, kind) => {
    expect(asProblem(failure(code))).toMatchObject({ kind, message: expect.not.stringContaining(code) })
  })

  it('is left alone when it is a refusal already, and not for the person when it is a fault', () => {
    const problem = new Problem('conflict', 'Wait.')
    expect(asProblem(problem)).toBe(problem)
    expect(asProblem(new TypeError('x is undefined'))).toBeNull()
    expect(asProblem(failure('ESOMETHING'))).toBeNull()
    expect(asProblem('a text')).toBeNull()
  })
})
