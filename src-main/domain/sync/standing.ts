import type { Standing } from '../../contract/standings.ts'
import { imageInWords } from '../../contract/sentences.ts'
import { planSync } from './plan.ts'
import type { Deed, EndTraits, SyncPlan, SyncPlanInput, SyncScope } from './plan-types.ts'
import type { AgreedBox, BoxSnapshot, ImageSnapshot } from './snapshot.ts'

/** A box that is here and at a remote. */
export interface BothSides {
  readonly here: BoxSnapshot
  readonly there: BoxSnapshot
  /** What both last agreed on; null when they never did. */
  readonly base: AgreedBox | null
}

/** How a box stands, with some sentences of what is different. */
export interface Compared {
  readonly standing: Standing
  readonly differences: readonly string[]
}

/** More than anybody reads of one box. */
const mostSentences = 6

/** Everything, but no file is fetched: what is known of a mirror is in step, and only what is not even known is missing. */
const everything: SyncScope = {
  release: true,
  withRemovals: false,
  fetches: () => false,
  versions: () => true
}

/** Compares a box that is at both sides, by what publishing and pulling it would do. */
export function compareSides(
  { here, there, base }: BothSides,
  remote: {
    readonly name: string
    readonly tag: string
    readonly hereTag: string
    readonly traits: EndTraits
  }
): Compared {
  const same = { remoteName: remote.name, traits: remote.traits, scope: everything, choices: {}, base }
  const publishing: SyncPlanInput = {
    ...{ ...same, direction: 'publish', tag: remote.tag },
    ...{ source: here, target: there }
  }
  const pulling: SyncPlanInput = {
    ...{ ...same, direction: 'pull', tag: remote.hereTag },
    ...{ source: there, target: here }
  }
  const [publish, pull] = [planSync(publishing), planSync(pulling)]
  const differences = [
    ...differencesOf(publish, pull, remote.name),
    ...removalsOf(publish, publishing, 'here'),
    ...removalsOf(pull, pulling, `at ${remote.name}`)
  ]
  return { standing: standingOf(publish, pull), differences: shortened(differences) }
}

/** What was removed at one side alone puts nothing out of step, since it is brought along only when asked; it is said all the same. */
function removalsOf({ removable }: SyncPlan, input: SyncPlanInput, has: string): string[] {
  if (!removable) return []
  const { steps } = planSync({ ...input, scope: { ...everything, withRemovals: true } })
  return sentencesOf(
    steps.filter(({ kind }) => kind.startsWith('remove-')),
    { has, lacks: '' }
  )
}

function standingOf(publish: SyncPlan, pull: SyncPlan): Standing {
  if ([...publish.conflicts, ...pull.conflicts].some(({ chosen }) => chosen === null)) return 'apart'
  if (publish.steps.length > 0) return pull.steps.length > 0 ? 'apart' : 'ahead'
  return pull.steps.length > 0 ? 'behind' : 'in-step'
}

function differencesOf(publish: SyncPlan, pull: SyncPlan, remoteName: string): string[] {
  const conflicts = publish.conflicts.length > 0 ? publish.conflicts : pull.conflicts
  return [
    ...conflicts.map(({ sentence }) => sentence),
    ...sentencesOf(publish.steps, { has: 'here', lacks: `at ${remoteName}` }),
    ...sentencesOf(pull.steps, { has: `at ${remoteName}`, lacks: 'here' })
  ]
}

/** What has changed here since both agreed, for when the remote cannot be asked. */
export function changesHere(
  here: BoxSnapshot,
  base: AgreedBox,
  remote: { readonly name: string; readonly tag: string; readonly traits: EndTraits }
): string[] {
  const { steps } = planSync({
    direction: 'publish',
    tag: remote.tag,
    remoteName: remote.name,
    traits: remote.traits,
    scope: everything,
    choices: {},
    source: here,
    base,
    target: asAgreed(base, here)
  })
  return shortened(sentencesOf(steps, { has: 'here', lacks: `at ${remote.name}` }))
}

/** The box as it was when both agreed; what they did not agree on, as it is here. */
export function asAgreed(base: AgreedBox, here: BoxSnapshot): BoxSnapshot {
  const versions = new Map(here.versions.map((version) => [version.number, version]))
  return {
    shortDescription: base.shortDescription ?? here.shortDescription,
    description: base.description ?? here.description,
    private: base.private ?? here.private,
    versions: base.versions.map(({ number, status, description, images }) => {
      const now = versions.get(number)
      return {
        number,
        status: status ?? now?.status ?? 'unreleased',
        description: description ?? now?.description ?? '',
        images: images.map(({ provider, architecture, content, isDefault }) => {
          const same = (other: ImageSnapshot): boolean =>
            other.provider === provider && other.architecture === architecture
          return {
            ...{ provider, architecture, content },
            isDefault: isDefault ?? now?.images.find(same)?.isDefault ?? false
          }
        })
      }
    })
  }
}

interface Places {
  readonly has: string
  readonly lacks: string
}

/** A version that is missing says enough; what is in it would say the same again. */
function sentencesOf(steps: readonly Deed[], places: Places): string[] {
  const missing = new Set(steps.flatMap((deed) => (deed.kind === 'create-version' ? [deed.version] : [])))
  const sentences = steps.flatMap((deed) => {
    if (deed.kind !== 'create-version' && 'version' in deed && missing.has(deed.version)) return []
    return sentenceOf(deed, places) ?? []
  })
  return [...new Set(sentences)]
}

function sentenceOf(deed: Deed, { has, lacks }: Places): string | null {
  switch (deed.kind) {
    case 'create-version':
      return `Version ${deed.version} is ${has} and not ${lacks}.`
    case 'change-box':
      return `Its ${textsOf(deed.texts)} changed ${has}.`
    case 'change-version':
      return `The description of version ${deed.version} changed ${has}.`
    case 'create-image':
      return `${imageInWords(deed)} is ${has} and not ${lacks}.`
    case 'change-image':
      if (!deed.known) return `${imageInWords(deed)} changed ${has}.`
      return `The file of ${imageInWords(deed)} is ${has} and not ${lacks}.`
    case 'put-bytes':
      return `The file of ${imageInWords(deed)} is ${has} and not ${lacks}.`
    case 'release':
      return `Version ${deed.version} is released ${has} and not ${lacks}.`
    case 'revoke':
      return `Version ${deed.version} is revoked ${has} and not ${lacks}.`
    case 'remove-image':
      return `${imageInWords(deed)} was removed ${has}.`
    case 'remove-version':
      return `Version ${deed.version} was removed ${has}.`
    default:
      return null
  }
}

const textNames = { shortDescription: 'short description', description: 'description', private: 'visibility' }

const textsOf = (texts: Partial<Record<keyof typeof textNames, unknown>>): string =>
  (Object.keys(textNames) as (keyof typeof textNames)[])
    .filter((name) => texts[name] !== undefined)
    .map((name) => textNames[name])
    .join(' and ')

const shortened = (sentences: readonly string[]): string[] =>
  sentences.length <= mostSentences
    ? [...sentences]
    : [...sentences.slice(0, mostSentences - 1), `And ${sentences.length - mostSentences + 1} more.`]
