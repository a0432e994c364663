import type { Db } from './open.ts'
import {
  byCreation,
  byDownloads,
  byName,
  bySize,
  byUpdate,
  storedKeys,
  valueOf,
  type RankedBy,
  type RankingKey,
  type RankingKeys
} from './ranking-keys.ts'
import { rankingPart, searchStamps, type Stamps } from './search-stamps.ts'

export type RankingSort = 'downloads' | 'created' | 'updated' | 'name' | 'size'
export type RankingOrder = 'asc' | 'desc'

interface Ranking {
  /** By which the table knows it. */
  readonly number: number
  readonly sort: RankingSort
  readonly order: RankingOrder
  readonly by: RankedBy
  readonly sign: 1 | -1
}

/**
 * Every ranking ascends by (value, tag): the descending ones count backwards, so that ties ascend by tag in both.
 * By name there are no ties, so one way serves for both. Those by size hold only listings that have one: the others
 * are as many as there are, all tied, and so in the order of their names.
 */
const rankings: readonly Ranking[] = [
  { number: 0, sort: 'downloads', order: 'asc', by: byDownloads, sign: 1 },
  { number: 1, sort: 'downloads', order: 'desc', by: byDownloads, sign: -1 },
  { number: 2, sort: 'created', order: 'asc', by: byCreation, sign: 1 },
  { number: 3, sort: 'created', order: 'desc', by: byCreation, sign: -1 },
  { number: 4, sort: 'updated', order: 'asc', by: byUpdate, sign: 1 },
  { number: 5, sort: 'updated', order: 'desc', by: byUpdate, sign: -1 },
  { number: 6, sort: 'name', order: 'asc', by: byName, sign: 1 },
  { number: 7, sort: 'size', order: 'asc', by: bySize, sign: 1 },
  { number: 8, sort: 'size', order: 'desc', by: bySize, sign: -1 }
]

const valueIn = ({ by, sign }: Ranking, key: RankingKey): number => sign * valueOf(key, by)

const holds = ({ by }: Ranking, key: RankingKey): boolean => by !== bySize || key.size > 0

const rankingOf = (sort: RankingSort, order: RankingOrder): number =>
  rankings.findIndex((ranking) => ranking.sort === sort && ranking.order === order)

/** A block and its header fill a page of the database: it is read, and after a change written, in one piece. */
export const mostInBlock = 1900

/** Box ids as they lie in a block (little-endian, as every machine this runs on). */
const idsOf = (block: Buffer): Uint32Array =>
  block.byteOffset % 4 === 0
    ? new Uint32Array(block.buffer, block.byteOffset, block.length / 4)
    : new Uint32Array(new Uint8Array(block).buffer)

interface Start {
  readonly value: number
  readonly tagKey: string
}

interface Block extends Start {
  readonly id: number
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
  const firstBlock = db.prepare<[number], Block>(
    `SELECT ${columns} FROM search_rankings WHERE ranking = ? ORDER BY value, tag_key LIMIT 1`
  )
  const startAfter = db.prepare<[number, number, string], Start>(
    `SELECT value, tag_key AS tagKey FROM search_rankings WHERE ranking = ? AND (value, tag_key) > (?, ?)
     ORDER BY value, tag_key LIMIT 1`
  )
  const insertBlock = db.prepare(
    'INSERT INTO search_rankings (ranking, value, tag_key, boxes) VALUES (?, ?, ?, ?)'
  )
  const writeBlock = db.prepare('UPDATE search_rankings SET boxes = ? WHERE id = ?')
  const lowerBlock = db.prepare('UPDATE search_rankings SET value = ?, tag_key = ? WHERE id = ?')
  const removeBlock = db.prepare('DELETE FROM search_rankings WHERE id = ?')
  const removeAll = db.prepare('DELETE FROM search_rankings')
  const stored = storedKeys(db)

  function write(block: Block, ids: Uint32Array): void {
    if (ids.length === 0) removeBlock.run(block.id)
    else writeBlock.run(bufferOf(ids), block.id)
  }

  function find(ranking: Ranking, key: RankingKey): { block: Block; index: number } {
    const block = blockAtOrBefore.get(ranking.number, valueIn(ranking, key), key.tagKey)
    const index = block ? idsOf(block.boxes).indexOf(key.boxId) : -1
    if (!block || index < 0)
      throw new Error(`box ${key.boxId} is listed but not in ranking ${ranking.number}`)
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
    return compare(ranking, stored.get(previous), after) < 0 && compare(ranking, after, stored.get(next)) < 0
  }

  /** Adds listings, given in the order of this ranking, block by block. */
  function addSorted(ranking: Ranking, added: readonly RankingKey[], keys: RankingKeys): void {
    const { number, by, sign } = ranking
    for (let i = 0; i < added.length;) {
      const first = added[i] as RankingKey
      const block =
        blockAtOrBefore.get(number, valueIn(ranking, first), first.tagKey) ?? loweredFirst(ranking, first)
      const next = block && startAfter.get(number, block.value, block.tagKey)
      let end = i + 1
      while (end < added.length && !(next && isFrom(next, ranking, added[end] as RankingKey))) end++
      const ids = block ? idsOf(block.boxes) : new Uint32Array()
      const parts = cut(merge(ranking, ids, added.slice(i, end), keys), blockLength)
      parts.forEach((part, n) => {
        if (n === 0 && block) return write(block, part)
        const start = part[0] as number
        insertBlock.run(number, sign * keys.value(start, by), keys.tagKey(start), bufferOf(part))
      })
      i = end
    }
  }

  /** The first block, for a key that belongs before all of it. */
  function loweredFirst(ranking: Ranking, key: RankingKey): Block | undefined {
    const block = firstBlock.get(ranking.number)
    if (block) lowerBlock.run(valueIn(ranking, key), key.tagKey, block.id)
    return block
  }

  return {
    /** For listings that are in their table already. Whoever adds many keeps the keys of all of them at hand. */
    add(added: readonly RankingKey[], keys: RankingKeys = stored): void {
      for (const ranking of rankings) {
        const held = added.filter((key) => holds(ranking, key))
        if (held.length === 0) continue
        stamps.renew(rankingPart(ranking.number))
        addSorted(
          ranking,
          held.sort((a, b) => compare(ranking, a, b)),
          keys
        )
      }
    },

    remove(key: RankingKey): void {
      for (const ranking of rankings) {
        if (!holds(ranking, key)) continue
        stamps.renew(rankingPart(ranking.number))
        remove(ranking, key)
      }
    },

    /** Moves a listing to where it belongs now; its row holds the new key already. */
    move(before: RankingKey, after: RankingKey): void {
      for (const ranking of rankings) {
        const [was, is] = [holds(ranking, before), holds(ranking, after)]
        if (!was && !is) continue
        const both = was && is
        if (both && (compare(ranking, before, after) === 0 || staysInPlace(ranking, before, after))) continue
        stamps.renew(rankingPart(ranking.number))
        if (was) remove(ranking, before)
        if (is) addSorted(ranking, [after], stored)
      }
    },

    clear(): void {
      removeAll.run()
      stamps.renewAll()
    }
  }
}

/** How many ids a reader keeps: enough for all rankings of a million listings (by size few have a place), in 32 MiB. */
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
    /** Another one whenever any place in this order may be. */
    stamp: (stamps: Stamps, sort: RankingSort, order: RankingOrder): number | undefined =>
      stamps.get(rankingPart(rankingOf(sort, order))),

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

export type RankingReader = ReturnType<typeof rankingReader>

function compare(ranking: Ranking, a: RankingKey, b: RankingKey): number {
  const difference = valueIn(ranking, a) - valueIn(ranking, b)
  if (difference !== 0) return difference
  return a.tagKey < b.tagKey ? -1 : a.tagKey > b.tagKey ? 1 : 0
}

/** Whether a key belongs into the block that starts here or into a later one. */
function isFrom(start: Start, ranking: Ranking, key: RankingKey): boolean {
  const value = valueIn(ranking, key)
  return value > start.value || (value === start.value && key.tagKey >= start.tagKey)
}

const bufferOf = (ids: Uint32Array): Buffer => Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength)

function merge(
  ranking: Ranking,
  ids: Uint32Array,
  added: readonly RankingKey[],
  keys: RankingKeys
): Uint32Array {
  const { by, sign } = ranking
  const merged = new Uint32Array(ids.length + added.length)
  let taken = 0
  added.forEach((key, n) => {
    const value = valueIn(ranking, key)
    let [low, high] = [taken, ids.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const boxId = ids[middle] as number
      const there = sign * keys.value(boxId, by)
      if (there < value || (there === value && keys.tagKey(boxId) < key.tagKey)) low = middle + 1
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
