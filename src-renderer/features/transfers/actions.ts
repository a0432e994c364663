import type { Arrival } from '../../../src-main/contract/arrivals.ts'
import { ask } from '../../api.ts'
import { counted } from '../../app/format.ts'
import { attempt, toast } from '../../app/toasts.svelte.ts'
import { cancelSending, canResend, forget, resend } from '../drop/sending.svelte.ts'
import { canCancelRemote, canMoveRemote, canRetryRemote, inBulk } from './remote-actions.ts'
import type { Row } from './rows.ts'
import { letGo, readTransfers, takeIn } from './transfers.svelte.ts'

/** Whether an arrival can be tried again: by the product, or by this page that still has the file. */
export const canRetryArrival = (arrival: Arrival): boolean =>
  arrival.kind === 'stream' ? arrival.canRetry || canResend(arrival.id) : arrival.canRetry

export const canRetry = (row: Row): boolean => {
  const { state, of } = row
  if (of.kind === 'remote') return canRetryRemote(row)
  return (
    (state === 'failed' || state === 'cancelled') &&
    (of.kind === 'arrival' ? canRetryArrival(of.arrival) : of.kind === 'sending' && canResend(of.sending.id))
  )
}

export const canCancel = (row: Row): boolean => {
  const { group, state, of } = row
  if (of.kind === 'remote') return canCancelRemote(row)
  return (
    group !== 'finished' &&
    state !== 'failed' &&
    !(of.kind === 'arrival' && of.arrival.state === 'publishing')
  )
}

/** Only what the product has in a queue of its own has a place in it. */
export const canMove = (row: Row): boolean =>
  row.of.kind === 'remote' ? canMoveRemote(row) : row.state === 'waiting' && row.of.kind === 'arrival'

export const canDismiss = ({ group, of }: Row): boolean =>
  group === 'finished' ||
  (of.kind === 'remote'
    ? of.transfer.state === 'failed'
    : of.kind === 'arrival'
      ? of.arrival.state === 'failed'
      : of.kind === 'sending' && of.sending.state === 'failed')

/** Answers the id under which it is tried again, which is another where the file is sent anew. */
export async function retryArrival(arrival: Arrival): Promise<string | null> {
  if (arrival.kind === 'stream' && canResend(arrival.id)) return resend(arrival.id)
  takeIn([await ask('arrivals.retry', { id: arrival.id })])
  return arrival.id
}

const retryOne = ({ of, id }: Row): Promise<unknown> =>
  of.kind === 'arrival' ? retryArrival(of.arrival) : resend(id)

export const retry = (row: Row): Promise<unknown> =>
  attempt(() => (row.of.kind === 'remote' ? inBulk('sync.retry', [row.id]) : retryOne(row)))

/** One that cannot be tried again keeps none of the others from it. */
export async function retryAll(rows: readonly Row[]): Promise<void> {
  let refused = 0
  const [remote, others] = parted(rows.filter(canRetry))
  for (const row of others) await retryOne(row).catch(() => (refused += 1))
  await inBulk('sync.retry', remote).catch(() => (refused += remote.length))
  if (refused > 0) toast('error', `${counted(refused, 'transfer')} could not be tried again.`)
}

/** Those of remotes go many at a time. */
const parted = (rows: readonly Row[]): [remote: string[], others: Row[]] => [
  rows.filter(({ of }) => of.kind === 'remote').map(({ id }) => id),
  rows.filter(({ of }) => of.kind !== 'remote')
]

export const cancel = (row: Row): Promise<unknown> =>
  attempt(() => (row.of.kind === 'remote' ? inBulk('sync.cancel', [row.id]) : cancelOne(row)))

/** One that has just ended keeps none of the others from it. */
export async function cancelAll(rows: readonly Row[]): Promise<void> {
  const [remote, others] = parted(rows)
  await attempt(() => inBulk('sync.cancel', remote))
  for (const row of others) await cancelOne(row).catch(() => undefined)
}

async function cancelOne({ of, id }: Row): Promise<void> {
  if (of.kind === 'client') await ask('clientUpload.cancel', { id })
  else if (of.kind === 'sending') await cancelStream(id, of.kind)
  else if (of.kind === 'arrival' && of.arrival.kind === 'stream') await cancelStream(id, of.kind)
  else takeIn([await ask('arrivals.cancel', { id })])
}

/** A file this page sends stops here as well; one that another page sends, or that has arrived, only there. */
async function cancelStream(id: string, kind: 'sending' | 'arrival'): Promise<void> {
  const ended = await cancelSending(id)
  if (!ended && kind === 'arrival') takeIn([await ask('arrivals.cancel', { id })])
}

export async function move({ id, of }: Row, direction: 'up' | 'down'): Promise<void> {
  const payload = { id, direction }
  await attempt(() => (of.kind === 'remote' ? ask('sync.move', payload) : ask('arrivals.move', payload)))
  await readTransfers()
}

const mostAtOnce = 1000

export async function dismiss(rows: readonly Row[]): Promise<void> {
  const [remote, others] = parted(rows)
  forget(others.map(({ id }) => id))
  const ids = others.flatMap(({ of }) => (of.kind === 'arrival' ? [of.arrival.id] : []))
  await attempt(async () => {
    for (let at = 0; at < ids.length; at += mostAtOnce) {
      const some = ids.slice(at, at + mostAtOnce)
      await ask('arrivals.dismiss', { ids: some })
      letGo(some)
    }
    await inBulk('sync.dismiss', remote)
  })
}
