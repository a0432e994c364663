import type { Arrival, ClientUpload, Transfers } from '../../../src-main/contract/arrivals.ts'
import type { RemoteTransfer } from '../../../src-main/contract/transfers.ts'
import { ask, onEvent, onLost } from '../../api.ts'
import {
  afterEvent,
  remoteStepsBetween,
  stepsBetween,
  tellsOfOthers,
  type RemoteStep,
  type Step,
  type TransfersEvent
} from './merge.ts'

let known = $state.raw<Transfers>({ arrivals: [], clientUploads: [], remoteTransfers: [], held: false })
let read = $state.raw(false)
const byId = $derived(new Map(known.arrivals.map((arrival) => [arrival.id, arrival])))

/** Everything on its way, for the whole interface: read once, then kept true by events. */
export const transfers = {
  get all(): Transfers {
    return known
  },
  get arrivals(): readonly Arrival[] {
    return known.arrivals
  },
  get clientUploads(): readonly ClientUpload[] {
    return known.clientUploads
  },
  get remoteTransfers(): readonly RemoteTransfer[] {
    return known.remoteTransfers
  },
  get held(): boolean {
    return known.held
  },
  /** Whether it was read at all; before that, nothing there means nothing. */
  get isKnown(): boolean {
    return read
  },
  arrival: (id: string): Arrival | undefined => byId.get(id),
  /** The newest of a box to a remote. */
  latestTo: (
    remoteId: number,
    { organization, box }: { readonly organization: string; readonly box: string }
  ): RemoteTransfer | undefined =>
    known.remoteTransfers.find(
      (transfer) =>
        transfer.remoteId === remoteId &&
        transfer.direction === 'publish' &&
        transfer.organization.toLowerCase() === organization.toLowerCase() &&
        transfer.box.toLowerCase() === box.toLowerCase()
    )
}

type Follower = (steps: readonly Step[], remoteSteps: readonly RemoteStep[]) => void
const followers = new Set<Follower>()

/** Tells of every step an arrival, or a box to or from a remote, goes from now on. Returns what ends it. */
export function onSteps(follower: Follower): () => void {
  followers.add(follower)
  return () => void followers.delete(follower)
}

/** Takes in what a call answered, so that nobody waits for the event that will say the same. */
export const takeIn = (arrivals: readonly Arrival[]): void =>
  take({ arrivals, clientUploads: [], remoteTransfers: [], gone: [], held: known.held })

export const takeInRemote = (remoteTransfers: readonly RemoteTransfer[]): void =>
  take({ arrivals: [], clientUploads: [], remoteTransfers, gone: [], held: known.held })

/** Forgets what a call has just removed. */
export const letGo = (gone: readonly string[]): void =>
  take({ arrivals: [], clientUploads: [], remoteTransfers: [], gone, held: known.held })

/** What was told since the reading began that is still under way: it is newer than what that will answer. */
let meanwhile: TransfersEvent[] | null = null
let again = false

/** Reads everything, where only the product can say: at first, after a lost connection, and when the order is another. */
export async function readTransfers(): Promise<void> {
  if (meanwhile) {
    again = true
    return
  }
  meanwhile = []
  try {
    const answer = await ask('transfers', {})
    settle(meanwhile.reduce(afterEvent, answer))
    read = true
  } catch {
    // The connection is gone: it is read again as soon as it is back.
  } finally {
    meanwhile = null
  }
  if (again) {
    again = false
    await readTransfers()
  }
}

function take(event: TransfersEvent): void {
  meanwhile?.push(event)
  const strangers = tellsOfOthers(known, event)
  settle(afterEvent(known, event))
  if (strangers) void readTransfers()
}

function settle(next: Transfers): void {
  const steps = read ? stepsBetween(known, next) : []
  const remoteSteps = read ? remoteStepsBetween(known, next) : []
  known = next
  if (steps.length + remoteSteps.length > 0) for (const follower of followers) follower(steps, remoteSteps)
}

onEvent('transfers', take)
onLost(() => void readTransfers())
void readTransfers()
