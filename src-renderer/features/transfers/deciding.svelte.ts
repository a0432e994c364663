import type { RemoteTransfer } from '../../../src-main/contract/transfers.ts'

let id = $state<string | null>(null)

/** The transfer whose conflicts the person is asked about just now. */
export const deciding = {
  get id(): string | null {
    return id
  },
  open: (transfer: RemoteTransfer): void => void (id = transfer.id),
  close: (): void => void (id = null)
}
