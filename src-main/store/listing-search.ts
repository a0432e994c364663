import { searchPlan, type Wanted } from '../domain/search-terms.ts'
import { matches, type Searchable } from '../domain/search-words.ts'
import { chunkOf, hasBit, listBits, nextMember, type Bits } from './box-set.ts'
import { candidateFinder } from './candidates.ts'
import type { Db } from './open.ts'
import { postingReader, type PostingReader } from './postings.ts'
import { rankingReader, type RankingOrder, type RankingReader } from './rankings.ts'
import { searchStamps, type Stamps } from './search-stamps.ts'

/** One page of what is wanted, in one of the orders. */
export interface ListingRequest extends Wanted {
  /** The organizations whose private boxes are included. */
  readonly privateIn: readonly number[] | 'all'
  readonly sort: SearchSort
  readonly order: RankingOrder
  readonly limit: number
  readonly offset: number
}

type SearchSort = 'downloads' | 'created' | 'updated'

/** What all searches over one connection read with, so that what is kept in memory is kept once. */
export interface SearchReaders {
  readonly postings: PostingReader
  readonly rankings: RankingReader
}

export function searchReaders(db: Db): SearchReaders {
  db.pragma('cache_size = -65536') // a query touches a few megabytes, mostly the same ones
  return { postings: postingReader(db), rankings: rankingReader(db) }
}

/** From where on one way of finding is quicker than another. Tests set it so that each is taken. */
export interface SearchTuning {
  /** How many boxes can be passed, in the order they have already, in the time it takes to look up and sort one. */
  readonly passedWhileSortingOne: number
  /** Private boxes of so many organizations are simply added to the public ones. */
  readonly fewOrganizations: number
}
const measured: SearchTuning = { passedWhileSortingOne: 500, fewOrganizations: 8 }

const columns = { downloads: 'downloads', created: 'created_at', updated: 'updated_at' } as const

/**
 * Search over the listings: first which boxes have the terms (sets of bits, some microseconds a term), then through
 * all boxes in the order asked for until the page is full, or, when there are few, by sorting those. Neither costs
 * much more for words that are frequent, rare, or found only at the far end of the order.
 */
export function listingSearch(
  db: Db,
  tuning = measured,
  { postings, rankings } = searchReaders(db)
): (request: ListingRequest) => number[] {
  const finder = candidateFinder(postings, tuning.fewOrganizations)
  const lastBox = db.prepare<[], number | null>('SELECT max(box_id) FROM listings').pluck()
  const stampsOf = searchStamps(db)
  const details = db.prepare<[string], Details>(
    `SELECT box_id AS boxId, organization_id AS organizationId, private, tag_key AS tag, description
     FROM json_each(?) CROSS JOIN listings ON box_id = value`
  )
  const sorted = (sort: SearchSort, order: RankingOrder) =>
    db
      .prepare<[string], number>(
        `SELECT box_id FROM json_each(?) CROSS JOIN listings ON box_id = value
         ORDER BY ${columns[sort]} ${order}, tag_key`
      )
      .pluck()
  const bothWays = (sort: SearchSort) => ({ asc: sorted(sort, 'asc'), desc: sorted(sort, 'desc') })
  const inOrder = {
    downloads: bothWays('downloads'),
    created: bothWays('created'),
    updated: bothWays('updated')
  }

  /** What was found in the order asked for. */
  function* walk({ sort, order }: ListingRequest, stamps: Stamps, found: Bits): Generator<number> {
    for (const ids of rankings.blocks(stamps, sort, order))
      for (let i = nextMember(found, ids, 0); i < ids.length; i = nextMember(found, ids, i + 1))
        yield ids[i] as number
  }

  /** Of boxes in order those that are what is wanted. The unsure ones are looked at many at a time. */
  function* checked(
    boxIds: Iterable<number>,
    sure: Bits | null,
    isWanted: (box: Details) => boolean,
    batch: number
  ) {
    let waiting: number[] = []
    const settled = (): number[] => {
      const unsure = sure ? waiting.filter((boxId) => !hasBit(sure, boxId)) : waiting
      if (unsure.length === 0) return waiting
      const rows = details.all(JSON.stringify(unsure))
      const refused = new Set(rows.filter((box) => !isWanted(box)).map((box) => box.boxId))
      return waiting.filter((boxId) => !refused.has(boxId))
    }
    for (const boxId of boxIds) {
      waiting.push(boxId)
      if (waiting.length < batch) continue
      yield* settled()
      waiting = []
    }
    yield* settled()
  }

  return db.transaction((request: ListingRequest): number[] => {
    const { privateIn, offset, limit } = request
    const { conditions, words, complete } = searchPlan(request)
    const pageEnd = offset + limit
    const stamps = stampsOf.all()
    const last = lastBox.get() ?? 0
    const { found, sure, count } = finder.find(conditions, privateIn, {
      stamps,
      chunks: chunkOf(last) + 1,
      pageEnd
    })
    if (count <= offset) return []
    const passed = last * Math.min(1, pageEnd / count)
    const ordered =
      count * tuning.passedWhileSortingOne > passed
        ? walk(request, stamps, found)
        : inOrder[request.sort][request.order].all(JSON.stringify(listBits(found)))
    const members = new Set(privateIn === 'all' ? [] : privateIn)
    const isWanted = (box: Details): boolean =>
      (box.private === 0 || privateIn === 'all' || members.has(box.organizationId)) && matches(box, words)
    return take(
      checked(ordered, complete ? sure : null, isWanted, Math.min(pageEnd, largestBatch)),
      offset,
      pageEnd
    )
  })
}

/** What has to be known of a box to check it. */
interface Details extends Searchable {
  readonly boxId: number
  readonly organizationId: number
  readonly private: number
}

const largestBatch = 250

function take(boxIds: Iterable<number>, start: number, end: number): number[] {
  const taken: number[] = []
  let place = 0
  for (const boxId of boxIds) {
    if (place >= start) taken.push(boxId)
    if (++place === end) break
  }
  return taken
}
