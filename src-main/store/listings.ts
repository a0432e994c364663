import { fold } from '../domain/search-words.ts'
import { termsOf, type ListingFacts } from '../domain/search-terms.ts'
import type { Db } from './open.ts'
import { postingTable, type TermChange } from './postings.ts'
import { KnownKeys, storedKeys, type RankingKey } from './ranking-keys.ts'
import { mostInBlock, rankingTable } from './rankings.ts'

interface ListingRow extends RankingKey {
  readonly organizationId: number
  readonly private: number
  readonly description: string
  readonly images: string
}

/** So many boxes at a time when there are many: each term's set is then rewritten once for all of them. */
const bulk = 16_384

/**
 * What search knows of the catalogue: a box is listed while it has an active version.
 * Whoever changes a box calls this in the same transaction; a box nothing changed in costs two look-ups.
 */
export function listingTable(db: Db, blockLength = mostInBlock) {
  const postings = postingTable(db)
  const rankings = rankingTable(db, blockLength)

  const columns = `box_id AS boxId, organization_id AS organizationId, private, tag_key AS tagKey,
    description, images, downloads, created_at AS createdAt, updated_at AS updatedAt`
  const listed = db.prepare<[number], ListingRow>(`SELECT ${columns} FROM listings WHERE box_id = ?`)
  const current = db.prepare<[string], Omit<ListingRow, 'images'> & { images: string | null }>(`
    SELECT boxes.id AS boxId, organization_id AS organizationId, private,
      organizations.name_key || '/' || boxes.name_key AS tagKey, short_description AS description,
      (SELECT group_concat(DISTINCT provider || '/' || architecture)
       FROM versions JOIN images ON images.version_id = versions.id
       WHERE versions.box_id = boxes.id AND status = 'active') AS images,
      downloads, boxes.created_at AS createdAt, boxes.updated_at AS updatedAt
    FROM boxes JOIN organizations ON organizations.id = organization_id
    WHERE boxes.id IN (SELECT value FROM json_each(?))
      AND EXISTS (SELECT 1 FROM versions WHERE box_id = boxes.id AND status = 'active')
    ORDER BY boxes.id
  `)
  const write = db.prepare<[ListingRow]>(`
    INSERT OR REPLACE INTO listings
      (box_id, organization_id, private, tag_key, description, images, downloads, created_at, updated_at)
    VALUES (@boxId, @organizationId, @private, @tagKey, @description, @images, @downloads, @createdAt, @updatedAt)
  `)
  const remove = db.prepare('DELETE FROM listings WHERE box_id = ?')
  const removeAll = db.prepare('DELETE FROM listings')
  const copyDownloads = db.prepare(
    'UPDATE listings SET downloads = (SELECT downloads FROM boxes WHERE id = box_id) WHERE box_id = ?'
  )
  const unlisted = db
    .prepare<[number, number], number>(
      `SELECT id FROM boxes WHERE id > ? AND NOT EXISTS (SELECT 1 FROM listings WHERE box_id = id)
       ORDER BY id LIMIT ?`
    )
    .pluck()

  const otherWrites = db.prepare<[], number>('PRAGMA data_version').pluck()

  /** What ought to be known of these boxes; many at once take a tenth of the time. */
  function read(boxIds: readonly number[]): ListingRow[] {
    return current.all(JSON.stringify(boxIds)).map((row) => ({
      ...row,
      description: fold(row.description),
      images: row.images?.split(',').sort().join() ?? ''
    }))
  }

  function changeTerms(boxId: number, before: ListingRow | null, after: ListingRow | null): void {
    if (before && after && sameTerms(before, after)) return
    const old = before ? termsOf(factsOf(before)) : new Set<string>()
    const now = after ? termsOf(factsOf(after)) : new Set<string>()
    const added = [...now].filter((term) => !old.has(term))
    const removed = [...old].filter((term) => !now.has(term))
    postings.apply([{ boxId, added, removed }])
  }

  /** What addNew() has looked up or been given, good until anybody else writes. */
  const known = { keys: new KnownKeys(storedKeys(db)), terms: new Map<string, number>() }
  let knownSince: number | undefined
  const forgetKnown = (): void => {
    known.keys.clear()
    known.terms.clear()
  }

  function change(boxId: number, before: ListingRow | null, after: ListingRow | null): void {
    forgetKnown()
    changeTerms(boxId, before, after)
    if (before && (!after || before.tagKey !== after.tagKey)) rankings.remove(before)
    if (!after) return void remove.run(boxId)
    if (before && sameRow(before, after)) return
    write.run(after)
    if (before && before.tagKey === after.tagKey) rankings.move(before, after)
    else rankings.add([after])
  }

  function addNew(boxIds: readonly number[]): void {
    const rows = read(boxIds)
    for (const row of rows) write.run(row)
    const since = otherWrites.get()
    if (since !== knownSince) forgetKnown()
    knownSince = since
    postings.apply(additions(rows), known.terms)
    for (const row of rows) known.keys.add(row)
    rankings.add(rows, known.keys)
  }

  return {
    /** Brings what search knows of a box in line with the box, whatever happened to it. */
    refresh(boxId: number): void {
      const before = listed.get(boxId) ?? null
      const after = read([boxId])[0] ?? null
      if (before || after) change(boxId, before, after)
    },

    /** To be called before a box is deleted. */
    forget(boxId: number): void {
      const before = listed.get(boxId)
      if (before) change(boxId, before, null)
    },

    /** To be called after the download was counted in the box itself. */
    countDownload(boxId: number): void {
      const before = listed.get(boxId)
      if (!before) return
      forgetKnown()
      copyDownloads.run(boxId)
      const after = listed.get(boxId)
      if (after) rankings.move(before, after)
    },

    /** The same as refresh() for many boxes that are new, much quicker; by ascending id. */
    addNew,

    /** Makes everything search knows again, from the catalogue alone. */
    rebuildAll(): void {
      rankings.clear()
      postings.clear()
      removeAll.run()
      forgetKnown()
      for (let ids = unlisted.all(0, bulk); ids.length > 0; ids = unlisted.all(ids.at(-1) ?? 0, bulk))
        addNew(ids)
      forgetKnown()
    }
  }
}

export type ListingTable = ReturnType<typeof listingTable>

/** One by one: all terms of many boxes at once would be a lot of memory. */
function* additions(rows: readonly ListingRow[]): Generator<TermChange> {
  for (const row of rows) yield { boxId: row.boxId, added: termsOf(factsOf(row)), removed: [] }
}

const factsOf = (row: ListingRow): ListingFacts => ({
  organizationId: row.organizationId,
  private: row.private === 1,
  tag: row.tagKey,
  description: row.description,
  images: row.images === '' ? [] : row.images.split(',').map((image) => image.split('/') as [string, string])
})

const sameTerms = (a: ListingRow, b: ListingRow): boolean =>
  a.organizationId === b.organizationId &&
  a.private === b.private &&
  a.tagKey === b.tagKey &&
  a.description === b.description &&
  a.images === b.images

const sameRow = (a: ListingRow, b: ListingRow): boolean =>
  sameTerms(a, b) && a.downloads === b.downloads && a.createdAt === b.createdAt && a.updatedAt === b.updatedAt
