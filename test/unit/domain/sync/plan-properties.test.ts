import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agreeOn } from '../../../../src-main/domain/sync/agreement.ts'
import { isAsAgreed, tellContents } from '../../../../src-main/domain/sync/compare.ts'
import { leftOutOf } from '../../../../src-main/domain/sync/left-out.ts'
import { imageKey, versionKey } from '../../../../src-main/domain/sync/pairs.ts'
import { planSync } from '../../../../src-main/domain/sync/plan.ts'
import type { SyncPlanInput } from '../../../../src-main/domain/sync/plan-types.ts'
import type { AgreedBox, BoxSnapshot, ImageSnapshot } from '../../../../src-main/domain/sync/snapshot.ts'
import { apply, applyAll, canonical, everything, planInput, traits } from '../../../support/random-sync.ts'

const runs = { numRuns: Number(process.env['SYNC_RUNS'] ?? 500) }

const imageIn = (box: BoxSnapshot | null, number: string, { provider, architecture }: ImageSnapshot) =>
  box?.versions
    .find((version) => version.number === number)
    ?.images.find((image) => image.provider === provider && image.architecture === architecture)

describe('a plan, whatever both sides were, are, and what is chosen', () => {
  it('has nothing to do once it is carried out', () => {
    fc.assert(
      fc.property(planInput, (input) => {
        const after = applyAll(input, planSync(input).steps)
        expect(planSync({ ...input, ...after }).steps).toEqual([])
      }),
      runs
    )
  })

  it('comes to the same end wherever it is cut off', () => {
    fc.assert(
      fc.property(planInput, (input) => {
        const { steps } = planSync(input)
        const end = canonical(applyAll(input, steps).target)
        for (let cut = 0; cut < steps.length; cut++) {
          const then = { ...input, ...applyAll(input, steps.slice(0, cut)) }
          expect(canonical(applyAll(then, planSync(then).steps).target)).toEqual(end)
        }
      }),
      runs
    )
  })

  it('takes nothing from the target but what was agreed on and is to be removed', () => {
    fc.assert(
      fc.property(planInput, (input) => {
        const { target, base, scope } = input
        const after = applyAll(input, planSync(input).steps).target
        if (!target || !after) {
          expect(after === null && target !== null && (!scope.withRemovals || input.source !== null)).toBe(
            false
          )
          return
        }
        for (const version of target.versions) {
          const stays = after.versions.some(({ number }) => number === version.number)
          const agreed = base?.versions.find(
            ({ number }) => versionKey(number) === versionKey(version.number)
          )
          if (!stays) {
            expect(scope.withRemovals).toBe(true)
            expect(agreed).toBeDefined()
            continue
          }
          for (const image of version.images) {
            if (imageIn(after, version.number, image)) continue
            expect(scope.withRemovals).toBe(true)
            const was = agreed?.images.find(
              (one) => imageKey(one, input.traits) === imageKey(image, input.traits)
            )
            expect(isAsAgreed(image.content, was?.content)).toBe(true)
          }
        }
      }),
      runs
    )
  })

  it('changes bytes of the target only where the person chose so', () => {
    fc.assert(
      fc.property(planInput, (input) => {
        const plan = planSync(input)
        const chosen = plan.conflicts.filter((one) => one.chosen === 'ours' || one.chosen === 'theirs')
        let target = input.target
        for (const step of plan.steps) {
          const before = target
          target = apply({ ...input, target }, step).target
          if (!before || !target || step.kind.startsWith('remove-')) continue
          for (const version of before.versions)
            for (const image of version.images) {
              if (image.content.kind !== 'bytes') continue
              const now = imageIn(target, version.number, image)
              if (
                now &&
                tellContents(now.content, image.content) !== 'different' &&
                now.content.kind === 'bytes'
              )
                continue
              expect(chosen.some(({ key }) => key.includes(` ${image.provider}/`))).toBe(true)
            }
        }
      }),
      runs
    )
  })

  it('releases nothing that was revoked, and nothing before its bytes', () => {
    fc.assert(
      fc.property(planInput, (input) => {
        const { steps } = planSync(input)
        const revoked = [input.source, input.target]
          .flatMap((box) => box?.versions ?? [])
          .filter(({ status }) => status === 'revoked')
          .map(({ number }) => versionKey(number))
        for (const [at, step] of steps.entries()) {
          if (step.kind !== 'release') continue
          expect(revoked).not.toContain(versionKey(step.version))
          const later = steps.slice(at).filter((one) => 'version' in one && one.version === step.version)
          expect(later.filter(({ kind }) => kind === 'put-bytes' || kind === 'create-image')).toEqual([])
        }
      }),
      runs
    )
  })

  it('has each key once', () => {
    fc.assert(
      fc.property(planInput, (input) => {
        const keys = planSync(input).steps.map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
      }),
      runs
    )
  })

  it('can be carried out without what is left out of it, and then leaves only that', () => {
    fc.assert(
      fc.property(planInput, fc.array(fc.nat(30), { maxLength: 4 }), (input, picks) => {
        const { steps } = planSync(input)
        const unticked = picks.flatMap((at) => steps[at]?.key ?? [])
        const left = leftOutOf(steps, unticked)
        const after = applyAll(
          input,
          steps.filter(({ key }) => !left.has(key))
        )
        const again = planSync({ ...input, ...after }).steps
        const leftAgain = leftOutOf(again, unticked)
        expect(again.filter(({ key }) => !leftAgain.has(key)).map(({ key }) => key)).toEqual([])
      }),
      runs
    )
  })
})

describe('two sides', () => {
  const swapped = (input: SyncPlanInput): SyncPlanInput => ({
    ...input,
    direction: input.direction === 'publish' ? 'pull' : 'publish',
    source: input.target,
    target: input.source
  })

  it('that are the same have nothing to do in either direction', () => {
    fc.assert(
      fc.property(planInput, ({ source, base, ...rest }) => {
        const known = source?.versions.some(({ images }) =>
          images.some(({ content }) => content.kind === 'known')
        )
        fc.pre(source !== null && !known)
        const told = withChecksums(source)
        const input = { ...rest, base, source: told, target: told, traits, choices: {} }
        for (const one of [input, swapped(input)]) {
          const plan = planSync({ ...one, scope: everything })
          expect({ steps: plan.steps, conflicts: plan.conflicts }).toEqual({ steps: [], conflicts: [] })
        }
      }),
      runs
    )
  })

  it('stop changing each other when publishing and pulling alternate', () => {
    fc.assert(
      fc.property(planInput, (input) => {
        let { source, target }: Pick<SyncPlanInput, 'source' | 'target'> = input
        let base: AgreedBox | null = input.base
        const isPublish = input.direction === 'publish'
        let done = 0
        for (let round = 0; round < 6; round++) {
          const forward = round % 2 === 0
          const sides = forward ? { source, target } : { source: target, target: source }
          const one: SyncPlanInput = {
            ...input,
            ...sides,
            base: sides.target === null ? null : base,
            direction: forward === isPublish ? 'publish' : 'pull',
            scope: everything,
            choices: {}
          }
          const plan = planSync(one)
          const after = applyAll(one, plan.steps)
          if (forward) target = after.target
          else source = after.target
          const [here, there] = isPublish ? [source, target] : [target, source]
          base = agreeOn({ here, there, base: after.base, traits: input.traits })
          if (round >= 4) done += plan.steps.length
        }
        expect(done).toBe(0)
      }),
      runs
    )
  })

  it('have the same conflicts in both directions where neither is newer', () => {
    fc.assert(
      fc.property(planInput, (given) => {
        const input = { ...given, scope: everything, choices: {}, base: null }
        fc.pre(input.source !== null && input.target !== null)
        const keys = (one: SyncPlanInput): string[] =>
          planSync(one)
            .conflicts.map(({ key }) => key)
            .filter((key) => !key.includes('known'))
            .sort()
        fc.pre(!hasKnown(input.source) && !hasKnown(input.target) && input.traits.longestShortDescription > 3)
        expect(keys(swapped(input))).toEqual(keys(input))
      }),
      runs
    )
  })
})

const hasKnown = (box: BoxSnapshot | null): boolean =>
  box?.versions.some(({ images }) => images.some(({ content }) => content.kind === 'known')) ?? false

/** Without a checksum nobody can say that two files are one. */
const withChecksums = (box: BoxSnapshot): BoxSnapshot => ({
  ...box,
  versions: box.versions.map((version) => ({
    ...version,
    images: version.images.map((image) =>
      image.content.kind === 'bytes'
        ? { ...image, content: { ...image.content, checksums: { sha1: 'x', ...image.content.checksums } } }
        : image
    )
  }))
})
