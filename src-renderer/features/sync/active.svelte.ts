import type { RemoteTransfer, TransferState } from '../../../src-main/contract/transfers.ts'
import { ofRemote } from '../transfers/remote-rows.ts'
import { transfers } from '../transfers/transfers.svelte.ts'

const ended: ReadonlySet<TransferState> = new Set(['done', 'failed', 'cancelled'])

const byTag = $derived.by(() => {
  const found = new Map<string, RemoteTransfer[]>()
  for (const transfer of transfers.remoteTransfers) {
    if (ended.has(transfer.state)) continue
    const tag = `${transfer.organization}/${transfer.box}`
    const others = found.get(tag)
    if (others) others.push(transfer)
    else found.set(tag, [transfer])
  }
  return found
})

/** What is under way of one box, with whatever remote. */
export const activeTransfers = (organization: string, box: string): readonly RemoteTransfer[] =>
  byTag.get(`${organization}/${box}`) ?? []

/** What is under way of one box with one remote; the first of it. */
export const activeTransfer = (
  remoteId: number,
  organization: string,
  box: string
): RemoteTransfer | undefined =>
  activeTransfers(organization, box).find((transfer) => transfer.remoteId === remoteId)

/** As the list of transfers says it: "Publishing"; "Waiting" */
export const activeWord = (transfer: RemoteTransfer): string => ofRemote(transfer).word

/** From 0 to 1; null while nobody knows. */
export const shareOf = ({ bytesDone, bytesTotal }: RemoteTransfer): number | null =>
  bytesTotal === null || bytesTotal === 0 ? null : Math.min(1, bytesDone / bytesTotal)
