import { versionKey } from './pairs.ts'
import type { Step } from './plan-types.ts'

/**
 * The keys of the steps that are left out when somebody unticks some: those, and what makes no sense without them.
 * What may not be left out stays, whatever is asked.
 */
export function leftOutOf(steps: readonly Step[], unticked: Iterable<string>): ReadonlySet<string> {
  const asked = new Set(unticked)
  const left = new Set(steps.filter(({ key, optional }) => optional && asked.has(key)).map(({ key }) => key))
  if (left.size === 0) return left
  const out = steps.filter(({ key }) => left.has(key))
  const versions = new Set(out.flatMap((step) => (step.kind === 'create-version' ? [versionOf(step)] : [])))
  // An image that is made for bytes that do not come is of no use, and neither are bytes without it.
  const images = new Set(out.flatMap((step) => imageOf(step) ?? []))
  for (const step of steps) {
    const image = imageOf(step)
    if (versions.has(versionOf(step)) || (image !== null && images.has(image))) left.add(step.key)
  }
  const withFiles = versionsWithFiles(steps, () => true)
  const stillWithFiles = versionsWithFiles(steps, ({ key }) => !left.has(key))
  for (const step of steps) {
    const version = versionOf(step)
    if (step.kind === 'release' && withFiles.has(version) && !stillWithFiles.has(version)) left.add(step.key)
  }
  return left
}

const versionOf = (step: Step): string => ('version' in step ? versionKey(step.version) : '')

const imageOf = (step: Step): string | null =>
  step.kind === 'create-image' || step.kind === 'put-bytes'
    ? [versionOf(step), step.provider, step.architecture].join('\n')
    : null

/** The versions that get something to be downloaded, by those of the steps that count. */
const versionsWithFiles = (steps: readonly Step[], counts: (step: Step) => boolean): ReadonlySet<string> =>
  new Set(steps.filter((step) => bringsFile(step) && counts(step)).map(versionOf))

const bringsFile = (step: Step): boolean =>
  step.kind === 'put-bytes' || (step.kind === 'create-image' && (step.url !== null || step.known !== null))
