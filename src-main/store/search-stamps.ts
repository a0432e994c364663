import type { Db } from './open.ts'

/** A part of what search reads that is kept in memory as a whole: a chunk of all terms' sets, or a ranking. */
export const chunkPart = (chunk: number): number => chunk
export const isChunk = (part: number): boolean => part >= 0
export const rankingPart = (ranking: number): number => -1 - ranking

/**
 * Each part's stamp is another one whenever anything in the part has changed, by whatever process.
 * Stamps are random: a count could come to the same number again after an older catalogue was put back.
 */
export function searchStamps(db: Db) {
  const renew = db.prepare<[number]>(
    'INSERT OR REPLACE INTO search_stamps (part, stamp) VALUES (?, random() >> 12)'
  )
  const renewAll = db.prepare('UPDATE search_stamps SET stamp = random() >> 12')
  const all = db.prepare<[], [number, number]>('SELECT part, stamp FROM search_stamps').raw()
  return {
    renew: (part: number): void => void renew.run(part),
    renewAll: (): void => void renewAll.run(),
    all: (): Stamps => new Map(all.all())
  }
}

/** By part. What was read under a stamp holds as long as the part has it. */
export type Stamps = ReadonlyMap<number, number>
