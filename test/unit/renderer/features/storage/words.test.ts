import { describe, expect, it } from 'vitest'
import {
  backupName,
  gracesWith,
  headingOf,
  inFolder
} from '../../../../../src-renderer/features/storage/words.ts'

describe('words of the storage place', () => {
  it.each([
    ['verify', 'running', [], 'Verifying every file'],
    ['verify', 'running', ['rotten'], 'Verifying every file'],
    ['verify', 'done', [], 'Everything was verified'],
    ['verify', 'done', ['rotten'], 'Verified: not everything is sound'],
    ['verify', 'failed', ['busy'], 'Verifying did not end well'],
    ['restore', 'done', ['missing'], 'The backup is restored']
  ] as const)('say of %s, %s with %j: %s', (job, state, problems, heading) => {
    const rest = { done: 0, total: null, sentences: [], startedAt: 0, endedAt: null }
    expect(headingOf({ job, state, problems, ...rest })).toBe(heading)
  })

  it('offer the usual ages, and the one that is set', () => {
    const usual = gracesWith(24).map(({ label }) => label)
    expect(usual).toEqual(['a minute', 'an hour', 'a day', 'a week', '30 days'])
    expect(gracesWith(36).map(({ label }) => label)).toEqual([
      ...['a minute', 'an hour', 'a day', '36 hours', 'a week', '30 days']
    ])
    expect(gracesWith(36).map(({ value }) => Number(value))).toContain(36)
  })

  it.each([
    ['/home/a/data', '/home/a/data/backups/x.tar'],
    ['C:\\Users\\a', 'C:\\Users\\a\\backups\\x.tar']
  ])('join names to the folder %s', (folder, path) => {
    expect(inFolder(folder, 'backups', 'x.tar')).toBe(path)
  })

  it('name a backup by its day', () => {
    expect(backupName(new Date(2026, 0, 5))).toBe('boxyard-2026-01-05.tar')
  })
})
