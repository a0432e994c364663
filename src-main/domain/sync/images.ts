import { architectureFault } from '../architecture.ts'
import { nameFault } from '../names.ts'
import { isAsAgreed, isBytes, tellChecksums, tellSides, type BytesContent } from './compare.ts'
import { contentClash, type Conflicts } from './conflicts.ts'
import { pairImages, type ImagePair, type VersionPair } from './pairs.ts'
import type { Deed, SyncPlanInput } from './plan-types.ts'
import type { Notes } from './steps.ts'
import type { Content, ImageName, ImageSnapshot } from './snapshot.ts'
import { imageText, type Words } from './words.ts'

/** What the planning of one version needs to know and tells. */
export interface Findings {
  readonly input: SyncPlanInput
  readonly words: Words
  readonly notes: Notes
  readonly conflicts: Conflicts
}

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

/** One image of a version, and how it is called at the target. */
interface Candidate extends ImagePair {
  readonly source: ImageSnapshot
  readonly name: ImageName
  /** How it is called at the source. */
  readonly from: ImageName
}

type Outcome =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'held'; readonly clash: string; readonly own: boolean }
  /** With bytes that follow, at an address, known, or as empty as at the source. */
  | { readonly kind: 'create'; readonly content: Content; readonly put: boolean }
  | { readonly kind: 'put'; readonly replaces: boolean }
  | { readonly kind: 'point' }
  | { readonly kind: 'know' }

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
    const { name, source, target } = one
    const isWanted = defaults.get(name.provider) === name.architecture
    const becomesDefault = target !== undefined && isWanted && !target.isDefault
    if (outcome.kind === 'create') creations.push(creationOf(one, outcome, isWanted))
    if (outcome.kind === 'put' || (outcome.kind === 'create' && outcome.put))
      transfers.push(transferOf(one, outcome.kind === 'put' && outcome.replaces))
    const { content } = source
    const url =
      outcome.kind === 'point' && content.kind === 'url'
        ? { url: { url: content.url, checksums: content.checksums } }
        : {}
    const known =
      outcome.kind === 'know' && isBytes(content)
        ? { known: { size: content.size, checksums: content.checksums } }
        : {}
    if (becomesDefault || outcome.kind === 'point' || outcome.kind === 'know')
      changes.push({
        kind: 'change-image',
        ...name,
        ...(becomesDefault ? { isDefault: true } : {}),
        ...url,
        ...known
      })
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

function judge(one: Candidate, pair: VersionPair, newNumber: string | null, findings: Findings): Outcome {
  const { source, target, base, name } = one
  const { words, notes } = findings
  const { content } = source
  if (target && content.kind === 'empty') return nothing
  if (!target && isGone(one, pair, findings)) {
    notes.add(
      `${imageText(name)} of ${name.version} was removed ${words.atTarget} and is not brought again; name it to have it there.`
    )
    return nothing
  }
  const told = target ? tellSides(content, target.content, base?.content) : 'different'
  if (content.kind === 'known') {
    if (told !== 'same') notes.add(unsendable(one, words))
    return nothing
  }
  if (!target) return fill(one, findings)
  if (target.content.kind === 'empty') {
    if (content.kind === 'url') return { kind: 'point' }
    return isFetched(one, findings) ? { kind: 'put', replaces: false } : { kind: 'know' }
  }
  if (target.content.kind === 'known') return judgeKnown(one, target.content, told, findings)
  if (told === 'same') return nothing
  if (told === 'different' && base && tellSides(content, base.content, undefined) !== 'different') {
    notes.add(
      `${imageText(name)} of ${name.version} has another file ${words.atTarget} since both were the same; it stays there.`
    )
    return nothing
  }
  if (isMove(one)) return { kind: 'point' }
  return decide(one, pair, newNumber, findings)
}

const nothing: Outcome = { kind: 'nothing' }

/**
 * Whether it was removed at the target since both agreed on it. In a version that is not released yet it is brought all
 * the same: that may be one whose making was cut off, and nobody uses it yet.
 */
const isGone = ({ source, base }: Candidate, { target }: VersionPair, { input }: Findings): boolean =>
  target !== undefined &&
  target.status !== 'unreleased' &&
  input.scope.image === undefined &&
  base !== undefined &&
  isAsAgreed(source.content, base.content)

const unsendable = ({ name }: Candidate, { isPublish }: Words): string =>
  isPublish
    ? `${imageText(name)} of ${name.version} is not on this disk, so it cannot be published; fetch it first.`
    : `${imageText(name)} of ${name.version} is known there, but its file is not there, so it cannot be fetched.`

function fill(one: Candidate, findings: Findings): Outcome {
  const { content } = one.source
  if (content.kind === 'url' || content.kind === 'empty') return { kind: 'create', content, put: false }
  return { kind: 'create', content, put: isFetched(one, findings) }
}

const isFetched = ({ source, from }: Candidate, { input, words }: Findings): boolean =>
  words.isPublish || input.scope.fetches(from, isBytes(source.content) ? source.content.size : null)

/** Nothing of one's own is lost where only a note of bytes is, so that follows the source. */
function judgeKnown(
  one: Candidate,
  target: BytesContent,
  told: ReturnType<typeof tellSides>,
  findings: Findings
): Outcome {
  const { content } = one.source
  if (content.kind === 'url') return { kind: 'point' }
  if (!isBytes(content)) return nothing
  if (isFetched(one, findings)) return { kind: 'put', replaces: false }
  if (told === 'same') return nothing
  const isNoted =
    target.size === content.size && JSON.stringify(target.checksums) === JSON.stringify(content.checksums)
  return isNoted ? nothing : { kind: 'know' }
}

/** Another address of what may well be the same file: nobody's bytes are lost by following it. */
const isMove = ({ source, base, target }: Candidate): boolean =>
  source.content.kind === 'url' &&
  target?.content.kind === 'url' &&
  base !== undefined &&
  isAsAgreed(target.content, base.content) &&
  tellChecksums(source.content.checksums, target.content.checksums) !== 'different'

function decide(
  { source, target, base, name }: Candidate,
  pair: VersionPair,
  newNumber: string | null,
  { conflicts, words }: Findings
): Outcome {
  if (!target || !pair.target) return nothing
  const here = (words.isPublish ? pair.source : pair.target)?.number ?? name.version
  const clash = contentClash(
    { ...name, version: here },
    { source, target, base, status: pair.target.status, newNumber },
    words
  )
  const chosen = conflicts.add(clash)
  if (chosen !== (words.isPublish ? 'ours' : 'theirs'))
    return { kind: 'held', clash: clash.key, own: chosen === 'new-version' }
  if (source.content.kind === 'url') return { kind: 'point' }
  return { kind: 'put', replaces: true }
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

function transferOf({ name, from, source: { content } }: Candidate, replaces: boolean): Deed {
  const { size, checksums } = isBytes(content) ? content : { size: null, checksums: {} }
  const isCalledSo =
    from.version === name.version &&
    from.provider === name.provider &&
    from.architecture === name.architecture
  return { kind: 'put-bytes', ...name, size, checksums, replaces, ...(isCalledSo ? {} : { from }) }
}
