import type { RemoteTransfer } from '../../../src-main/contract/transfers.ts'
import { counted } from '../../app/format.ts'
import { toast } from '../../app/toasts.svelte.ts'

/** Says that they are on their way; how far they are is at the bottom of the window, and in its own place. */
export function sayQueued(started: readonly RemoteTransfer[]): void {
  const [first] = started
  if (!first) return
  const way = first.direction === 'publish' ? `to ${first.remoteName}` : `from ${first.remoteName}`
  const what =
    started.length === 1
      ? `${first.organization}/${first.box} is`
      : `${counted(started.length, 'box', 'boxes')} are`
  toast('success', `${what} on the way ${way}.`)
}
