import { Tooltip } from 'bits-ui'

/** What a tooltip says, and the keys that do the same. */
export interface Tip {
  readonly text: string
  readonly keys?: string | undefined
}

/** All tooltips are one, so that a thousand buttons cost no thousand tooltips; ui/Tips.svelte shows it. */
export const tips = Tooltip.createTether<Tip>()
