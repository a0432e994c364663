import { LRUCache } from 'lru-cache'
import type { LibraryQuery } from '../contract/library.ts'
import { nameKey } from '../domain/names.ts'
import { libraryPlan } from '../domain/search-terms.ts'
import { matches } from '../domain/search-words.ts'
import {
  chunkOf,
  clearBit,
  countBits,
  difference,
  listBits,
  noBits,
  removeMembers,
  takeMembers,
  type Bits
} from './box-set.ts'
import { candidateFinder } from './candidates.ts'
import type { SearchReaders } from './listing-search.ts'
import type { Db } from './open.ts'
import { isChunk, searchStamps, type Stamps } from './search-stamps.ts'

/** How much of what it has found a search keeps, in bytes: the last few results, for a million boxes each. */
const keptBytes = 24 * 1024 * 1024
/** So many texts are read with one statement. */
const readAtOnce = 2048

/**
 * Everything the library finds for a query, as ids in order. The whole of it, because its length is shown and any part
 * may be asked for next; what was found is kept, so that scrolling through it costs nothing.
 */
export function librarySearch(
  db: Db,
  { postings, rankings }: SearchReaders
): (query: LibraryQuery) => Uint32Array {
  const finder = candidateFinder(postings, 0)
  const stampsOf = searchStamps(db)
  const lastBox = db.prepare<[], number | null>('SELECT max(box_id) FROM listings').pluck()
  const organizationId = db
    .prepare<[string], number>('SELECT id FROM organizations WHERE name_key = ?')
    .pluck()
  const texts = db
    .prepare<[string], [boxId: number, tag: string, description: string]>(
      'SELECT box_id, tag_key, description FROM json_each(?) CROSS JOIN listings ON box_id = value'
    )
    .raw()
  const kept = new LRUCache<string, Kept>({
    maxSize: keptBytes,
    sizeCalculation: ({ boxIds }) => bookkeepingBytes + boxIds.byteLength
  })

  /** Takes out of what was found what does not have the words, where the terms are no proof of it. */
  function check(found: Bits, sure: Bits, words: readonly string[]): void {
    const unsure = listBits(difference(found, sure))
    for (let start = 0; start < unsure.length; start += readAtOnce) {
      const some = JSON.stringify(unsure.slice(start, start + readAtOnce))
      for (const [boxId, tag, description] of texts.all(some))
        if (!matches({ tag, description }, words)) clearBit(found, boxId)
    }
  }

  function ordered({ sort, order }: LibraryQuery, stamps: Stamps, found: Bits): Uint32Array {
    const boxIds = new Uint32Array(countBits(found))
    let length = 0
    const take = (blocks: Iterable<Uint32Array>, from: Bits): void => {
      for (const block of blocks) length = takeMembers(from, block, boxIds, length)
    }
    switch (sort) {
      case 'name':
        take(rankings.blocks(stamps, 'name', 'asc'), found)
        break
      case 'size': {
        const sized = [...rankings.blocks(stamps, 'size', order)]
        const others = found.slice()
        for (const block of sized) removeMembers(others, block)
        if (order === 'desc') take(sized, found)
        take(rankings.blocks(stamps, 'name', 'asc'), others)
        if (order === 'asc') take(sized, found)
        break
      }
      default:
        take(rankings.blocks(stamps, sort, order), found)
    }
    const all = boxIds.slice(0, length)
    return sort === 'name' && order === 'desc' ? all.reverse() : all
  }

  /** What a result rests on: which boxes have which terms, and the order. */
  function stampFor({ sort, order }: LibraryQuery, stamps: Stamps): string {
    const orders = sort === 'name' || sort === 'size' ? [rankings.stamp(stamps, 'name', 'asc')] : []
    if (sort !== 'name') orders.push(rankings.stamp(stamps, sort, order))
    const chunks = [...stamps].filter(([part]) => isChunk(part)).flat()
    return [...orders, ...chunks].join()
  }

  function find(query: LibraryQuery, organizationId: number | null, stamps: Stamps): Uint32Array {
    const { conditions, words, complete } = libraryPlan({ ...query, organizationId })
    const chunks = chunkOf(lastBox.get() ?? 0) + 1
    const { found, sure } = finder.find(conditions, 'all', { stamps, chunks, pageEnd: Infinity })
    if (words.length > 0) check(found, complete ? sure : noBits(chunks), words)
    return ordered(query, stamps, found)
  }

  return db.transaction((query: LibraryQuery): Uint32Array => {
    const organization = query.organization === null ? null : organizationId.get(nameKey(query.organization))
    if (organization === undefined) return new Uint32Array()
    const stamps = stampsOf.all()
    const key = JSON.stringify({ ...query, organization })
    const stamp = stampFor(query, stamps)
    let result = kept.get(key)
    if (result?.stamp !== stamp) {
      result = { stamp, boxIds: find(query, organization, stamps) }
      kept.set(key, result)
    }
    return result.boxIds
  })
}

/** One result, and the stamp under which it holds. */
interface Kept {
  readonly stamp: string
  readonly boxIds: Uint32Array
}

const bookkeepingBytes = 1024
