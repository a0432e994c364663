import { LRUCache } from 'lru-cache'
import { changeStored, chunkOf, offsetOf, storedSet, type StoredSet } from './box-set.ts'
import type { Db } from './open.ts'
import { chunkPart, searchStamps, type Stamps } from './search-stamps.ts'

/** A box whose terms changed. */
export interface TermChange {
  readonly boxId: number
  readonly added: Iterable<string>
  readonly removed: Iterable<string>
}

interface OffsetChange {
  readonly added: number[]
  removed?: number[]
}

/** Where the set of a term's boxes in a chunk lies: numbers are found faster than texts, and repeated more cheaply. */
const placeOf = (chunk: number, termId: number): number => chunk * 2 ** 32 + termId

/** Which listings have a term. Terms stay known when the last listing that had them goes. */
export function postingTable(db: Db) {
  const termId = db.prepare<[string], number>('SELECT id FROM search_terms WHERE term = ?').pluck()
  const addTerm = db.prepare<[string]>('INSERT INTO search_terms (term) VALUES (?)')
  const read = db.prepare<[number], Buffer>('SELECT boxes FROM search_postings WHERE id = ?').pluck()
  const write = db.prepare<[number, Buffer]>(
    'INSERT OR REPLACE INTO search_postings (id, boxes) VALUES (?, ?)'
  )
  const remove = db.prepare<[number]>('DELETE FROM search_postings WHERE id = ?')
  const stamps = searchStamps(db)
  const removeAll = [db.prepare('DELETE FROM search_postings'), db.prepare('DELETE FROM search_terms')]

  const idOf = (term: string): number => termId.get(term) ?? Number(addTerm.run(term).lastInsertRowid)

  function applyToChunk(chunk: number, byTerm: Map<string, OffsetChange>, known: Map<string, number>): void {
    const places = [...byTerm].map(([term, change]) => ({
      place: placeOf(
        chunk,
        getOrMake(known, term, () => idOf(term))
      ),
      change
    }))
    stamps.renew(chunkPart(chunk))
    // In the order of the table, so that many changes pass through it once.
    for (const { place, change } of places.sort((a, b) => a.place - b.place)) {
      const changed = changeStored(read.get(place) ?? null, change.added, change.removed)
      if (changed) write.run(place, changed)
      else remove.run(place)
    }
  }

  return {
    /**
     * Each box at most once, by ascending id. `known` saves looking up the ids of terms again and again while many
     * boxes are added; what it lacks is put into it.
     */
    apply(changes: Iterable<TermChange>, known = new Map<string, number>()): void {
      const chunks = new Map<number, Map<string, OffsetChange>>()
      for (const { boxId, added, removed } of changes) {
        const chunk = getOrMake(chunks, chunkOf(boxId), () => new Map<string, OffsetChange>())
        const offset = offsetOf(boxId)
        for (const term of added) getOrMake(chunk, term, noChange).added.push(offset)
        for (const term of removed) (getOrMake(chunk, term, noChange).removed ??= []).push(offset)
      }
      for (const [chunk, byTerm] of chunks) applyToChunk(chunk, byTerm, known)
    },

    clear(): void {
      for (const statement of removeAll) statement.run()
      stamps.renewAll()
    }
  }
}

/** How much of what it has read a reader keeps: the sets of the terms people use, again and again. */
const keptBytes = 64 * 1024 * 1024

/** Reads the sets of the terms it is asked for. */
export function postingReader(db: Db) {
  const termId = db.prepare<[string], number>('SELECT id FROM search_terms WHERE term = ?').pluck()
  const read = db.prepare<[number], Buffer>('SELECT boxes FROM search_postings WHERE id = ?').pluck()
  const kept = new LRUCache<number, KeptSet>({
    maxSize: keptBytes,
    sizeCalculation: ({ boxes }) => bookkeepingBytes + (boxes?.byteLength ?? 0)
  })

  return {
    termId: (term: string): number | undefined => termId.get(term),

    /** The listings in a chunk that have a term; null when none has. */
    boxes(stamps: Stamps, chunk: number, term: number): StoredSet | null {
      const place = placeOf(chunk, term)
      const stamp = stamps.get(chunkPart(chunk))
      let set = kept.get(place)
      if (!set || set.stamp !== stamp) {
        const stored = read.get(place)
        set = { stamp, boxes: stored ? storedSet(stored) : null }
        kept.set(place, set)
      }
      return set.boxes
    }
  }
}

export type PostingReader = ReturnType<typeof postingReader>

interface KeptSet {
  readonly stamp: number | undefined
  readonly boxes: StoredSet | null
}

const bookkeepingBytes = 256

const noChange = (): OffsetChange => ({ added: [] })

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
