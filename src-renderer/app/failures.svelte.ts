import { ask, onEvent, onLost } from '../api.ts'
import type { Transfers } from '../../src-main/contract/arrivals.ts'

let failed = $state.raw<ReadonlySet<string>>(new Set())

/** How much has failed and was not dismissed: files on their way in, and boxes to and from remotes. */
export const failures = {
  get count() {
    return failed.size
  }
}

const failedOf = ({ arrivals, remoteTransfers }: Pick<Transfers, 'arrivals' | 'remoteTransfers'>): string[] =>
  [...arrivals, ...remoteTransfers].filter(({ state }) => state === 'failed').map(({ id }) => id)

async function read(): Promise<void> {
  const transfers = await ask('transfers', {}).catch(() => null)
  if (transfers) failed = new Set(failedOf(transfers))
}

/** Reads it once, and keeps count of what events tell from then on. */
export async function followFailures(): Promise<void> {
  onEvent('transfers', (event) => {
    const left = new Set(failed)
    for (const { id } of [...event.arrivals, ...event.remoteTransfers]) left.delete(id)
    for (const id of event.gone) left.delete(id)
    for (const id of failedOf(event)) left.add(id)
    failed = left
  })
  onLost(() => void read())
  await read()
}
