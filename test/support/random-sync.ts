import fc from 'fast-check'
import type { ConflictChoice } from '../../src-main/contract/sync.ts'
import { applyStep } from '../../src-main/domain/sync/apply.ts'
import { withSent } from '../../src-main/domain/sync/agreement.ts'
import { comparable, versionKey } from '../../src-main/domain/sync/pairs.ts'
import { planSync } from '../../src-main/domain/sync/plan.ts'
import type { Deed, SyncPlan, SyncPlanInput, SyncScope } from '../../src-main/domain/sync/plan-types.ts'
import type { BoxSnapshot, Checksums, Content, ImageSnapshot } from '../../src-main/domain/sync/snapshot.ts'

/** Boxes at two places that had much in common once, and what may be asked of a plan between them. */

/** A few letters of a digest are as good as all of them here. */
const digits = (type: string, file: string): string => `${type}-${file}`

const typeSets = [['sha256'], ['sha256'], ['sha256', 'md5'], ['md5'], []] as const

export const fileContent = (
  file: string,
  types: readonly (keyof Checksums)[] = ['sha256'],
  size: number | null = file.length * 100
): Content => ({
  kind: 'bytes',
  size,
  checksums: Object.fromEntries(types.map((type) => [type, digits(type, file)]))
})

const bytes = fc
  .tuple(fc.constantFrom('a', 'b', 'cc'), fc.constantFrom(...typeSets), fc.boolean())
  .map(([file, types, sized]) => fileContent(file, types, sized ? file.length * 100 : null))
const url: fc.Arbitrary<Content> = fc.record({
  kind: fc.constant('url' as const),
  url: fc.constantFrom('https://x.example/1', 'https://x.example/2'),
  checksums: fc.constantFrom({}, { sha256: 'one' }, { sha256: 'two' })
})
const content = fc.oneof(
  { weight: 6, arbitrary: bytes },
  { weight: 1, arbitrary: url },
  { weight: 1, arbitrary: fc.constant<Content>({ kind: 'empty' }) }
)
const knownContent = bytes.map((one): Content => (one.kind === 'bytes' ? { ...one, kind: 'known' } : one))

const image = (of: fc.Arbitrary<Content>): fc.Arbitrary<ImageSnapshot> =>
  fc.record({
    provider: fc.constantFrom('virtualbox', 'libvirt'),
    architecture: fc.constantFrom('amd64', 'arm64', 'unknown'),
    isDefault: fc.boolean(),
    content: of
  })

/** Exactly one default for each provider, and nothing released that nobody could download. */
function tidied(box: BoxSnapshot): BoxSnapshot {
  const numbers = new Set<string>()
  const versions = box.versions.flatMap((version) => {
    if (numbers.has(versionKey(version.number))) return []
    numbers.add(versionKey(version.number))
    const images = version.images.filter(
      (one, at) =>
        version.images.findIndex(
          (other) => other.provider === one.provider && other.architecture === one.architecture
        ) === at
    )
    const withDefaults = images.map((one) => {
      const own = images.filter(({ provider }) => provider === one.provider)
      return { ...one, isDefault: one === (own.find(({ isDefault }) => isDefault) ?? own[0]) }
    })
    const isUsable = images.some((one) => one.content.kind !== 'empty')
    return [{ ...version, images: withDefaults, status: isUsable ? version.status : ('unreleased' as const) }]
  })
  return { ...box, versions }
}

const textOf = fc.constantFrom('', 'one', 'two', 'three')
const boxOf = (contents: fc.Arbitrary<Content>): fc.Arbitrary<BoxSnapshot> =>
  fc
    .record({
      shortDescription: textOf,
      description: textOf,
      private: fc.boolean(),
      versions: fc.array(
        fc.record({
          number: fc.constantFrom('1.0.0', '1.0', '1.0.1', '2.0.0', '2.0.0-rc1'),
          status: fc.constantFrom('active', 'active', 'unreleased', 'revoked'),
          description: textOf,
          images: fc.array(image(contents), { maxLength: 3 })
        }),
        { maxLength: 3 }
      )
    })
    .map((box) => tidied(box as BoxSnapshot))

const mixed = (first: BoxSnapshot, second: BoxSnapshot, picks: readonly boolean[]): BoxSnapshot => {
  let at = 0
  const pick = (): boolean => picks[at++ % picks.length] ?? true
  const seconds = new Map(second.versions.map((version) => [version.number, version]))
  const versions = [
    ...first.versions.flatMap((version) => {
      const other = seconds.get(version.number)
      if (pick() || !other) return pick() || pick() ? [version] : []
      return [
        {
          ...version,
          status: pick() ? version.status : other.status,
          description: pick() ? version.description : other.description,
          images: pick() ? [...version.images, ...other.images] : [...other.images, ...version.images]
        }
      ]
    }),
    ...second.versions.filter(() => !pick())
  ]
  return tidied({
    shortDescription: pick() ? first.shortDescription : second.shortDescription,
    description: pick() ? first.description : second.description,
    private: pick() ? first.private : second.private,
    versions
  })
}

const picks = fc.array(fc.boolean(), { minLength: 8, maxLength: 24 })

/** Here, there, and what both once agreed on: the same box at first, changed on both sides since. */
const history = fc
  .record({
    once: boxOf(content),
    changeHere: boxOf(fc.oneof({ weight: 5, arbitrary: content }, { weight: 1, arbitrary: knownContent })),
    changeThere: boxOf(content),
    picksHere: picks,
    picksThere: picks,
    gone: fc.constantFrom('none', 'none', 'none', 'none', 'none', 'here', 'there', 'base', 'base')
  })
  .map(({ once, changeHere, changeThere, picksHere, picksThere, gone }) => ({
    here: gone === 'here' ? null : mixed(once, changeHere, picksHere),
    there: gone === 'there' ? null : mixed(once, changeThere, picksThere),
    base: gone === 'base' ? null : once
  }))

const scope: fc.Arbitrary<SyncScope> = fc
  .record({
    version: fc.constantFrom(undefined, undefined, undefined, '1.0.0', '2.0.0'),
    image: fc.constantFrom(undefined, undefined, undefined, {
      provider: 'virtualbox',
      architecture: 'amd64'
    }),
    release: fc.constantFrom(true, true, false),
    withRemovals: fc.constantFrom(false, false, true),
    fetched: fc.constantFrom('all', 'none', 'amd64')
  })
  .map(({ version, image: wanted, release, withRemovals, fetched }) => ({
    ...(version === undefined ? {} : { version }),
    ...(version === undefined || wanted === undefined ? {} : { image: wanted }),
    release,
    withRemovals,
    versions: () => true,
    fetches: ({ architecture }) => fetched === 'all' || architecture === fetched
  }))

export const everything: SyncScope = {
  release: true,
  withRemovals: false,
  versions: () => true,
  fetches: () => true
}

export const traits = { architectures: true, longestShortDescription: 255, writable: true }

/** What a plan is made from; the choices go to whatever conflicts it has, one after another. */
export const planInput = fc
  .record({
    history,
    direction: fc.constantFrom('publish' as const, 'pull' as const),
    architectures: fc.constantFrom(true, true, true, false),
    longestShortDescription: fc.constantFrom(255, 255, 3),
    scope,
    decisions: fc.array(
      fc.constantFrom<(ConflictChoice | null)[]>(null, 'keep-both', 'theirs', 'ours', 'new-version'),
      { minLength: 1, maxLength: 6 }
    )
  })
  .map(({ history: { here, ...remote }, direction, architectures, longestShortDescription, ...rest }) => {
    const isPublish = direction === 'publish'
    const there = architectures ? remote.there : withoutArchitectures(remote.there)
    const base = architectures ? remote.base : withoutArchitectures(remote.base)
    const input: SyncPlanInput = {
      direction,
      tag: 'acme/base',
      remoteName: 'Lab',
      traits: { architectures, longestShortDescription, writable: true },
      source: isPublish ? here : there,
      target: isPublish ? there : here,
      base: (isPublish ? there : here) === null ? null : base,
      scope: rest.scope,
      choices: {}
    }
    return { ...input, choices: decide(planSync(input), rest.decisions) }
  })

/** A choice for each conflict, of those it offers. */
function decide(
  { conflicts }: SyncPlan,
  decisions: readonly (ConflictChoice | null)[]
): Record<string, ConflictChoice> {
  const choices: Record<string, ConflictChoice> = {}
  for (const [at, conflict] of conflicts.entries()) {
    const wanted = decisions[at % decisions.length] ?? null
    if (wanted !== null && conflict.choices.some(({ choice }) => choice === wanted))
      choices[conflict.key] = wanted
  }
  return choices
}

type Applied = Pick<SyncPlanInput, 'target' | 'base'>

/**
 * The target after a plan's steps, each of which has to be possible, and the base, which notes what was sent. An end
 * that knows no architectures is only ever the remote one.
 */
export function applyAll(input: Omit<SyncPlanInput, 'choices' | 'scope'>, steps: readonly Deed[]): Applied {
  return steps.reduce<Applied>(({ target, base }, step) => apply({ ...input, target, base }, step), input)
}

export function apply(input: Omit<SyncPlanInput, 'choices' | 'scope'>, step: Deed): Applied {
  const { source, base, traits, direction } = input
  const target = applyStep(input.target, step, source, direction === 'publish' ? traits : undefined)
  if (step.kind !== 'put-bytes') return { target, base }
  const { version, provider, architecture } = step.from ?? step
  const sent = source?.versions
    .find(({ number }) => number === version)
    ?.images.find((image) => image.provider === provider && image.architecture === architecture)
  return { target, base: sent ? withSent(base, step, sent.content, traits) : base }
}

/** A box as an end without architectures has it: of each provider the default image alone. */
const withoutArchitectures = <Box extends BoxSnapshot | null>(box: Box): Box =>
  box && {
    ...box,
    versions: box.versions.map((version) => ({
      ...version,
      images: comparable(version.images, { architectures: false }).map((one) => ({ ...one, isDefault: true }))
    }))
  }

/** A box with everything in one order, and without the order in which it came about. */
export const canonical = (box: BoxSnapshot | null): BoxSnapshot | null =>
  box && {
    ...box,
    versions: [...box.versions]
      .map((version) => ({
        ...version,
        images: [...version.images].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      }))
      .sort((a, b) => (a.number < b.number ? -1 : 1))
  }

const keyOf = ({ provider, architecture }: ImageSnapshot): string => `${provider}/${architecture}`
