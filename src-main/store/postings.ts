import { changeStored, chunkOf, offsetOf } from './box-set.ts'
import type { Db } from './open.ts'

/** A box whose terms changed. */
export interface TermChange {
  readonly boxId: number
  readonly added: Iterable<string>
  readonly removed: Iterable<string>
}

/** Which listings have a term. */
export function postingTable(db: Db) {
  const read = db
    .prepare<[number, string], Buffer>('SELECT boxes FROM search_postings WHERE chunk = ? AND term = ?')
    .pluck()
  const write = db.prepare('INSERT OR REPLACE INTO search_postings (chunk, term, boxes) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM search_postings WHERE chunk = ? AND term = ?')
  const removeAll = db.prepare('DELETE FROM search_postings')

  function applyToChunk(chunk: number, changes: Map<string, { added: number[]; removed: number[] }>): void {
    // In the order of the table, so that many changes pass through it once.
    for (const term of [...changes.keys()].sort()) {
      const change = changes.get(term)
      if (!change) continue
      const stored = read.get(chunk, term) ?? null
      const changed = changeStored(stored, change.added, change.removed)
      if (changed) write.run(chunk, term, changed)
      else if (stored) remove.run(chunk, term)
    }
  }

  return {
    /** Each box at most once, by ascending id. */
    apply(changes: readonly TermChange[]): void {
      const chunks = new Map<number, Map<string, { added: number[]; removed: number[] }>>()
      for (const { boxId, added, removed } of changes) {
        const chunk = getOrMake(chunks, chunkOf(boxId), () => new Map())
        const offset = offsetOf(boxId)
        for (const term of added) getOrMake(chunk, term, noChange).added.push(offset)
        for (const term of removed) getOrMake(chunk, term, noChange).removed.push(offset)
      }
      for (const [chunk, byTerm] of chunks) applyToChunk(chunk, byTerm)
    },

    clear(): void {
      removeAll.run()
    }
  }
}

const noChange = (): { added: number[]; removed: number[] } => ({ added: [], removed: [] })

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
