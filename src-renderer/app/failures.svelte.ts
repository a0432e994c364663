import { ask, onEvent, onLost } from '../api.ts'
import type { Arrival } from '../../src-main/contract/arrivals.ts'

let failed = $state.raw<ReadonlySet<string>>(new Set())

/** How many arrivals have failed and were not dismissed. */
export const failures = {
  get count() {
    return failed.size
  }
}

const failedOf = (arrivals: readonly Arrival[]): string[] =>
  arrivals.filter(({ state }) => state === 'failed').map(({ id }) => id)

async function read(): Promise<void> {
  const transfers = await ask('transfers', {}).catch(() => null)
  if (transfers) failed = new Set(failedOf(transfers.arrivals))
}

/** Reads it once, and keeps count of what events tell from then on. */
export async function followFailures(): Promise<void> {
  onEvent('transfers', ({ arrivals, gone }) => {
    const left = new Set(failed)
    for (const id of [...gone, ...arrivals.map(({ id }) => id)]) left.delete(id)
    for (const id of failedOf(arrivals)) left.add(id)
    failed = left
  })
  onLost(() => void read())
  await read()
}
