import type { ImageDetails, VersionDetails } from '../../../src-main/contract/boxes.ts'
import { imageInWords } from '../../../src-main/contract/sentences.ts'
import type { RemoteTransfer, TransferStep } from '../../../src-main/contract/transfers.ts'

/** What brings something of a box here; its steps are undefined until they were read. */
export interface Pull {
  readonly transfer: RemoteTransfer
  readonly steps: readonly TransferStep[] | undefined
}

/** A transfer that brings an image, and the step of it that does; the step is undefined until that was planned and read. */
export interface Fetching {
  readonly transfer: RemoteTransfer
  readonly step: TransferStep | undefined
}

/** What of all that brings something of its box here brings this image just now, if anything does. */
export function fetchingOf(
  pulls: readonly Pull[],
  { number }: Pick<VersionDetails, 'number'>,
  { provider, architecture }: Pick<ImageDetails, 'provider' | 'architecture'>
): Fetching | undefined {
  const key = `put-bytes ${number} ${provider}/${architecture}`
  const what = imageInWords({ version: number, provider, architecture })
  for (const { transfer, steps } of pulls) {
    const step = steps?.find((one) => one.key === key)
    if (step ? step.state !== 'done' && step.state !== 'left-out' : transfer.what === what)
      return { transfer, step }
  }
  return undefined
}
