import type { BoxRow } from '../../../src-main/contract/library.ts'

/** Boxes that are to be published to remotes. */
export interface ToPublish {
  readonly boxes: readonly Pick<BoxRow, 'organization' | 'name'>[]
  readonly bytes: number
  /** "acme/base" or "12 boxes" */
  readonly what: string
}

let asked = $state.raw<ToPublish | null>(null)

/** What the person is asked about just now: where these boxes go. */
export const publishTo = {
  get asked(): ToPublish | null {
    return asked
  },
  open: (boxes: ToPublish): void => void (asked = boxes),
  close: (): void => void (asked = null)
}
