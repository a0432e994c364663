import { descriptionFault } from '../texts.ts'
import { nextNumber, numberFault } from '../version-number.ts'
import { judgeText } from './box-texts.ts'
import { tellContents, tellSides } from './compare.ts'
import { textClash } from './conflicts.ts'
import type { Findings } from './findings.ts'
import { planImages, type ImageDeeds } from './images.ts'
import { comparable, imageKey, isVersionAsAgreed, versionKey, type VersionPair } from './pairs.ts'
import type { Deed, Step, SyncPlanInput } from './plan-types.ts'
import { stepOf } from './steps.ts'
import type { VersionSnapshot } from './snapshot.ts'
import { imageText } from './words.ts'

/** Finds the versions of the target by their numbers, for who looks for a free one. */
export type VersionsByKey = ReadonlyMap<string, VersionPair>

/** What has to be done so that the target has a version as the source has it. */
export function planVersion(pair: VersionPair, all: VersionsByKey, findings: Findings): Step[] {
  const { source } = pair
  if (!source || !isInScope(source, findings.input) || !canBeKept(source, findings)) return []
  if (!pair.target) return planMissing({ ...pair, source }, findings)
  if (source.status === 'revoked' || pair.target.status === 'revoked')
    return planRevoked({ ...pair, source, target: pair.target }, findings)
  const own = findings.words.isPublish ? ownVersion(source, all, findings) : null
  const number = pair.target.number
  const images = planImages(pair, number, own?.number ?? null, findings)
  if (own && images.wantsOwnVersion) {
    for (const clash of images.clashes) findings.conflicts.settle(clash, 'new-version')
    return own.pair.target
      ? stepsOf(own.pair, planImages(own.pair, own.number, null, findings), findings)
      : create(own.pair, own.number, findings)
  }
  return stepsOf(pair, images, findings)
}

function isInScope({ number }: VersionSnapshot, { scope }: SyncPlanInput): boolean {
  if (scope.version !== undefined && versionKey(scope.version) !== versionKey(number)) return false
  return scope.versions(number)
}

/** What others have may break the rules here. */
function canBeKept({ number }: VersionSnapshot, { words, notes }: Findings): boolean {
  const fault = words.isPublish ? null : numberFault(number)
  if (fault !== null) notes.add(`A version of ${words.remote} cannot be kept here: ${fault.slice(0, 300)}`)
  return fault === null
}

type Present = VersionPair & { readonly source: VersionSnapshot }
type Both = Present & { readonly target: VersionSnapshot }

function planMissing(pair: Present, findings: Findings): Step[] {
  const { source, base } = pair
  const { words, notes, input } = findings
  if (source.status === 'revoked') {
    if (!base) notes.add(`${source.number} is revoked ${words.atSource}, so it is not brought.`)
    return []
  }
  if (base && input.scope.version === undefined && isVersionAsAgreed(source, base, input.traits)) {
    notes.add(
      `${source.number} was removed ${words.atTarget} and is not brought again; name the version to have it there.`
    )
    return []
  }
  return create(pair, source.number, findings)
}

function create(pair: Present, number: string, findings: Findings): Step[] {
  const { words, notes } = findings
  const fault = words.isPublish ? null : descriptionFault(pair.source.description)
  if (fault !== null) notes.add(`Left out of ${number}: ${fault}`)
  const deed: Deed = {
    kind: 'create-version',
    version: number,
    description: fault === null ? pair.source.description : ''
  }
  const images = planImages({ ...pair, target: undefined }, number, null, findings)
  // Of nothing that could be brought, an empty version would be left behind. The notes say why.
  if (pair.source.images.length > 0 && images.creations.length === 0) return []
  return [
    stepOf(deed, words, true),
    ...imageSteps(images, findings),
    ...release(pair, number, images, findings)
  ]
}

/** Revoking is final: such a version only follows in its description, and is never released again. */
function planRevoked(pair: Both, findings: Findings): Step[] {
  const { source, target } = pair
  const { words, notes, input } = findings
  const description = changeDescription(pair, findings)
  if (input.scope.image) return source.status === target.status ? fetchKnown(pair, findings) : []
  if (source.status !== 'revoked') {
    notes.add(
      `${target.number} was revoked ${words.atTarget}, which is final; nothing of it is released again.`
    )
    return description
  }
  if (target.status === 'active')
    return [...description, stepOf({ kind: 'revoke', version: target.number }, words, true)]
  if (target.status === 'unreleased')
    notes.add(
      `${target.number} is revoked ${words.atSource} and was never released ${words.atTarget}; it stays unreleased.`
    )
  return description
}

/** A file that is known may still be wanted by name when its version is revoked on both sides. */
function fetchKnown(pair: Both, findings: Findings): Step[] {
  const { transfers, ...images } = planImages(pair, pair.target.number, null, findings)
  const wanted = transfers.filter((deed) => {
    if (deed.kind !== 'put-bytes') return false
    const { provider, architecture } = deed
    const there = pair.target.images.find(
      (image) => image.provider === provider && image.architecture === architecture
    )
    return there?.content.kind === 'known'
  })
  return imageSteps({ ...images, transfers: wanted, creations: [], changes: [] }, findings)
}

function stepsOf(pair: VersionPair, images: ImageDeeds, findings: Findings): Step[] {
  const { source, target } = pair
  if (!source || !target) return []
  const both = { ...pair, source, target }
  return [
    ...imageSteps(images, findings),
    ...changeDescription(both, findings),
    ...release(both, target.number, images, findings)
  ]
}

/** One image of several may be left out; the only one is what the version is for. */
function imageSteps({ creations, transfers, changes, areSeveral }: ImageDeeds, { words }: Findings): Step[] {
  return [
    ...creations.map((deed) => stepOf(deed, words, areSeveral)),
    ...transfers.map((deed) => stepOf(deed, words, areSeveral || isReplacing(deed))),
    ...changes.map((deed) => stepOf(deed, words, true))
  ]
}

const isReplacing = (deed: Deed): boolean => deed.kind === 'put-bytes' && deed.replaces

function changeDescription({ source, target, base }: Both, findings: Findings): Step[] {
  const { words, notes, conflicts, input } = findings
  if (input.scope.image) return []
  const { number } = target
  const verdict = judgeText(source.description, target.description, base?.description)
  if (verdict === 'target-changed')
    notes.add(`The description of ${number} was changed ${words.atTarget} and stays as it is there.`)
  if (verdict === 'leave' || verdict === 'target-changed') return []
  const fault = words.isPublish ? null : descriptionFault(source.description)
  if (fault !== null) {
    notes.add(`Left out of ${number}: ${fault}`)
    return []
  }
  if (verdict === 'clash') {
    const here = words.isPublish ? source : target
    const sides = {
      source: source.description,
      target: target.description,
      wasAgreed: base?.description !== undefined
    }
    const chosen = conflicts.add(textClash('description', here.number, sides, words))
    if (chosen !== (words.isPublish ? 'ours' : 'theirs')) return []
  }
  return [stepOf({ kind: 'change-version', version: number, description: source.description }, words, true)]
}

function release(
  { source, target }: Present,
  number: string,
  { isHeld, hasContent }: ImageDeeds,
  { input, words, notes }: Findings
): Step[] {
  if (source.status === 'unreleased' && target?.status === 'active')
    notes.add(`${number} is released ${words.atTarget}, and not ${words.atSource}.`)
  if (source.status !== 'active' || (target && target.status !== 'unreleased') || !input.scope.release)
    return []
  if (isHeld) {
    notes.add(`${number} is not released ${words.atTarget} while one of its images is another file there.`)
    return []
  }
  if (!hasContent) {
    notes.add(
      `${number} is not released ${words.atTarget}: none of its images has a file or an address there.`
    )
    return []
  }
  return [stepOf({ kind: 'release', version: number }, words, true)]
}

/** A version of the target that a whole version of the source can go to, and under which number. */
interface OwnVersion {
  readonly number: string
  readonly pair: Present
}

/**
 * The next number that is free, or that has this very version already, whole or in part, because a run was cut off.
 * Null when there is no next one.
 */
function ownVersion(source: VersionSnapshot, all: VersionsByKey, findings: Findings): OwnVersion | null {
  for (
    let number = nextNumber(source.number), tries = 0;
    tries <= all.size;
    number = nextNumber(number), tries += 1
  ) {
    if (numberFault(number) !== null || number === source.number) return null
    const there = all.get(versionKey(number))
    if (there?.source || (there && !there.target)) continue
    if (there?.target && !isPartOf(there.target, source, there.base, findings)) continue
    return {
      number: there?.target?.number ?? number,
      pair: { source, base: there?.base, target: there?.target }
    }
  }
  return null
}

function isPartOf(
  target: VersionSnapshot,
  source: VersionSnapshot,
  base: VersionPair['base'],
  { input }: Findings
): boolean {
  if (target.status === 'revoked' || target.description !== source.description) return false
  const key = (image: Parameters<typeof imageKey>[0]): string => imageKey(image, input.traits)
  const images = new Map(comparable(source.images, input.traits).map((image) => [key(image), image]))
  const sent = new Map((base?.images ?? []).map((image) => [key(image), image.content]))
  return comparable(target.images, input.traits).every((image) => {
    const own = images.get(key(image))
    if (!own) return false
    return (
      image.content.kind === 'empty' || tellSides(own.content, image.content, sent.get(key(image))) === 'same'
    )
  })
}

/** What is gone at the source since both agreed, removed at the target where that is wanted. */
export function planRemovals(pair: VersionPair, findings: Findings): Step[] {
  const { source, base, target } = pair
  const { input, words, notes } = findings
  const { scope } = input
  if (!base || !target) return []
  // What was sent under a number of its own was never at the source under that one, so nobody removed it there.
  if (!source && base.sentFrom !== undefined) return []
  if (scope.version !== undefined && versionKey(scope.version) !== versionKey(target.number)) return []
  if (source) return removeImages({ ...pair, source, target, base }, findings)
  if (scope.image) return []
  if (!scope.withRemovals) {
    notes.addStaying(`${target.number} was removed ${words.atSource} and stays ${words.atTarget}.`)
    return []
  }
  if (!words.isPublish && input.source?.versions.length === 0) {
    notes.add(
      `${words.remote} shows no versions at all, which may be a fault there: none is taken for removed because of it.`
    )
    return []
  }
  if (!isVersionAsAgreed(target, base, input.traits)) {
    notes.add(
      `${target.number} was removed ${words.atSource}, but has changed ${words.atTarget} since, so it stays there.`
    )
    return []
  }
  return [stepOf({ kind: 'remove-version', version: target.number }, words, true)]
}

function removeImages(
  { source, target, base }: Both & { readonly base: NonNullable<VersionPair['base']> },
  { input, words, notes }: Findings
): Step[] {
  const { traits, scope } = input
  if (!isInScope(source, input)) return []
  const key = (image: Parameters<typeof imageKey>[0]): string => imageKey(image, traits)
  const kept = new Set(source.images.map(key))
  const agreed = new Map(base.images.map((image) => [key(image), image]))
  const steps: Step[] = []
  for (const image of comparable(target.images, traits)) {
    const was = agreed.get(key(image))
    if (kept.has(key(image)) || !was) continue
    // Found by its provider alone, it may be another one here: the one that was agreed on was the default.
    if (!words.isPublish && was.architecture !== image.architecture) continue
    const { provider, architecture } = image
    if (scope.image && (scope.image.provider !== provider || scope.image.architecture !== architecture))
      continue
    const name = { version: target.number, provider, architecture }
    const isUnchanged = tellContents(image.content, was.content) !== 'different'
    if (scope.withRemovals && !words.isPublish && kept.size === 0)
      notes.add(
        `${words.remote} shows no images at all of ${target.number}, which may be a fault there: none is taken for removed because of it.`
      )
    else if (scope.withRemovals && isUnchanged)
      steps.push(stepOf({ kind: 'remove-image', ...name }, words, true))
    else if (scope.withRemovals)
      notes.add(
        `${imageText(name)} of ${target.number} was removed ${words.atSource}, but has changed ${words.atTarget} since, so it stays there.`
      )
    else
      notes.addStaying(
        `${imageText(name)} of ${target.number} was removed ${words.atSource} and stays ${words.atTarget}.`
      )
  }
  return steps
}
