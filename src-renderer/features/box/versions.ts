import type { ImageDetails, VersionDetails } from '../../../src-main/contract/boxes.ts'
import { bytes, counted } from '../../app/format.ts'

const words = { active: 'released', unreleased: 'unreleased', revoked: 'revoked' } as const

/** "9 released, 1 revoked" */
export const stateCounts = (versions: readonly VersionDetails[]): string =>
  (['active', 'unreleased', 'revoked'] as const)
    .map((status) => ({ status, count: versions.filter((version) => version.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${words[status]}`)
    .join(', ')

/** "1.4 GB", of the files that are not at a remote alone; '' for none. */
export function sizeText(images: readonly ImageDetails[]): string {
  const size = images.reduce((sum, image) => sum + (image.state === 'known' ? 0 : (image.size ?? 0)), 0)
  return size === 0 ? '' : bytes(size)
}

export const imagesText = (images: readonly ImageDetails[]): string =>
  images.length === 0 ? 'no images' : counted(images.length, 'image')

/** The rows of a long list that are in sight, with some beside them. */
export function rowsInSight(
  count: number,
  rowHeight: number,
  top: number,
  height: number
): { from: number; to: number } {
  const spare = 8
  const first = Math.floor(top / rowHeight)
  const last = Math.ceil((top + height) / rowHeight)
  return { from: Math.max(0, first - spare), to: Math.min(count, last + spare) }
}
