import { describe, expect, it } from 'vitest'
import {
  backupName,
  gracesWith,
  headingOf,
  inFolder,
  kindOf
} from '../../../../../src-renderer/features/storage/words.ts'

describe('words of the storage place', () => {
  it.each([
    ['verify', 'running', [], 'Verifying every file'],
    ['verify', 'running', ['rotten'], 'Verifying every file'],
    ['verify', 'done', [], 'Everything was verified'],
    ['verify', 'done', ['rotten'], 'Verified: not everything is sound'],
    ['verify', 'failed', ['busy'], 'Verifying did not end well'],
    ['verify', 'cancelled', ['rotten'], 'Verifying was cancelled'],
    ['restore', 'done', ['missing'], 'The backup is restored']
  ] as const)('say of %s, %s with %j: %s', (job, state, problems, heading) => {
    const rest = { cancellable: true, done: 0, total: null, sentences: [], startedAt: 0, endedAt: null }
    expect(headingOf({ job, state, problems, ...rest })).toBe(heading)
  })

  it.each([
    ['done', [], 'success'],
    ['done', ['rotten'], 'warning'],
    ['failed', ['busy'], 'error'],
    ['cancelled', [], 'info'],
    ['cancelled', ['rotten'], 'warning']
  ] as const)('make of a job that is %s with %j a %s', (state, problems, kind) => {
    const rest = {
      job: 'verify',
      cancellable: true,
      done: 0,
      total: null,
      sentences: [],
      startedAt: 0,
      endedAt: null
    } as const
    expect(kindOf({ state, problems, ...rest })).toBe(kind)
  })

  it('offer the usual ages, and the one that is set', () => {
    const usual = gracesWith(24).map(({ label }) => label)
    expect(usual).toEqual(['a minute', 'an hour', 'a day', 'a week', '30 days'])
    expect(gracesWith(36).map(({ label }) => label)).toEqual([
      ...['a minute', 'an hour', 'a day', '36 hours', 'a week', '30 days']
    ])
    expect(gracesWith(36).map(({ value }) => Number(value))).toContain(36)
    expect(gracesWith(0)[0]).toEqual({ value: '0', label: 'no time at all' })
    expect(gracesWith(72).map(({ label }) => label)).toContain('3 days')
  })

  it.each([
    ['/home/a/data', '/home/a/data/backups/x.tar'],
    ['C:\\Users\\a', 'C:\\Users\\a\\backups\\x.tar']
  ])('join names to the folder %s', (folder, path) => {
    expect(inFolder(folder, 'backups', 'x.tar')).toBe(path)
  })

  it('name a backup by its day and minute', () => {
    expect(backupName(new Date(2026, 0, 5, 9, 7))).toBe('boxyard-2026-01-05-0907.tar')
  })
})
