import { numberFault, numberKey } from '../version-number.ts'
import { isAsAgreed } from './compare.ts'
import type { EndTraits, SyncSides } from './plan-types.ts'
import type { AgreedImage, AgreedVersion, ImageSnapshot, VersionSnapshot } from './snapshot.ts'

/** A version as each side has it, found by equal numbers however they are written. */
export interface VersionPair {
  readonly source: VersionSnapshot | undefined
  readonly base: AgreedVersion | undefined
  readonly target: VersionSnapshot | undefined
}

/** An image as each side has it. */
export interface ImagePair {
  readonly source: ImageSnapshot | undefined
  readonly base: AgreedImage | undefined
  readonly target: ImageSnapshot | undefined
}

/** Equal for numbers that are the same version; one that is no number is only ever equal to itself. */
export const versionKey = (number: string): string =>
  numberFault(number) === null ? numberKey(number) : ` ${number}`

/** By what an image is found on the other side: where there are no architectures, there is one for each provider. */
export const imageKey = (
  { provider, architecture }: Pick<AgreedImage, 'provider' | 'architecture'>,
  { architectures }: Pick<EndTraits, 'architectures'>
): string => (architectures ? `${provider}\n${architecture}` : provider)

/** The versions any side has, the lowest first; what is no number comes last. */
export function pairVersions({ source, base, target }: SyncSides): VersionPair[] {
  const sources = byNumber(source?.versions ?? [])
  const bases = byNumber(base?.versions ?? [])
  const targets = byNumber(target?.versions ?? [])
  return [...new Set([...sources.keys(), ...targets.keys(), ...bases.keys()])]
    .sort(compareKeys)
    .map((key) => ({ source: sources.get(key), base: bases.get(key), target: targets.get(key) }))
}

/** The images of a version any side has: first those of the source, the default of each provider before the others. */
export function pairImages(pair: VersionPair, traits: Pick<EndTraits, 'architectures'>): ImagePair[] {
  const sources = byImage(defaultsFirst(pair.source?.images ?? []), traits)
  const bases = byImage(pair.base?.images ?? [], traits)
  const targets = byImage(pair.target?.images ?? [], traits)
  return [...new Set([...sources.keys(), ...targets.keys(), ...bases.keys()])].map((key) => ({
    source: sources.get(key),
    base: bases.get(key),
    target: targets.get(key)
  }))
}

/** What both can have of the images of a version: all, or the default of each provider. */
export function comparable<Image extends AgreedImage>(
  images: readonly Image[],
  traits: Pick<EndTraits, 'architectures'>
): Image[] {
  return [...byImage(images, traits).values()]
}

/** Whether nothing of a version has changed since it was agreed on, as far as both can have it. */
export function isVersionAsAgreed(
  version: VersionSnapshot,
  agreed: AgreedVersion,
  traits: Pick<EndTraits, 'architectures'>
): boolean {
  if (version.description !== agreed.description || version.status !== agreed.status) return false
  const images = byImage(version.images, traits)
  const before = byImage(agreed.images, traits)
  return (
    images.size === before.size &&
    [...images].every(([key, { content }]) => isAsAgreed(content, before.get(key)?.content))
  )
}

function byNumber<Version extends { readonly number: string }>(
  versions: readonly Version[]
): Map<string, Version> {
  const found = new Map<string, Version>()
  for (const version of versions) {
    const key = versionKey(version.number)
    if (!found.has(key)) found.set(key, version)
  }
  return found
}

function byImage<Image extends AgreedImage>(
  images: readonly Image[],
  traits: Pick<EndTraits, 'architectures'>
): Map<string, Image> {
  const found = new Map<string, Image>()
  for (const image of images) {
    const key = imageKey(image, traits)
    const other = found.get(key)
    if (!other || (image.isDefault === true && other.isDefault !== true)) found.set(key, image)
  }
  return found
}

const defaultsFirst = (images: readonly ImageSnapshot[]): ImageSnapshot[] =>
  [...images].sort(
    (a, b) =>
      compareTexts(a.provider, b.provider) ||
      Number(b.isDefault) - Number(a.isDefault) ||
      compareTexts(a.architecture, b.architecture)
  )

/** Keys of numbers sort as the numbers do, and a space comes before all of them. */
const compareKeys = (a: string, b: string): number =>
  Number(a.startsWith(' ')) - Number(b.startsWith(' ')) || compareTexts(a, b)

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
