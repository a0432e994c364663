import { architectureFault } from '../architecture.ts'
import { nameFault } from '../names.ts'
import { isBytes } from './compare.ts'
import type { Findings } from './findings.ts'
import { judge, type Candidate, type Outcome } from './image-verdict.ts'
import { pairImages, type VersionPair } from './pairs.ts'
import type { Deed, SyncPlanInput } from './plan-types.ts'
import { imageText } from './words.ts'

/** What has to be done to the images of one version. */
export interface ImageDeeds {
  readonly creations: readonly Deed[]
  readonly transfers: readonly Deed[]
  readonly changes: readonly Deed[]
  /** Whether the version makes sense without any one of them; the same in any plan for it. */
  readonly areSeveral: boolean
  /** Whether an image is left as it is because both sides differ: the version is not released then. */
  readonly isHeld: boolean
  /** Whether the version has something to be downloaded afterwards. */
  readonly hasContent: boolean
  /** Keys of conflicts, and whether one was answered by a version of its own. */
  readonly clashes: readonly string[]
  readonly wantsOwnVersion: boolean
}

/** Compares the images of a version, which is at the source, and at the target under `number` or will be. */
export function planImages(
  pair: VersionPair,
  number: string,
  newNumber: string | null,
  findings: Findings
): ImageDeeds {
  const { input } = findings
  const candidates = candidatesOf(pair, number, findings)
  const outcomes = candidates.map((one) => ({ one, outcome: judge(one, pair, newNumber, findings) }))
  const there = new Set([
    ...outcomes.filter(({ outcome }) => outcome.kind === 'create').map(({ one }) => one),
    ...candidates.filter(({ target }) => target !== undefined)
  ])
  const defaults = wantedDefaults(pair, candidates, there, input)
  const creations: Deed[] = []
  const transfers: Deed[] = []
  const changes: Deed[] = []
  for (const { one, outcome } of outcomes) {
    const { name, target } = one
    const isWanted = defaults.get(name.provider) === name.architecture
    const becomesDefault = target !== undefined && isWanted && !target.isDefault
    if (outcome.kind === 'create') creations.push(creationOf(one, outcome, isWanted))
    if (outcome.kind === 'put' || (outcome.kind === 'create' && outcome.put))
      transfers.push(transferOf(one, outcome.kind === 'put' && outcome.replaces))
    if (becomesDefault || outcome.kind === 'point' || outcome.kind === 'know')
      changes.push(changeOf(one, outcome, becomesDefault))
  }
  const held = outcomes.flatMap(({ outcome }) => (outcome.kind === 'held' ? [outcome] : []))
  return {
    creations,
    transfers,
    changes,
    areSeveral: candidates.length > 1,
    isHeld: held.length > 0,
    hasContent:
      transfers.length > 0 ||
      changes.some((deed) => deed.kind === 'change-image' && (deed.url ?? deed.known)) ||
      creations.some((deed) => deed.kind === 'create-image' && (deed.url ?? deed.known)) ||
      (pair.target?.images ?? []).some(({ content }) => content.kind !== 'empty'),
    clashes: held.map(({ clash }) => clash),
    wantsOwnVersion: held.some(({ own }) => own)
  }
}

/** Those the plan is about, with their names: an image is called as it is here, and else as it is there. */
function candidatesOf(pair: VersionPair, number: string, { input, words, notes }: Findings): Candidate[] {
  const { traits, scope } = input
  const candidates: Candidate[] = []
  const paired = pairImages(pair, traits)
  for (const { source, base, target } of paired) {
    if (!source || !pair.source) continue
    const called = words.isPublish ? source : (target ?? source)
    const { provider, architecture } = called
    if (scope.image) {
      if (scope.image.provider !== provider) continue
      if (traits.architectures && scope.image.architecture !== architecture) continue
    }
    const fault = words.isPublish
      ? null
      : (nameFault('The provider name', provider) ?? architectureFault(architecture))
    if (fault !== null) {
      notes.add(`An image of ${number} cannot be kept here: ${fault.slice(0, 400)}`)
      continue
    }
    candidates.push({
      ...{ source, base, target },
      name: { version: number, provider, architecture },
      from: { version: pair.source.number, provider: source.provider, architecture: source.architecture }
    })
  }
  if (!traits.architectures && words.isPublish) noteOthers(pair, number, scope.image, { words, notes })
  return candidates
}

/** Where there are no architectures, only the default image of a provider has a place. */
function noteOthers(
  { source }: VersionPair,
  number: string,
  image: SyncPlanInput['scope']['image'],
  { words, notes }: Pick<Findings, 'words' | 'notes'>
): void {
  const others = (source?.images ?? []).filter(
    (one) => !one.isDefault && (!image || image.provider === one.provider)
  )
  if (others.length > 0)
    notes.add(
      `${words.remote} knows no architectures, so these images of ${number} cannot be published there: ` +
        `${others.map(imageText).join(', ')}.`
    )
}

/** Which architecture of each provider is to be the default at the target. */
function wantedDefaults(
  pair: VersionPair,
  candidates: readonly Candidate[],
  there: ReadonlySet<Candidate>,
  { traits }: SyncPlanInput
): ReadonlyMap<string, string> {
  const wanted = new Map<string, string>()
  for (const one of candidates) {
    const { provider, architecture } = one.name
    if (!traits.architectures) {
      // The only one the remote knows of. Here it takes nobody's place.
      if (one.target === undefined) wanted.set(provider, architecture)
      continue
    }
    if (!one.source.isDefault || !there.has(one)) continue
    const now = defaultIn(pair.target?.images, provider)
    const agreed = defaultIn(pair.base?.images, provider)
    const isTargets = now !== undefined && agreed === architecture && now !== architecture
    wanted.set(provider, isTargets ? now : architecture)
  }
  return wanted
}

const defaultIn = (
  images: readonly { provider: string; architecture: string; isDefault?: boolean }[] | undefined,
  provider: string
): string | undefined =>
  images?.find((image) => image.provider === provider && image.isDefault === true)?.architecture

function creationOf(
  { name }: Candidate,
  { content, put }: Extract<Outcome, { kind: 'create' }>,
  isDefault: boolean
): Deed {
  const common = { kind: 'create-image', ...name, isDefault, url: null, known: null } as const
  switch (content.kind) {
    case 'empty':
      return { ...common, checksums: {} }
    case 'url':
      return { ...common, url: content.url, checksums: content.checksums }
    case 'bytes':
    case 'known':
      return {
        ...common,
        checksums: content.checksums,
        known: put ? null : { size: content.size }
      }
  }
}

function changeOf(
  { name, source: { content } }: Candidate,
  { kind }: Outcome,
  becomesDefault: boolean
): Deed {
  return {
    kind: 'change-image',
    ...name,
    ...(becomesDefault && { isDefault: true }),
    ...(kind === 'point' &&
      content.kind === 'url' && { url: { url: content.url, checksums: content.checksums } }),
    ...(kind === 'know' &&
      isBytes(content) && { known: { size: content.size, checksums: content.checksums } })
  }
}

function transferOf({ name, from, source: { content } }: Candidate, replaces: boolean): Deed {
  const { size, checksums } = isBytes(content) ? content : { size: null, checksums: {} }
  const isCalledSo =
    from.version === name.version &&
    from.provider === name.provider &&
    from.architecture === name.architecture
  return { kind: 'put-bytes', ...name, size, checksums, replaces, ...(isCalledSo ? {} : { from }) }
}
