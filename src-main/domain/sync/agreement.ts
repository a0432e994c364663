import { mergeContents, tellContents, tellSides } from './compare.ts'
import { imageKey, pairImages, pairVersions, versionKey, type ImagePair, type VersionPair } from './pairs.ts'
import type { EndTraits } from './plan-types.ts'
import type {
  AgreedBox,
  AgreedImage,
  AgreedVersion,
  BoxSnapshot,
  BoxTexts,
  Content,
  ImageName
} from './snapshot.ts'

/** Both sides as they are now, and what is known of them besides. */
export interface Agreeing {
  readonly here: BoxSnapshot | null
  readonly there: BoxSnapshot | null
  readonly base: AgreedBox | null
  readonly traits: Pick<EndTraits, 'architectures'>
}

/**
 * What both agree on now: all that is the same on both. What is different keeps what was agreed before, and what both
 * no longer have is forgotten.
 */
export function agreeOn({ here, there, base, traits }: Agreeing): AgreedBox | null {
  if (!here && !there) return null
  if (!here || !there) return base
  const versions = pairVersions({ source: here, base, target: there }).flatMap(
    (pair) => agreeOnVersion(pair, traits) ?? []
  )
  return {
    ...agreedText('shortDescription', here, there, base),
    ...agreedText('description', here, there, base),
    ...agreedText('private', here, there, base),
    versions
  }
}

function agreedText<Field extends keyof BoxTexts>(
  field: Field,
  here: BoxTexts,
  there: BoxTexts,
  base: Partial<BoxTexts> | null
): Partial<BoxTexts> {
  const agreed = here[field] === there[field] ? here[field] : base?.[field]
  return agreed === undefined ? {} : { [field]: agreed }
}

function agreeOnVersion(pair: VersionPair, traits: Pick<EndTraits, 'architectures'>): AgreedVersion | null {
  const { source: here, base, target: there } = pair
  if (!here && !there) return null
  if (!here || !there) return base ?? null
  const status = here.status === there.status ? here.status : base?.status
  const description = here.description === there.description ? here.description : base?.description
  return {
    number: here.number,
    ...(status === undefined ? {} : { status }),
    ...(description === undefined ? {} : { description }),
    images: pairImages(pair, traits).flatMap((images) => agreeOnImage(images, traits) ?? [])
  }
}

function agreeOnImage(
  { source: here, base, target: there }: ImagePair,
  { architectures }: Pick<EndTraits, 'architectures'>
): AgreedImage | null {
  if (!here && !there) return null
  if (!here || !there) return base ?? null
  if (tellSides(here.content, there.content, base?.content) !== 'same') return base ?? null
  const content = mergeContents(here.content, there.content)
  const isDefault = here.isDefault === there.isDefault ? here.isDefault : base?.isDefault
  return {
    provider: here.provider,
    architecture: here.architecture,
    ...(architectures && isDefault !== undefined ? { isDefault } : {}),
    content:
      base && tellContents(content, base.content) !== 'different'
        ? mergeContents(content, base.content)
        : content
  }
}

/**
 * The base after the bytes of an image went from one side to the other: they are the same there, even where the remote
 * tells no checksum. The image is named as it is here.
 */
export function withSent(
  base: AgreedBox | null,
  { version: number, provider, architecture, from }: ImageName & { readonly from?: ImageName },
  content: Content,
  traits: Pick<EndTraits, 'architectures'>
): AgreedBox {
  const before = base ?? { versions: [] }
  const own = before.versions.find((version) => versionKey(version.number) === versionKey(number))
  const key = imageKey({ provider, architecture }, traits)
  const isIt = (image: AgreedImage): boolean => imageKey(image, traits) === key
  const image: AgreedImage = { ...own?.images.find(isIt), provider, architecture, content }
  const others = own?.images.filter((other) => !isIt(other)) ?? []
  const sentFrom = from && from.version !== number ? { sentFrom: from.version } : {}
  const version = { ...(own ?? { number }), ...sentFrom, images: [...others, image] }
  return { ...before, versions: [...before.versions.filter((one) => one !== own), version] }
}
