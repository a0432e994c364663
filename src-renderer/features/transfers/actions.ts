import type { Arrival } from '../../../src-main/contract/arrivals.ts'
import { ask } from '../../api.ts'
import { counted } from '../../app/format.ts'
import { attempt, toast } from '../../app/toasts.svelte.ts'
import { cancelSending, canResend, forget, resend } from '../drop/sending.svelte.ts'
import type { Row } from './rows.ts'
import { letGo, readTransfers, takeIn } from './transfers.svelte.ts'

/** Whether an arrival can be tried again: by the product, or by this page that still has the file. */
export const canRetryArrival = (arrival: Arrival): boolean =>
  arrival.kind === 'stream' ? arrival.canRetry || canResend(arrival.id) : arrival.canRetry

export const canRetry = ({ state, of }: Row): boolean =>
  (state === 'failed' || state === 'cancelled') &&
  (of.kind === 'arrival' ? canRetryArrival(of.arrival) : of.kind === 'sending' && canResend(of.sending.id))

export const canCancel = ({ group, state, of }: Row): boolean =>
  group === 'finished' || state === 'failed'
    ? false
    : of.kind !== 'arrival' || of.arrival.state !== 'publishing'

/** Only what the product has in its own queue has a place in it. */
export const canMove = ({ state, of }: Row): boolean => state === 'waiting' && of.kind === 'arrival'

export const canDismiss = ({ group, state }: Row): boolean => group === 'finished' || state === 'failed'

/** Answers the id under which it is tried again, which is another where the file is sent anew. */
export async function retryArrival(arrival: Arrival): Promise<string | null> {
  if (arrival.kind === 'stream' && canResend(arrival.id)) return resend(arrival.id)
  takeIn([await ask('arrivals.retry', { id: arrival.id })])
  return arrival.id
}

const retryOne = ({ of, id }: Row): Promise<unknown> =>
  of.kind === 'arrival' ? retryArrival(of.arrival) : resend(id)

export const retry = (row: Row): Promise<unknown> => attempt(() => retryOne(row))

/** One that cannot be tried again keeps none of the others from it. */
export async function retryAll(rows: readonly Row[]): Promise<void> {
  let refused = 0
  for (const row of rows.filter(canRetry)) await retryOne(row).catch(() => (refused += 1))
  if (refused > 0) toast('error', `${counted(refused, 'file')} could not be tried again.`)
}

export async function cancel({ of, id }: Row): Promise<void> {
  await attempt(async () => {
    if (of.kind === 'client') await ask('clientUpload.cancel', { id })
    else if (of.kind === 'sending' || of.arrival.kind === 'stream') await cancelStream(id, of.kind)
    else takeIn([await ask('arrivals.cancel', { id })])
  })
}

/** A file this page sends stops here as well; one that another page sends, or that has arrived, only there. */
async function cancelStream(id: string, kind: 'sending' | 'arrival'): Promise<void> {
  const ended = await cancelSending(id)
  if (!ended && kind === 'arrival') takeIn([await ask('arrivals.cancel', { id })])
}

export async function move({ id }: Row, direction: 'up' | 'down'): Promise<void> {
  await attempt(() => ask('arrivals.move', { id, direction }))
  await readTransfers()
}

const mostAtOnce = 1000

export async function dismiss(rows: readonly Row[]): Promise<void> {
  forget(rows.map(({ id }) => id))
  const ids = rows.flatMap(({ of }) => (of.kind === 'arrival' ? [of.arrival.id] : []))
  await attempt(async () => {
    for (let at = 0; at < ids.length; at += mostAtOnce) {
      const some = ids.slice(at, at + mostAtOnce)
      await ask('arrivals.dismiss', { ids: some })
      letGo(some)
    }
  })
}
