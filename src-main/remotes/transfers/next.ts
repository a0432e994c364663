import { tagKey } from '../../domain/names.ts'
import type { Busy, Candidate } from './engine.ts'
import type { Book } from './book.ts'

/** What decides about the next one besides the rows. */
export interface Bounds {
  /** Nothing may begin now, whatever it is. */
  readonly closed: () => boolean
  /** Nothing else is carried out; null for everything. */
  readonly only: () => ReadonlySet<string> | null
}

/** The first in the order that may go: those whose time to wait is over go back to their places first. */
export function nextCandidate(book: Book, busy: Busy, { closed, only }: Bounds): Candidate | null {
  if (closed()) return null
  settle(book)
  const wanted = only()
  const ids = [...busy.ids, ...book.unsaved()]
  const candidates = book.table.remotes().flatMap((remoteId) => {
    if (busy.isFull(remoteId)) return []
    const id = wanted
      ? firstOf(book, wanted, remoteId, { ...busy, ids })
      : book.table.firstQueued(remoteId, busy.tags, ids)
    const transfer = id === null ? null : book.table.get(id)
    return transfer ? [transfer] : []
  })
  candidates.sort((a, b) => a.position - b.position)
  const [first] = candidates
  if (!first || first.remoteId === null) return null
  return { id: first.id, remoteId: first.remoteId, tag: tagKey(first.organization, first.name) }
}

/** When the next one may go that waits for its time. */
export function nextAt(book: Book, pausedUntil: (remoteId: number) => number | null): number | null {
  const times = book.table
    .remotes()
    .map((id) => ({ id, until: pausedUntil(id) }))
    .filter(({ id, until }) => until !== null && book.table.firstQueued(id, [], []) !== null)
    .map(({ until }) => until)
  const all = [book.table.firstDue(), ...times].filter((at) => at !== null)
  return all.length === 0 ? null : Math.min(...all)
}

function settle(book: Book): void {
  book.updateAll(book.table.due(book.now()), ({ state }) =>
    state === 'waiting' ? { state: 'queued', waitingFor: null, nextAttemptAt: null } : null
  )
  book.updateAll(book.table.orphans(), ({ remoteName, state }) =>
    state === 'running' || state === 'verifying'
      ? null
      : {
          ...{ state: 'failed', waitingFor: null, nextAttemptAt: null },
          problem: [
            `"${remoteName}" is no longer among the remotes: it was removed before this could be carried out.`
          ]
        }
  )
}

function firstOf(
  book: Book,
  wanted: ReadonlySet<string>,
  remoteId: number,
  { tags, ids }: Busy
): string | null {
  const found = [...wanted]
    .filter((id) => !ids.includes(id))
    .flatMap((id) => book.table.get(id) ?? [])
    .filter((one) => one.state === 'queued' && one.remoteId === remoteId)
    .filter(({ organization, name }) => !tags.includes(tagKey(organization, name)))
    .sort((a, b) => a.position - b.position)
  return found[0]?.id ?? null
}
