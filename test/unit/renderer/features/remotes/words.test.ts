import { describe, expect, it } from 'vitest'
import type { MirrorRule } from '../../../../../src-main/contract/mirrors.ts'
import { ruleText } from '../../../../../src-renderer/features/remotes/mirror-words.ts'
import { everyText, intervalChoices, intervalOf } from '../../../../../src-renderer/features/remotes/words.ts'

describe('how often', () => {
  it.each([
    [null, 'only by hand'],
    [1, 'every minute'],
    [30, 'every 30 minutes'],
    [60, 'every hour'],
    [90, 'every 90 minutes'],
    [360, 'every 6 hours'],
    [1440, 'every day']
  ])('%s is %s', (minutes, text) => expect(everyText(minutes)).toBe(text))

  it('can also be what none of the usual choices is', () => {
    const values = intervalChoices(45).map(({ value }) => value)
    expect(values.map(intervalOf)).toEqual([null, 5, 15, 30, 45, 60, 360, 1440])
  })
})

const rule: MirrorRule = {
  ...{ remoteId: 1, boxes: 'acme/*', newest: 3, prereleases: false, providers: [], architectures: [] },
  ...{ largestBytes: null, removeGone: false, everyMinutes: 360, enabled: true }
}

describe('a mirror rule in words', () => {
  it.each<[Partial<MirrorRule>, string]>([
    [{}, 'newest 3 versions, no prereleases · all providers · all architectures'],
    [
      { newest: null, prereleases: true },
      'all versions, with prereleases · all providers · all architectures'
    ],
    [{ newest: 1 }, 'newest version, no prereleases · all providers · all architectures'],
    [{ newest: 0 }, 'known, nothing fetched · all providers · all architectures'],
    [
      { providers: ['virtualbox', 'libvirt'], architectures: ['amd64'], largestBytes: 4e9, removeGone: true },
      'newest 3 versions, no prereleases · virtualbox, libvirt · amd64 · files up to 4.0 GB · what is gone there goes here'
    ]
  ])('%o', (changes, text) => expect(ruleText({ ...rule, ...changes })).toBe(text))
})
