import type { BoxDetails, ImageDetails, VersionDetails } from '../../../src-main/contract/boxes.ts'
import { imageInWords } from '../../../src-main/contract/sentences.ts'
import type { RemoteTransfer, TransferStep } from '../../../src-main/contract/transfers.ts'
import { ask } from '../../api.ts'
import { attempt } from '../../app/toasts.svelte.ts'
import { activeTransfers } from '../sync/active.svelte.ts'
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

/** A transfer that brings an image, and the step of it that does; the step is undefined until that was planned. */
export interface Fetching {
  readonly transfer: RemoteTransfer
  readonly step: TransferStep | undefined
}

/** What brings this image just now, if anything does. */
export function fetchingOf(
  { organization, name }: BoxDetails,
  { number }: Pick<VersionDetails, 'number'>,
  { provider, architecture }: Pick<ImageDetails, 'provider' | 'architecture'>
): Fetching | undefined {
  const key = `put-bytes ${number} ${provider}/${architecture}`
  const what = imageInWords({ version: number, provider, architecture })
  for (const transfer of activeTransfers(organization, name)) {
    if (transfer.direction !== 'pull') continue
    const step = transfer.steps.find((one) => one.key === key)
    if (step ? step.state !== 'done' && step.state !== 'left-out' : transfer.what === what)
      return { transfer, step }
  }
  return undefined
}
