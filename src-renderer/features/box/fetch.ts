import type { BoxDetails, ImageDetails, VersionDetails } from '../../../src-main/contract/boxes.ts'
import { ask } from '../../api.ts'
import { attempt } from '../../app/toasts.svelte.ts'
import { imageRefOf } from './context.ts'

/** Those whose file is at the remote alone. */
export const knownImages = ({ images }: Pick<VersionDetails, 'images'>): ImageDetails[] =>
  images.filter(({ state }) => state === 'known')

/** Puts them into the queue, one by one; a refusal is said once. */
export async function fetchImages(
  box: BoxDetails,
  version: VersionDetails,
  images: readonly ImageDetails[]
): Promise<void> {
  await attempt(async () => {
    for (const image of images) await ask('sync.fetch', imageRefOf(box, version, image))
  })
}
