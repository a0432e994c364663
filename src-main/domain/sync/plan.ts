import type { ConflictChoice } from '../../contract/sync.ts'
import { Conflicts } from './conflicts.ts'
import { changedTexts, firstTexts } from './box-texts.ts'
import type { Findings } from './findings.ts'
import { isVersionAsAgreed, pairVersions, versionKey, type VersionPair } from './pairs.ts'
import type { Step, SyncPlan, SyncPlanInput } from './plan-types.ts'
import { Notes, stepOf } from './steps.ts'
import type { AgreedBox } from './snapshot.ts'
import { planRemovals, planVersion, type VersionsByKey } from './versions.ts'
import { wordsOf } from './words.ts'

/**
 * What has to be done so that the target has what the source has, and nothing either side added is lost.
 *
 * A box that is not at the target was either never there or removed as a whole; who asks for it wants it all, so what
 * both once agreed on counts for nothing then. Whoever carries such a plan out forgets that base first, so that a plan
 * made after a crash goes on with the same.
 */
export function planSync(given: SyncPlanInput): SyncPlan {
  const input = given.target === null ? { ...given, base: null } : given
  const words = wordsOf(input)
  const findings: Findings = {
    input,
    words,
    notes: new Notes(),
    conflicts: new Conflicts({ ...keptChoices(input.base), ...input.choices })
  }
  const steps = stepsOf(findings)
  return {
    steps,
    conflicts: findings.conflicts.list(),
    notes: findings.notes.list(),
    removable: findings.notes.anyStaying,
    bytes: steps.reduce((sum, { bytes }) => sum + bytes, 0)
  }
}

/** Whoever decided to leave both sides as they are is not asked again: the keys are others once a side changes. */
const keptChoices = (base: AgreedBox | null): Record<string, ConflictChoice> =>
  Object.fromEntries((base?.kept ?? []).map((key) => [key, 'keep-both']))

function stepsOf(findings: Findings): Step[] {
  const { input, words, notes } = findings
  if (words.isPublish && !input.traits.writable) {
    notes.add(`${words.remote} can only be read, so nothing is published there.`)
    return []
  }
  if (!input.source) return removeBox(findings)
  const pairs = pairVersions(input)
  const all: VersionsByKey = new Map(pairs.map((pair) => [versionKey(numberOf(pair)), pair]))
  return [
    ...boxSteps(findings),
    ...pairs.flatMap((pair) => planVersion(pair, all, findings)),
    ...pairs.flatMap((pair) => planRemovals(pair, findings))
  ]
}

const numberOf = ({ source, target, base }: VersionPair): string => (source ?? target ?? base)?.number ?? ''

function boxSteps(findings: Findings): Step[] {
  const { source, target, scope } = findings.input
  if (!source) return []
  if (!target)
    return [stepOf({ kind: 'create-box', texts: firstTexts(source, findings) }, findings.words, false)]
  // Who wants one version means it alone.
  if (scope.version !== undefined) return []
  const texts = changedTexts(findings)
  return Object.keys(texts).length === 0 ? [] : [stepOf({ kind: 'change-box', texts }, findings.words, true)]
}

/** Only what both agreed on and nobody changed since goes, and only when it is asked for. */
function removeBox({ input, words, notes }: Findings): Step[] {
  const { base, target, scope, traits } = input
  if (!target) {
    notes.add(`There is no such box ${words.atSource}.`)
    return []
  }
  if (!base || !scope.withRemovals || scope.version !== undefined) {
    notes.add(`The box is not ${words.atSource}; it stays as it is ${words.atTarget}.`)
    return []
  }
  const agreed = new Map(base.versions.map((version) => [versionKey(version.number), version]))
  const isUnchanged =
    target.shortDescription === base.shortDescription &&
    target.description === base.description &&
    target.private === base.private &&
    target.versions.every((version) => {
      const was = agreed.get(versionKey(version.number))
      return was && isVersionAsAgreed(version, was, traits)
    })
  if (isUnchanged) return [stepOf({ kind: 'remove-box' }, words, true)]
  notes.add(
    `The box was removed ${words.atSource}, but has changed ${words.atTarget} since, so it stays there.`
  )
  return []
}
