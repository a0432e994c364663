import { searchPlan, type Condition, type SearchPlan, type Wanted } from '../domain/search-terms.ts'
import { matches, type Searchable } from '../domain/search-words.ts'
import {
  andBits,
  andStored,
  chunkBits,
  chunkOf,
  countBits,
  hasBit,
  isEmpty,
  listBits,
  noBits,
  orBits,
  orStored,
  type Bits
} from './box-set.ts'
import type { Db } from './open.ts'
import { idsOf, rankingOf, type RankingOrder, type RankingSort } from './rankings.ts'

/** One page of what is wanted, in one of the orders. */
export interface ListingRequest extends Wanted {
  readonly sort: RankingSort
  readonly order: RankingOrder
  readonly limit: number
  readonly offset: number
}

/** Up to so many boxes it is quicker to sort what was found than to go through everybody in order. */
const fewEnoughToSort = 1000

/**
 * Search over the listings: first which boxes have the terms (sets of bits, a few microseconds a term), then
 * through all boxes in the order asked for until the page is full. Neither step costs more for words that are
 * frequent, rare, or found only at the far end of the order.
 */
export function listingSearch(db: Db, fewEnough = fewEnoughToSort): (request: ListingRequest) => number[] {
  db.pragma('cache_size = -65536') // a query touches a few megabytes, mostly the same ones
  const lastBox = db.prepare<[], number | null>('SELECT max(box_id) FROM listings').pluck()
  const stored = db
    .prepare<[number, string], Buffer>('SELECT boxes FROM search_postings WHERE chunk = ? AND term = ?')
    .pluck()
  const blocks = db
    .prepare<[number], Buffer>('SELECT boxes FROM search_rankings WHERE ranking = ? ORDER BY value, tag_key')
    .pluck()
  const text = db.prepare<[number], Searchable>(
    'SELECT tag_key AS tag, description FROM listings WHERE box_id = ?'
  )
  const columns = { downloads: 'downloads', created: 'created_at', updated: 'updated_at' } as const
  const sorted = (sort: RankingSort, order: RankingOrder) =>
    db.prepare<[string], Searchable & { boxId: number }>(
      `SELECT box_id AS boxId, tag_key AS tag, description
       FROM json_each(?) CROSS JOIN listings ON box_id = value
       ORDER BY ${columns[sort]} ${order}, tag_key`
    )
  const both = (sort: RankingSort) => ({ asc: sorted(sort, 'asc'), desc: sorted(sort, 'desc') })
  const sortedBy = { downloads: both('downloads'), created: both('created'), updated: both('updated') }

  const any = noBits()
  const all = noBits()

  /** The boxes of one chunk that meet a condition, in `any`. */
  function meeting(condition: Condition, chunk: number): void {
    any.fill(0)
    for (const [first, ...others] of condition) {
      const boxes = first === undefined ? undefined : stored.get(chunk, first)
      if (!boxes) continue
      if (others.length === 0) {
        orStored(any, boxes)
        continue
      }
      all.fill(0)
      orStored(all, boxes)
      if (others.every((term) => keep(all, stored.get(chunk, term)))) orBits(any, all)
    }
  }

  function candidates(conditions: readonly Condition[]): Bits {
    const chunks = chunkOf(lastBox.get() ?? 0) + 1
    const found = noBits(chunks)
    for (let chunk = 0; chunk < chunks; chunk++) {
      const here = chunkBits(found, chunk)
      for (const [n, condition] of conditions.entries()) {
        meeting(condition, chunk)
        if (n === 0) here.set(any)
        else andBits(here, any)
        if (isEmpty(here)) break
      }
    }
    return found
  }

  function sortFew(
    found: Bits,
    { sort, order, limit, offset }: ListingRequest,
    { unsure }: SearchPlan
  ): number[] {
    const rows = sortedBy[sort][order].all(JSON.stringify(listBits(found)))
    return rows
      .filter((row) => matches(row, unsure))
      .slice(offset, offset + limit)
      .map((row) => row.boxId)
  }

  function walk(
    found: Bits | null,
    { sort, order, limit, offset }: ListingRequest,
    { unsure }: SearchPlan
  ): number[] {
    const page: number[] = []
    let before = 0
    for (const block of blocks.iterate(rankingOf(sort, order))) {
      const ids = idsOf(block)
      for (let i = 0; i < ids.length; i++) {
        const boxId = ids[i] as number
        if (found && !hasBit(found, boxId)) continue
        if (unsure.length > 0 && !isMatch(boxId, unsure)) continue
        if (before++ < offset) continue
        page.push(boxId)
        if (page.length === limit) return page
      }
    }
    return page
  }

  function isMatch(boxId: number, words: readonly string[]): boolean {
    const box = text.get(boxId)
    return box !== undefined && matches(box, words)
  }

  return db.transaction((request: ListingRequest): number[] => {
    const plan = searchPlan(request)
    if (plan.conditions.length === 0) return walk(null, request, plan)
    const found = candidates(plan.conditions)
    const most = countBits(found)
    if (most <= request.offset) return []
    return most <= fewEnough ? sortFew(found, request, plan) : walk(found, request, plan)
  })
}

/** Whether anything is left. */
function keep(bits: Bits, boxes: Buffer | undefined): boolean {
  if (!boxes) return false
  andStored(bits, boxes)
  return !isEmpty(bits)
}
