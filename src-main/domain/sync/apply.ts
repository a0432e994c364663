import { imageKey, versionKey } from './pairs.ts'
import type { Deed, EndTraits } from './plan-types.ts'
import type { BoxSnapshot, Content, ImageName, ImageSnapshot, VersionSnapshot } from './snapshot.ts'

/** Thrown for a deed that no end could carry out, with a sentence that says why. */
export class ImpossibleDeed extends Error {
  readonly kind: 'missing' | 'refused'

  constructor(kind: 'missing' | 'refused', sentence: string) {
    super(sentence)
    this.kind = kind
  }
}

type Traits = Pick<EndTraits, 'architectures'>

/** The target after a deed, as every end with such traits carries it out: for previews, and for proving plans right. */
export function applyStep(
  target: BoxSnapshot | null,
  deed: Deed,
  source: BoxSnapshot | null,
  traits: Traits = { architectures: true }
): BoxSnapshot | null {
  if (deed.kind === 'create-box') return target ?? { ...deed.texts, versions: [] }
  if (deed.kind === 'remove-box') return null
  if (!target) throw new ImpossibleDeed('missing', 'There is no such box.')
  if (deed.kind === 'change-box') return { ...target, ...deed.texts }
  const at = target.versions.findIndex(({ number }) => versionKey(number) === versionKey(deed.version))
  const found = target.versions[at]
  if (deed.kind === 'create-version') {
    if (found) return target
    const { version: number, description } = deed
    return {
      ...target,
      versions: [...target.versions, { number, description, status: 'unreleased', images: [] }]
    }
  }
  if (deed.kind === 'remove-version')
    return { ...target, versions: target.versions.filter((version) => version !== found) }
  if (!found || found.number !== deed.version)
    throw new ImpossibleDeed('missing', `There is no version ${deed.version}.`)
  return { ...target, versions: target.versions.with(at, changeVersion(found, deed, source, traits)) }
}

type VersionDeed = Exclude<
  Deed,
  { kind: 'create-box' | 'remove-box' | 'change-box' | 'create-version' | 'remove-version' }
>

function changeVersion(
  version: VersionSnapshot,
  deed: VersionDeed,
  source: BoxSnapshot | null,
  traits: Traits
): VersionSnapshot {
  switch (deed.kind) {
    case 'change-version':
      return { ...version, description: deed.description }
    case 'release':
      return release(version)
    case 'revoke':
      if (version.status === 'unreleased')
        throw new ImpossibleDeed(
          'refused',
          `Version ${version.number} was never released, so it cannot be revoked.`
        )
      return { ...version, status: 'revoked' }
    case 'create-image':
      return { ...version, images: addImage(version.images, deed, traits) }
    case 'remove-image':
      return {
        ...version,
        images: withDefault(
          version.images.filter((image) => !isNamed(image, deed)),
          deed
        )
      }
    case 'change-image':
    case 'put-bytes':
      return { ...version, images: changeImage(version, deed, source, traits) }
  }
}

function release(version: VersionSnapshot): VersionSnapshot {
  if (version.status === 'revoked')
    throw new ImpossibleDeed('refused', `Version ${version.number} was revoked, which is final.`)
  if (version.images.every(({ content }) => content.kind === 'empty'))
    throw new ImpossibleDeed(
      'refused',
      `Version ${version.number} cannot be released before one of its images has a file or an address.`
    )
  return { ...version, status: 'active' }
}

function addImage(
  images: readonly ImageSnapshot[],
  deed: Extract<Deed, { kind: 'create-image' }>,
  traits: Traits
): readonly ImageSnapshot[] {
  if (images.some((image) => isNamed(image, deed, traits))) return images
  const { provider, architecture, isDefault, url, checksums, known } = deed
  const content: Content = known
    ? { kind: 'known', size: known.size, checksums }
    : url === null
      ? { kind: 'empty' }
      : { kind: 'url', url, checksums }
  return withDefault([...images, { provider, architecture, isDefault: false, content }], deed, isDefault)
}

function changeImage(
  { images, number }: VersionSnapshot,
  deed: Extract<Deed, { kind: 'change-image' | 'put-bytes' }>,
  source: BoxSnapshot | null,
  traits: Traits
): readonly ImageSnapshot[] {
  const at = images.findIndex((image) => isNamed(image, deed, traits))
  const image = images[at]
  if (!image)
    throw new ImpossibleDeed(
      'missing',
      `Version ${number} has no image ${deed.provider}/${deed.architecture}.`
    )
  const changed = images.with(at, { ...image, content: contentAfter(image.content, deed, source) })
  return deed.kind === 'change-image' && deed.isDefault ? withDefault(changed, deed, true) : changed
}

function contentAfter(
  content: Content,
  deed: Extract<Deed, { kind: 'change-image' | 'put-bytes' }>,
  source: BoxSnapshot | null
): Content {
  if (deed.kind === 'change-image') {
    if (deed.url) return { kind: 'url', ...deed.url }
    return deed.known ? { kind: 'known', ...deed.known } : content
  }
  const { version, provider, architecture } = deed.from ?? deed
  const sent = source?.versions
    .find(({ number }) => number === version)
    ?.images.find((image) => isNamed(image, { provider, architecture }))?.content
  if (sent?.kind !== 'bytes')
    throw new ImpossibleDeed(
      'missing',
      `The source has no file of ${version} for ${provider}/${architecture}.`
    )
  return sent
}

const isNamed = (
  image: Omit<ImageName, 'version'>,
  name: Omit<ImageName, 'version'>,
  traits: Traits = { architectures: true }
): boolean => imageKey(image, traits) === imageKey(name, traits)

/** Exactly one image of a provider is its default: the one that asks for it, else the one that has been, else the oldest. */
function withDefault(
  images: readonly ImageSnapshot[],
  { provider, architecture }: Omit<ImageName, 'version'>,
  asks = false
): readonly ImageSnapshot[] {
  const own = images.filter((image) => image.provider === provider)
  const chosen =
    (asks ? own.find((image) => image.architecture === architecture) : undefined) ??
    own.find(({ isDefault }) => isDefault) ??
    own[0]
  return images.map((image) =>
    image.provider === provider && image.isDefault !== (image === chosen)
      ? { ...image, isDefault: image === chosen }
      : image
  )
}
