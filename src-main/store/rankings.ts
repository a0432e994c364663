import type { Db } from './open.ts'

/** What the place of a listing depends on, in every order. */
export interface RankingKey {
  readonly boxId: number
  readonly tagKey: string
  readonly downloads: number
  readonly createdAt: number
  readonly updatedAt: number
}

const sorts = { downloads: 'downloads', created: 'createdAt', updated: 'updatedAt' } as const
export type RankingSort = keyof typeof sorts
export type RankingOrder = 'asc' | 'desc'

/** Every ranking ascends by (value, tag): the descending ones count backwards, so that ties ascend by tag in both. */
const rankings = (Object.keys(sorts) as RankingSort[]).flatMap((sort) => [
  { sort, order: 'asc' as const, value: (key: RankingKey): number => key[sorts[sort]] },
  { sort, order: 'desc' as const, value: (key: RankingKey): number => -key[sorts[sort]] }
])

/** The number by which the table knows a ranking. */
export const rankingOf = (sort: RankingSort, order: RankingOrder): number =>
  rankings.findIndex((ranking) => ranking.sort === sort && ranking.order === order)

/** A block and its header fill a page of the database: it is read, and after a change written, in one piece. */
export const mostInBlock = 1900

/** Box ids as they lie in a block (little-endian, as every machine this runs on). */
export const idsOf = (block: Buffer): Uint32Array =>
  block.byteOffset % 4 === 0
    ? new Uint32Array(block.buffer, block.byteOffset, block.length / 4)
    : new Uint32Array(new Uint8Array(block).buffer)

interface Place {
  readonly value: number
  readonly tagKey: string
}

interface Block extends Place {
  readonly id: number
  readonly boxes: Buffer
}

/**
 * The listings in each order people may ask for, as blocks of ids: reading a million of them takes a few
 * milliseconds, where an index of the database would take some hundreds, and changing one rewrites a page or two.
 * Where an id belongs within its block is found by looking up the keys of others there.
 */
export function rankingTable(db: Db, blockLength = mostInBlock) {
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
    else writeBlock.run(Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength), block.id)
  }

  function remove(ranking: number, key: RankingKey): void {
    const { block, index } = find(ranking, key)
    write(
      block,
      idsOf(block.boxes).filter((_, i) => i !== index)
    )
  }

  function find(ranking: number, key: RankingKey): { block: Block; index: number } {
    const block = blockAtOrBefore.get(ranking, placeIn(ranking, key).value, key.tagKey)
    const index = block ? idsOf(block.boxes).indexOf(key.boxId) : -1
    if (!block || index < 0) throw new Error(`box ${key.boxId} is listed but not in ranking ${ranking}`)
    return { block, index }
  }

  /** Whether a changed listing still stands between its neighbours; at the rim of a block nobody looks further. */
  function staysInPlace(ranking: number, before: RankingKey, after: RankingKey): boolean {
    const { block, index } = find(ranking, before)
    const ids = idsOf(block.boxes)
    const [previous, next] = [ids[index - 1], ids[index + 1]]
    if (previous === undefined || next === undefined) return false
    const place = placeIn(ranking, after)
    return (
      comparePlaces(placeIn(ranking, keyOf(previous)), place) < 0 &&
      comparePlaces(place, placeIn(ranking, keyOf(next))) < 0
    )
  }

  /** Adds listings, given in the order of this ranking, block by block. */
  function addSorted(
    ranking: number,
    added: readonly RankingKey[],
    lookUp: (boxId: number) => RankingKey
  ): void {
    for (let i = 0; i < added.length;) {
      const first = placeIn(ranking, added[i] as RankingKey)
      let block = blockAtOrBefore.get(ranking, first.value, first.tagKey)
      if (!block) {
        block = blockAfter.get(ranking, first.value, first.tagKey)
        if (block) lowerBlock.run(first.value, first.tagKey, block.id)
      }
      const next = block && blockAfter.get(ranking, block.value, block.tagKey)
      let end = i + 1
      while (
        end < added.length &&
        (!next || comparePlaces(placeIn(ranking, added[end] as RankingKey), next) < 0)
      )
        end++
      const place = (boxId: number): Place => placeIn(ranking, lookUp(boxId))
      const merged = merge(
        block ? idsOf(block.boxes) : new Uint32Array(),
        ranking,
        added.slice(i, end),
        place
      )
      const parts = cut(merged, blockLength)
      parts.forEach((ids, n) => {
        if (n === 0 && block) return write(block, ids)
        const start = n === 0 ? first : place(ids[0] as number)
        insertBlock.run(
          ranking,
          start.value,
          start.tagKey,
          Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength)
        )
      })
      i = end
    }
  }

  return {
    /** For listings that are in their table already. `known` answers for what is not read from there. */
    add(
      added: readonly RankingKey[],
      known: (boxId: number) => RankingKey | undefined = () => undefined
    ): void {
      const own = new Map(added.map((key) => [key.boxId, key]))
      const lookUp = (boxId: number): RankingKey => own.get(boxId) ?? known(boxId) ?? keyOf(boxId)
      rankings.forEach((_, ranking) => {
        const sorted = added.toSorted((a, b) => comparePlaces(placeIn(ranking, a), placeIn(ranking, b)))
        addSorted(ranking, sorted, lookUp)
      })
    },

    remove(key: RankingKey): void {
      rankings.forEach((_, ranking) => remove(ranking, key))
    },

    /** Moves a listing to where it belongs now; its row holds the new key already. */
    move(before: RankingKey, after: RankingKey): void {
      rankings.forEach((_, ranking) => {
        if (comparePlaces(placeIn(ranking, before), placeIn(ranking, after)) === 0) return
        if (staysInPlace(ranking, before, after)) return
        remove(ranking, before)
        addSorted(ranking, [after], keyOf)
      })
    },

    clear(): void {
      removeAll.run()
    }
  }
}

function placeIn(ranking: number, key: RankingKey): Place {
  return { value: rankings[ranking]?.value(key) ?? 0, tagKey: key.tagKey }
}

function comparePlaces(a: Place, b: Place): number {
  if (a.value !== b.value) return a.value - b.value
  return a.tagKey < b.tagKey ? -1 : a.tagKey > b.tagKey ? 1 : 0
}

function merge(
  ids: Uint32Array,
  ranking: number,
  added: readonly RankingKey[],
  place: (boxId: number) => Place
): Uint32Array {
  const merged = new Uint32Array(ids.length + added.length)
  let taken = 0
  added.forEach((key, n) => {
    const here = placeIn(ranking, key)
    let [low, high] = [taken, ids.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (comparePlaces(place(ids[middle] as number), here) < 0) low = middle + 1
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
