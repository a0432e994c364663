import type { Db } from './open.ts'
import { rankingPart, searchStamps, type Stamps } from './search-stamps.ts'

/** What the place of a listing depends on, in every order. */
export interface RankingKey {
  readonly boxId: number
  readonly tagKey: string
  readonly downloads: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type RankingSort = 'downloads' | 'created' | 'updated'
export type RankingOrder = 'asc' | 'desc'

interface Ranking {
  /** By which the table knows it. */
  readonly number: number
  readonly sort: RankingSort
  readonly order: RankingOrder
  readonly value: (key: RankingKey) => number
}

/** Every ranking ascends by (value, tag): the descending ones count backwards, so that ties ascend by tag in both. */
const rankings: readonly Ranking[] = [
  { number: 0, sort: 'downloads', order: 'asc', value: (key) => key.downloads },
  { number: 1, sort: 'downloads', order: 'desc', value: (key) => -key.downloads },
  { number: 2, sort: 'created', order: 'asc', value: (key) => key.createdAt },
  { number: 3, sort: 'created', order: 'desc', value: (key) => -key.createdAt },
  { number: 4, sort: 'updated', order: 'asc', value: (key) => key.updatedAt },
  { number: 5, sort: 'updated', order: 'desc', value: (key) => -key.updatedAt }
]

const rankingOf = (sort: RankingSort, order: RankingOrder): number =>
  rankings.findIndex((ranking) => ranking.sort === sort && ranking.order === order)

/** A block and its header fill a page of the database: it is read, and after a change written, in one piece. */
export const mostInBlock = 1900

/** Box ids as they lie in a block (little-endian, as every machine this runs on). */
const idsOf = (block: Buffer): Uint32Array =>
  block.byteOffset % 4 === 0
    ? new Uint32Array(block.buffer, block.byteOffset, block.length / 4)
    : new Uint32Array(new Uint8Array(block).buffer)

interface Block {
  readonly id: number
  readonly value: number
  readonly tagKey: string
  readonly boxes: Buffer
}

/**
 * The listings in each order people may ask for, as blocks of ids: reading a million of them takes a few
 * milliseconds, where an index of the database would take some hundreds, and changing one rewrites a page or two.
 * Where an id belongs within its block is found by looking up the keys of others there.
 */
export function rankingTable(db: Db, blockLength = mostInBlock) {
  const stamps = searchStamps(db)
  const columns = 'id, value, tag_key AS tagKey, boxes'
  const blockAtOrBefore = db.prepare<[number, number, string], Block>(
    `SELECT ${columns} FROM search_rankings WHERE ranking = ? AND (value, tag_key) <= (?, ?)
     ORDER BY value DESC, tag_key DESC LIMIT 1`
  )
  const blockAfter = db.prepare<[number, number, string], Block>(
    `SELECT ${columns} FROM search_rankings WHERE ranking = ? AND (value, tag_key) > (?, ?)
     ORDER BY value, tag_key LIMIT 1`
  )
  const insertBlock = db.prepare(
    'INSERT INTO search_rankings (ranking, value, tag_key, boxes) VALUES (?, ?, ?, ?)'
  )
  const writeBlock = db.prepare('UPDATE search_rankings SET boxes = ? WHERE id = ?')
  const lowerBlock = db.prepare('UPDATE search_rankings SET value = ?, tag_key = ? WHERE id = ?')
  const removeBlock = db.prepare('DELETE FROM search_rankings WHERE id = ?')
  const removeAll = db.prepare('DELETE FROM search_rankings')
  const storedKey = db.prepare<[number], RankingKey>(
    `SELECT box_id AS boxId, tag_key AS tagKey, downloads, created_at AS createdAt, updated_at AS updatedAt
     FROM listings WHERE box_id = ?`
  )

  function keyOf(boxId: number): RankingKey {
    const key = storedKey.get(boxId)
    if (!key) throw new Error(`box ${boxId} is ranked but not listed`)
    return key
  }

  function write(block: Block, ids: Uint32Array): void {
    if (ids.length === 0) removeBlock.run(block.id)
    else writeBlock.run(bufferOf(ids), block.id)
  }

  function find({ number, value }: Ranking, key: RankingKey): { block: Block; index: number } {
    const block = blockAtOrBefore.get(number, value(key), key.tagKey)
    const index = block ? idsOf(block.boxes).indexOf(key.boxId) : -1
    if (!block || index < 0) throw new Error(`box ${key.boxId} is listed but not in ranking ${number}`)
    return { block, index }
  }

  function remove(ranking: Ranking, key: RankingKey): void {
    const { block, index } = find(ranking, key)
    write(
      block,
      idsOf(block.boxes).filter((_, i) => i !== index)
    )
  }

  /** Whether a changed listing still stands between its neighbours; at the rim of a block nobody looks further. */
  function staysInPlace(ranking: Ranking, before: RankingKey, after: RankingKey): boolean {
    const { block, index } = find(ranking, before)
    const ids = idsOf(block.boxes)
    const [previous, next] = [ids[index - 1], ids[index + 1]]
    if (previous === undefined || next === undefined) return false
    return compare(ranking, keyOf(previous), after) < 0 && compare(ranking, after, keyOf(next)) < 0
  }

  /** Adds listings, given in the order of this ranking, block by block. */
  function addSorted(ranking: Ranking, added: readonly RankingKey[], lookUp: LookUp): void {
    const { number, value } = ranking
    for (let i = 0; i < added.length;) {
      const first = added[i] as RankingKey
      const block = blockAtOrBefore.get(number, value(first), first.tagKey) ?? loweredFirst(ranking, first)
      const next = block && blockAfter.get(number, block.value, block.tagKey)
      let end = i + 1
      while (end < added.length && !(next && isFrom(next, ranking, added[end] as RankingKey))) end++
      const ids = block ? idsOf(block.boxes) : new Uint32Array()
      const parts = cut(merge(ranking, ids, added.slice(i, end), lookUp), blockLength)
      parts.forEach((part, n) => {
        if (n === 0 && block) return write(block, part)
        const start = lookUp(part[0] as number)
        insertBlock.run(number, value(start), start.tagKey, bufferOf(part))
      })
      i = end
    }
  }

  /** The first block, for a key that belongs before all of it. */
  function loweredFirst({ number, value }: Ranking, key: RankingKey): Block | undefined {
    const block = blockAfter.get(number, value(key), key.tagKey)
    if (block) lowerBlock.run(value(key), key.tagKey, block.id)
    return block
  }

  return {
    /**
     * For listings that are in their table already. `known` saves looking up keys in the table again and again
     * while many are added; what it lacks is put into it.
     */
    add(added: readonly RankingKey[], known = new Map<number, RankingKey>()): void {
      for (const { boxId, tagKey, downloads, createdAt, updatedAt } of added)
        known.set(boxId, { boxId, tagKey, downloads, createdAt, updatedAt })
      const lookUp = (boxId: number): RankingKey => {
        let key = known.get(boxId)
        if (!key) known.set(boxId, (key = keyOf(boxId)))
        return key
      }
      for (const ranking of rankings) {
        stamps.renew(rankingPart(ranking.number))
        addSorted(
          ranking,
          added.toSorted((a, b) => compare(ranking, a, b)),
          lookUp
        )
      }
    },

    remove(key: RankingKey): void {
      for (const ranking of rankings) {
        stamps.renew(rankingPart(ranking.number))
        remove(ranking, key)
      }
    },

    /** Moves a listing to where it belongs now; its row holds the new key already. */
    move(before: RankingKey, after: RankingKey): void {
      for (const ranking of rankings) {
        if (compare(ranking, before, after) === 0 || staysInPlace(ranking, before, after)) continue
        stamps.renew(rankingPart(ranking.number))
        remove(ranking, before)
        addSorted(ranking, [after], keyOf)
      }
    },

    clear(): void {
      removeAll.run()
      stamps.renewAll()
    }
  }
}

/** How many ids a reader keeps: enough for all rankings of a million listings, in 32 MiB. */
const mostKeptIds = 8 * 1024 * 1024

/** Reads the rankings block by block, only as far as it is asked to. */
export function rankingReader(db: Db) {
  const blocks = db
    .prepare<[number, number], Buffer>(
      'SELECT boxes FROM search_rankings WHERE ranking = ? ORDER BY value, tag_key LIMIT -1 OFFSET ?'
    )
    .pluck()
  const kept = rankings.map(() => ({ stamp: undefined as number | undefined, blocks: [] as Uint32Array[] }))
  let keptIds = 0

  return {
    *blocks(stamps: Stamps, sort: RankingSort, order: RankingOrder): Generator<Uint32Array> {
      const ranking = rankingOf(sort, order)
      const mine = kept[ranking] as (typeof kept)[number]
      const stamp = stamps.get(rankingPart(ranking))
      if (mine.stamp !== stamp) {
        for (const block of mine.blocks) keptIds -= block.length
        mine.stamp = stamp
        mine.blocks = []
      }
      yield* mine.blocks
      let all = true
      for (const block of blocks.iterate(ranking, mine.blocks.length)) {
        const ids = idsOf(block)
        all &&= keptIds + ids.length <= mostKeptIds
        if (all) {
          mine.blocks.push(ids)
          keptIds += ids.length
        }
        yield ids
      }
    }
  }
}

type LookUp = (boxId: number) => RankingKey

function compare({ value }: Ranking, a: RankingKey, b: RankingKey): number {
  const difference = value(a) - value(b)
  if (difference !== 0) return difference
  return a.tagKey < b.tagKey ? -1 : a.tagKey > b.tagKey ? 1 : 0
}

/** Whether a key belongs into this block or a later one. */
const isFrom = (block: Block, { value }: Ranking, key: RankingKey): boolean =>
  value(key) > block.value || (value(key) === block.value && key.tagKey >= block.tagKey)

const bufferOf = (ids: Uint32Array): Buffer => Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength)

function merge(
  ranking: Ranking,
  ids: Uint32Array,
  added: readonly RankingKey[],
  lookUp: LookUp
): Uint32Array {
  const merged = new Uint32Array(ids.length + added.length)
  let taken = 0
  added.forEach((key, n) => {
    let [low, high] = [taken, ids.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(ranking, lookUp(ids[middle] as number), key) < 0) low = middle + 1
      else high = middle
    }
    merged.set(ids.subarray(taken, low), taken + n)
    merged[low + n] = key.boxId
    taken = low
  })
  merged.set(ids.subarray(taken), taken + added.length)
  return merged
}

/** Blocks that have grown too long are cut with room to grow. */
function cut(ids: Uint32Array, most: number): Uint32Array[] {
  if (ids.length <= most) return [ids]
  const pieces = Math.ceil(ids.length / (most * 0.7))
  return Array.from({ length: pieces }, (_, n) =>
    ids.slice(Math.floor((n * ids.length) / pieces), Math.floor(((n + 1) * ids.length) / pieces))
  )
}
