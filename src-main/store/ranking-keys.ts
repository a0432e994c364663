import type { Db } from './open.ts'

/** What the place of a listing depends on, in every order. */
export interface RankingKey {
  readonly boxId: number
  readonly tagKey: string
  readonly downloads: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly size: number
}

/** A value listings are ranked by, as its place among the four; by name they are ranked by their tags alone. */
export const byDownloads = 0
export const byCreation = 1
export const byUpdate = 2
export const bySize = 3
export const byName = 4
export type RankedBy =
  typeof byDownloads | typeof byCreation | typeof byUpdate | typeof bySize | typeof byName

export function valueOf(key: RankingKey, by: RankedBy): number {
  switch (by) {
    case byDownloads:
      return key.downloads
    case byCreation:
      return key.createdAt
    case byUpdate:
      return key.updatedAt
    case bySize:
      return key.size
    case byName:
      return 0
  }
}
const values = 4

/** Answers for the keys of listings that are ranked already. */
export interface RankingKeys {
  value(boxId: number, by: RankedBy): number
  tagKey(boxId: number): string
}

/** Looks each key up in the table of listings. */
export function storedKeys(db: Db): RankingKeys & { get(boxId: number): RankingKey } {
  const read = db.prepare<[number], RankingKey>(
    `SELECT box_id AS boxId, tag_key AS tagKey, downloads, created_at AS createdAt, updated_at AS updatedAt, size
     FROM listings WHERE box_id = ?`
  )
  const get = (boxId: number): RankingKey => {
    const key = read.get(boxId)
    if (!key) throw new Error(`box ${boxId} is ranked but not listed`)
    return key
  }
  return {
    get,
    value: (boxId, by) => valueOf(get(boxId), by),
    tagKey: (boxId) => get(boxId).tagKey
  }
}

/**
 * Keeps keys while many listings are added: each is asked for again and again, by the million.
 * Flat arrays, because as many objects would be several times slower to compare and to collect.
 */
export class KnownKeys implements RankingKeys {
  readonly #stored: { get(boxId: number): RankingKey }
  #values = new Float64Array(0)
  #tagKeys: (string | undefined)[] = []

  constructor(stored: { get(boxId: number): RankingKey }) {
    this.#stored = stored
  }

  add({ boxId, tagKey, downloads, createdAt, updatedAt, size }: RankingKey): void {
    const place = boxId * values
    if (place + values > this.#values.length) {
      const larger = new Float64Array((place + values) * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[place + byDownloads] = downloads
    this.#values[place + byCreation] = createdAt
    this.#values[place + byUpdate] = updatedAt
    this.#values[place + bySize] = size
    this.#tagKeys[boxId] = tagKey
  }

  clear(): void {
    this.#values = new Float64Array(0)
    this.#tagKeys = []
  }

  value(boxId: number, by: RankedBy): number {
    if (by === byName) return 0
    if (this.#tagKeys[boxId] === undefined) this.add(this.#stored.get(boxId))
    return this.#values[boxId * values + by] as number
  }

  tagKey(boxId: number): string {
    if (this.#tagKeys[boxId] === undefined) this.add(this.#stored.get(boxId))
    return this.#tagKeys[boxId] as string
  }
}
