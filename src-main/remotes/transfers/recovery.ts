import type { Book } from './book.ts'

/** Puts transfers in order after whatever ended the process before that carried them out: none is being carried out now. */
export async function recoverTransfers(book: Book, dropStaged: (id: string) => Promise<void>): Promise<void> {
  const cutOff = [...book.table.idsIn('running'), ...book.table.idsIn('verifying')]
  book.updateAll(cutOff, () => ({ state: 'queued' }))
  // Also of those that a person had just put aside when the process ended.
  book.steps.settleAll()
  for (const id of book.steps.endedWithStaged()) await dropStagedOf(book, id, dropStaged)
}

/** Drops what was staged for a transfer that will not go on. */
export async function dropStagedOf(
  book: Book,
  id: string,
  dropStaged: (id: string) => Promise<void>
): Promise<void> {
  for (const stagedId of book.steps.stagedOf(id)) await dropStaged(stagedId)
  book.steps.forgetStaged(id)
}
