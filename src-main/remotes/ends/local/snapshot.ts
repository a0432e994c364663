import type { Boxes } from '../../../catalog/boxes.ts'
import type { Images } from '../../../catalog/images.ts'
import { operator, type BoxWithVersions, type Image } from '../../../domain/model.ts'
import { Problem } from '../../../domain/problem.ts'
import type { BoxSnapshot, Checksums, Content } from '../../../domain/sync/snapshot.ts'
import type { Seen, Tag } from '../../end.ts'

interface Needs {
  readonly boxes: Boxes
  readonly images: Images
}

/** A box here as ends speak of it; null when there is none. */
export function seenOf({ boxes, images }: Needs, { organization, name }: Tag): Seen | null {
  try {
    const box = boxes.read(operator, organization, name)
    return { snapshot: snapshotOf(box, images.soundness(box.id)), stamp: stampOf(box) }
  } catch (error) {
    if (error instanceof Problem && error.kind === 'missing') return null
    throw error
  }
}

/** The time alone would not do: two changes may come within a millisecond, and a box of that name may come again. */
export const stampOf = ({ updatedAt, revision }: { updatedAt: number; revision: number }): string =>
  `${updatedAt}.${revision}`

function snapshotOf(box: BoxWithVersions, soundness: ReturnType<Images['soundness']>): BoxSnapshot {
  return {
    shortDescription: box.shortDescription,
    description: box.description,
    private: box.private,
    versions: box.versions.map((version) => ({
      number: version.number,
      status: version.status,
      description: version.description,
      images: version.images.map((image) => ({
        provider: image.provider,
        architecture: image.architecture,
        isDefault: image.isDefault,
        content: contentOf(image, soundness.get(image.id)?.damaged === 1)
      }))
    }))
  }
}

/** Damaged bytes are as good as not here: what stands for them is known, and they may be fetched again. */
function contentOf(image: Image, damaged: boolean): Content {
  const { url, blob, size, known, checksum, checksumType } = image
  const declared: Checksums = checksum !== null && checksumType !== null ? { [checksumType]: checksum } : {}
  if (url !== null) return { kind: 'url', url, checksums: declared }
  if (blob !== null)
    return { kind: damaged ? 'known' : 'bytes', size, checksums: { ...declared, sha256: blob } }
  if (known !== null) return { kind: 'known', size, checksums: known.checksums }
  return { kind: 'empty' }
}
