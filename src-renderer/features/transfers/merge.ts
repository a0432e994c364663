import type { Arrival, ClientUpload, Transfers } from '../../../src-main/contract/arrivals.ts'
import type { RemoteTransfer } from '../../../src-main/contract/transfers.ts'
import type { DeskEvents } from '../../../src-main/contract/desk.ts'

/** What an event tells of transfers. */
export type TransfersEvent = DeskEvents['transfers']

/** A step an arrival went, as opposed to a tick of its progress. */
export interface Step {
  readonly arrival: Arrival
  readonly from: Arrival['state'] | null
}

/** What is known after an event. Those known stay in their place and keep their identity unless told of; new ones come first. */
export function afterEvent(known: Transfers, event: TransfersEvent): Transfers {
  const gone = new Set(event.gone)
  return {
    arrivals: merged<Arrival>(known.arrivals, event.arrivals, gone),
    clientUploads: merged<ClientUpload>(known.clientUploads, event.clientUploads, gone),
    remoteTransfers: merged<RemoteTransfer>(known.remoteTransfers, event.remoteTransfers, gone),
    held: event.held
  }
}

function merged<Row extends { readonly id: string }>(
  rows: readonly Row[],
  told: readonly Row[],
  gone: ReadonlySet<string>
): readonly Row[] {
  if (told.length === 0 && !rows.some(({ id }) => gone.has(id))) return rows
  const news = new Map(told.map((row) => [row.id, row]))
  const kept = rows.filter(({ id }) => !gone.has(id)).map((row) => take(news, row.id) ?? row)
  return [...[...news.values()].filter(({ id }) => !gone.has(id)), ...kept]
}

function take<Row>(rows: Map<string, Row>, id: string): Row | undefined {
  const row = rows.get(id)
  rows.delete(id)
  return row
}

/** Whether an event tells of arrivals nobody knew of, whose place among the others only the product knows. */
export function tellsOfOthers(known: Transfers, event: TransfersEvent): boolean {
  const ids = new Set(known.arrivals.map(({ id }) => id))
  return event.arrivals.some(({ id }) => !ids.has(id))
}

/** The arrivals that are in another state than before. */
export function stepsBetween(before: Transfers, after: Transfers): Step[] {
  if (before.arrivals === after.arrivals) return []
  const states = new Map(before.arrivals.map(({ id, state }) => [id, state]))
  return after.arrivals
    .map((arrival) => ({ arrival, from: states.get(arrival.id) ?? null }))
    .filter(({ arrival, from }) => arrival.state !== from)
}

/** A step a box to or from a remote went. */
export interface RemoteStep {
  readonly transfer: RemoteTransfer
  readonly from: RemoteTransfer['state'] | null
}

/** The boxes to and from remotes that are in another state than before. */
export function remoteStepsBetween(before: Transfers, after: Transfers): RemoteStep[] {
  if (before.remoteTransfers === after.remoteTransfers) return []
  const states = new Map(before.remoteTransfers.map(({ id, state }) => [id, state]))
  return after.remoteTransfers
    .map((transfer) => ({ transfer, from: states.get(transfer.id) ?? null }))
    .filter(({ transfer, from }) => transfer.state !== from)
}
