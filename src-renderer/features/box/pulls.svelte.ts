import { activeTransfers } from '../sync/active.svelte.ts'
import { liveSteps } from '../sync/steps.svelte.ts'
import type { Pull } from './fetching.ts'

/** All that bring something of a box here just now. To be called while a component is made. */
export function livePulls(box: () => { readonly organization: string; readonly name: string }) {
  const transfers = $derived.by(() => {
    const { organization, name } = box()
    return activeTransfers(organization, name).filter(({ direction }) => direction === 'pull')
  })
  const steps = liveSteps(() => transfers)
  const all = $derived(transfers.map((transfer): Pull => ({ transfer, steps: steps.of(transfer) })))
  return {
    get all(): readonly Pull[] {
      return all
    }
  }
}
