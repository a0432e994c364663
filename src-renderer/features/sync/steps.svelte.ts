import type { RemoteTransfer, TransferStep } from '../../../src-main/contract/transfers.ts'
import { ask, Refused } from '../../api.ts'
import { live } from '../../app/live.svelte.ts'
import { withProgress } from './progress-of-steps.ts'

/**
 * The steps of some transfers, read again whenever they are others. To be called while a component is made. How far the one
 * under way is comes along with the transfer itself, and asks for nothing.
 */
export function liveSteps(transfers: () => readonly RemoteTransfer[]) {
  // As text, so that what moves on in between is the same.
  const looks = $derived(
    JSON.stringify(
      transfers().map(({ id, state, attempts, stepsTotal, stepsDone, step }) => [
        ...[id, state, attempts, stepsTotal, stepsDone],
        ...[step?.key, step?.state]
      ])
    )
  )
  const read = live(async () => {
    const ids = (JSON.parse(looks) as readonly (readonly [string])[]).map(([id]) => id)
    return new Map(await Promise.all(ids.map(async (id) => [id, await stepsOf(id)] as const)))
  }, [])
  return {
    /** Undefined until they were read. */
    of(transfer: RemoteTransfer): readonly TransferStep[] | undefined {
      const steps = read.value?.get(transfer.id)
      return steps && withProgress(steps, transfer)
    }
  }
}

/** One that was dismissed meanwhile is about to go from the list. */
async function stepsOf(id: string): Promise<readonly TransferStep[]> {
  try {
    return await ask('sync.steps', { id })
  } catch (error) {
    if (error instanceof Refused && error.refusal.kind === 'missing') return []
    throw error
  }
}
