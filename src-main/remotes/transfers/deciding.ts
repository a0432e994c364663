import type { ConflictChoice, SyncRequest } from '../../contract/sync.ts'
import { Problem } from '../../domain/problem.ts'
import type { StoredTransfer } from '../../store/transfers.ts'
import { fresh, type Book } from './book.ts'

type Choices = Readonly<Record<string, ConflictChoice>>

/**
 * A transfer that goes on with its conflicts answered, and, where something of the other side is to be taken over by one
 * that publishes, the request that brings exactly that here.
 */
export function decided(
  book: Book,
  transfer: StoredTransfer,
  choices: Choices
): { readonly transfer: StoredTransfer; readonly pull: SyncRequest | null } {
  if (transfer.state !== 'failed' || transfer.conflicts.length === 0)
    throw new Problem('conflict', 'There is nothing to be decided in this transfer just now.')
  const request = book.requestOf(transfer)
  for (const [key, choice] of Object.entries(choices)) checkOffered(transfer, key, choice)
  const { position } = transfer
  const next: StoredTransfer = {
    ...{ ...transfer, ...fresh, state: 'queued', position },
    request: { ...request, choices: { ...request.choices, ...choices } }
  }
  return { transfer: next, pull: pullOf(request, choices) }
}

function checkOffered({ conflicts }: StoredTransfer, key: string, choice: ConflictChoice): void {
  const conflict = conflicts.find((one) => one.key === key)
  if (conflict?.choices.some((offer) => offer.choice === choice)) return
  throw new Problem(
    'invalid',
    'What was chosen is not among what can be chosen any more: one of the sides has changed since.',
    'Look at what is different now, and choose again.'
  )
}

function pullOf(request: SyncRequest, choices: Choices): SyncRequest | null {
  const { direction, remoteId, organization, box } = request
  const theirs = Object.entries(choices).filter(([, choice]) => choice === 'theirs')
  if (direction === 'pull' || theirs.length === 0) return null
  return {
    ...{ direction: 'pull', remoteId, organization, box },
    choices: Object.fromEntries(theirs),
    choicesAlone: true
  }
}
