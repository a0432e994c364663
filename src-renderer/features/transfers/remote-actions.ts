import type { ConflictChoice } from '../../../src-main/contract/sync.ts'
import type { RemoteTransfer } from '../../../src-main/contract/transfers.ts'
import { ask } from '../../api.ts'
import { attempt } from '../../app/toasts.svelte.ts'
import type { Row } from './rows.ts'
import { letGo, readTransfers, takeInRemote } from './transfers.svelte.ts'

const transferOf = ({ of }: Row): RemoteTransfer | null => (of.kind === 'remote' ? of.transfer : null)

const isOneOf =
  (...states: readonly RemoteTransfer['state'][]) =>
  (row: Row): boolean => {
    const transfer = transferOf(row)
    return transfer !== null && states.includes(transfer.state)
  }

export const canPause = isOneOf('queued', 'running', 'verifying', 'waiting')
export const canResume = isOneOf('paused')
/** One that waits is tried at once; what a person has to decide is decided instead. */
export const canRetryRemote = (row: Row): boolean =>
  row.state !== 'undecided' && row.state !== 'held' && isOneOf('failed', 'cancelled', 'waiting')(row)
/** Whether it can still go on: holding everything means something while any can. */
export const canCancelRemote = isOneOf('queued', 'running', 'verifying', 'paused', 'waiting')
export const canMoveRemote = isOneOf('queued', 'paused', 'waiting')
export const canDecide = ({ state }: Row): boolean => state === 'undecided'

const mostAtOnce = 1000
type Bulk = 'sync.pause' | 'sync.resume' | 'sync.cancel' | 'sync.retry' | 'sync.dismiss'

/** As many as there are, some at a time. */
export async function inBulk(method: Bulk, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += mostAtOnce) {
    const some = ids.slice(at, at + mostAtOnce)
    await ask(method, { ids: some })
    if (method === 'sync.dismiss') letGo(some)
  }
}

export const pause = ({ id }: Row): Promise<unknown> => attempt(() => inBulk('sync.pause', [id]))
export const resume = ({ id }: Row): Promise<unknown> => attempt(() => inBulk('sync.resume', [id]))

/** Before all others, and so before those the person put first earlier. */
export async function moveToTop({ id }: Row): Promise<void> {
  await attempt(() => ask('sync.move', { id, direction: 'top' }))
  await readTransfers()
}

/** Holds everything to and from remotes, or lets it go on. */
export async function hold(held: boolean): Promise<void> {
  await attempt(() => ask('sync.hold', { held }))
  await readTransfers()
}

/** Answers whether it goes on now. */
export async function decide(
  { id }: RemoteTransfer,
  choices: Readonly<Record<string, ConflictChoice>>
): Promise<boolean> {
  const after = await attempt(() => ask('sync.decide', { id, choices }))
  if (after) takeInRemote([after])
  return after !== undefined
}
