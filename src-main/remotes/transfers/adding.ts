import { randomUUID } from 'node:crypto'
import type { SyncRequest } from '../../contract/sync.ts'
import { Problem } from '../../domain/problem.ts'
import type { StoredTransfer } from '../../store/transfers.ts'
import { fresh, type Book } from './book.ts'
import { widened } from './widening.ts'

/** How requests come to wait. */
export interface AddOptions {
  readonly byMirror: boolean
}

/** Has requests wait, all or none; one that waits already is widened instead. Answers the ids in the order of the requests. */
export function addRequests(
  book: Book,
  requests: readonly SyncRequest[],
  { byMirror }: AddOptions
): string[] {
  return book.change((put) => {
    let { last } = book.table.positions()
    return requests.map((request) => {
      const remoteName = book.table.remoteName(request.remoteId)
      if (remoteName === null)
        throw new Problem(
          'missing',
          'The remote this was meant for is not there any more; it was removed.',
          'Choose another one.'
        )
      const there = widenedOne(book, request, byMirror)
      if (there) {
        put(there)
        return there.id
      }
      last += 1
      const transfer: StoredTransfer = {
        id: randomUUID(),
        ...{ remoteId: request.remoteId, remoteName, direction: request.direction },
        ...{ organization: request.organization, name: request.box, request },
        ...{ state: 'queued', position: last, bytesTotal: null, byMirror },
        ...fresh,
        createdAt: book.now(),
        finishedAt: null
      }
      put(transfer)
      return transfer.id
    })
  })
}

/** One that waits already as it will be with this as well; null when there is none that can be. */
function widenedOne(book: Book, request: SyncRequest, byMirror: boolean): StoredTransfer | null {
  const { remoteId, organization, box, direction } = request
  for (const there of book.table.ofBox(remoteId, organization, box, direction)) {
    const wanted = there.byMirror === byMirror && there.request ? widened(there.request, request) : null
    if (!wanted) continue
    // What a person put aside, no rule starts again.
    if (there.state === 'paused' && byMirror) return { ...there, request: wanted }
    if (there.state === 'waiting') return { ...there, request: wanted }
    return { ...there, ...fresh, request: wanted, state: 'queued' }
  }
  return null
}
