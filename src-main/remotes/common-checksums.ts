import type { SyncRequest } from '../contract/sync.ts'
import { checksumTypes, type ChecksumType } from '../domain/model.ts'
import { isBytes, tellSides } from '../domain/sync/compare.ts'
import { pairImages, pairVersions, versionKey } from '../domain/sync/pairs.ts'
import type { EndTraits } from '../domain/sync/plan-types.ts'
import type { BoxSnapshot, Checksums, ImageName, ImageSnapshot } from '../domain/sync/snapshot.ts'
import type { Sides } from './plan-of-request.ts'

/** Computes a checksum of an image here; null when its bytes are not here. */
type Compute = (image: ImageName, type: ChecksumType) => Promise<string | null>

/**
 * Adds to the box here the checksums without which nobody can tell whether its files are those of the remote: a remote
 * may know another type than the catalogue, and computing one reads the whole file.
 */
export async function withCommonChecksums<Both extends Sides>(
  sides: Both,
  traits: EndTraits,
  { version: wanted, image: wantedImage }: Pick<SyncRequest, 'version' | 'image'>,
  compute: Compute
): Promise<Both> {
  const { here, there, base } = sides
  if (!here || !there) return sides
  const computed = new Map<ImageSnapshot, Checksums>()
  for (const pair of pairVersions({ source: here, base, target: there })) {
    const { number } = pair.source ?? {}
    if (number === undefined || !pair.target) continue
    if (wanted !== undefined && versionKey(wanted) !== versionKey(number)) continue
    for (const { source, target, base: agreed } of pairImages(pair, traits)) {
      if (!source || !target || (wantedImage && wantedImage.provider !== source.provider)) continue
      const type = missingType(source, target)
      if (type === null || tellSides(source.content, target.content, agreed?.content) !== 'unknown') continue
      const { provider, architecture } = source
      const checksum = await compute({ version: number, provider, architecture }, type)
      if (checksum !== null) computed.set(source, { [type]: checksum })
    }
  }
  return computed.size === 0 ? sides : { ...sides, here: withChecksums(here, computed) }
}

/** The strongest that is known there and not here. */
function missingType(
  { content: here }: ImageSnapshot,
  { content: there }: ImageSnapshot
): ChecksumType | null {
  if (here.kind !== 'bytes' || !isBytes(there)) return null
  return checksumTypes.findLast((type) => there.checksums[type] !== undefined) ?? null
}

const withChecksums = (box: BoxSnapshot, computed: ReadonlyMap<ImageSnapshot, Checksums>): BoxSnapshot => ({
  ...box,
  versions: box.versions.map((version) => ({
    ...version,
    images: version.images.map((image) => {
      const more = computed.get(image)
      if (!more || image.content.kind !== 'bytes') return image
      const { content } = image
      return { ...image, content: { ...content, checksums: { ...content.checksums, ...more } } }
    })
  }))
})
