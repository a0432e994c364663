import { describe, expect, it } from 'vitest'
import type { PlanStep } from '../../../../../src-main/contract/arrivals.ts'
import { noveltyOf } from '../../../../../src-renderer/features/publish/novelty.ts'
import { verbOf } from '../../../../../src-renderer/features/publish/verb.ts'
import { arrival } from '../arrival.ts'

const planOf = (...kinds: PlanStep['kind'][]) => ({
  steps: kinds.map((kind) => ({ kind, sentence: kind })),
  problems: []
})

describe('what the button says', () => {
  it.each([
    {
      plan: planOf('create-box', 'create-version', 'create-image', 'release'),
      says: 'Publish and release 1.2.0'
    },
    { plan: planOf('create-version', 'create-image'), says: 'Publish 1.2.0 unreleased' },
    { plan: planOf('create-image'), says: 'Add to 1.2.0' },
    { plan: planOf('replace-image'), says: 'Replace the file in 1.2.0' },
    { plan: planOf('nothing', 'release'), says: 'Release 1.2.0' },
    { plan: undefined, says: 'Publish' }
  ])('$says', ({ plan, says }) => {
    expect(verbOf(arrival(), plan)).toBe(says)
    expect(verbOf(arrival({ state: 'reading' }), plan)).toBe(`${says} when read`)
  })
})

describe('whether the box and the version will be new', () => {
  const both = { box: true, version: true }
  it.each([
    { plan: planOf('create-box', 'create-version'), before: both, is: both },
    { plan: planOf('create-version', 'create-image'), before: both, is: { box: false, version: true } },
    { plan: planOf('create-image'), before: both, is: { box: false, version: false } },
    // A wrong version: nothing is said of it, and the form stays as it was.
    { plan: planOf('create-box'), before: both, is: both },
    { plan: planOf(), before: { box: false, version: false }, is: { box: false, version: false } },
    { plan: undefined, before: both, is: both }
  ])('$is', ({ plan, before, is }) => {
    expect(noveltyOf(plan, before)).toEqual(is)
  })
})
