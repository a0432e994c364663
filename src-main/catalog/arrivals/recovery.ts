import type { BlobDriver } from '../../blobs/driver.ts'
import type { StoredArrival } from '../../store/arrivals.ts'
import type { Ledger } from './ledger.ts'
import { lost, type ArrivalPublishing } from './publishing.ts'
import { notWhole } from './reading.ts'

interface Parts {
  readonly ledger: Ledger
  readonly publishing: ArrivalPublishing
  readonly blobs: BlobDriver
}

/**
 * Puts arrivals in order after whatever ended the program before: none is being read or published now. Those whose
 * publishing was cut off are ready again, for if it had happened they would be published.
 */
export async function recoverArrivals({ ledger, publishing, blobs }: Parts): Promise<void> {
  for (const arrival of ledger.table.inState('reading')) {
    if (arrival.stagedId !== null) await blobs.dropStaged(arrival.stagedId)
    ledger.update(arrival.id, () =>
      arrival.kind === 'path' ? again : { state: 'failed', stagedId: null, problem: [notWhole] }
    )
  }
  for (const arrival of ledger.table.inState('publishing')) {
    const isHere = await publishing.hasBytes(arrival)
    ledger.update(arrival.id, () => (isHere ? { state: 'ready' } : readAgain(arrival)))
  }
  for (const arrival of ledger.table.inState('ready'))
    if (!(await publishing.hasBytes(arrival))) ledger.update(arrival.id, () => lost(arrival))
}

const again: Partial<StoredArrival> = { state: 'waiting', stagedId: null, digest: null }

const readAgain = (arrival: StoredArrival): Partial<StoredArrival> =>
  arrival.kind === 'path' ? again : lost(arrival)
