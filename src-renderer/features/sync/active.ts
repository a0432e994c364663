import type { RemoteTransfer, TransferState } from '../../../src-main/contract/transfers.ts'
import { transfers } from '../transfers/transfers.svelte.ts'

const ended: ReadonlySet<TransferState> = new Set(['done', 'failed', 'cancelled'])

/** Of what is under way with a remote, or with any of them for null: that of one box, if there is. */
export const activeTransfer = (
  remoteId: number | null,
  organization: string,
  box: string
): RemoteTransfer | undefined =>
  transfers.remoteTransfers.find(
    (transfer) =>
      !ended.has(transfer.state) &&
      (remoteId === null || transfer.remoteId === remoteId) &&
      transfer.organization === organization &&
      transfer.box === box
  )

const words: Readonly<Record<TransferState, string>> = {
  queued: 'Queued',
  running: 'Running',
  verifying: 'Verifying',
  paused: 'Paused',
  waiting: 'Waiting',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled'
}

/** "Publishing"; "Waiting" */
export const activeWord = ({ state, direction }: Pick<RemoteTransfer, 'state' | 'direction'>): string =>
  state === 'running' ? (direction === 'publish' ? 'Publishing' : 'Pulling') : words[state]

/** From 0 to 1; null while nobody knows. */
export const shareOf = ({ bytesDone, bytesTotal }: RemoteTransfer): number | null =>
  bytesTotal === null || bytesTotal === 0 ? null : Math.min(1, bytesDone / bytesTotal)
