import { fold } from '../domain/search-words.ts'
import { termsOf, type ImageKind, type ListingFacts } from '../domain/search-terms.ts'
import type { Db } from './open.ts'
import { postingTable, type TermChange } from './postings.ts'
import { KnownKeys, storedKeys, type RankingKey } from './ranking-keys.ts'
import { mostInBlock, rankingTable } from './rankings.ts'
import { isOffered } from './versions.ts'

/** How the table says whose a box is. */
export const origins = { own: 0, mirrored: 1, mirroredWithRemoteImages: 2 } as const

/** How the table says where the bytes of a box's images are. */
export const bytesHere = { noImages: 0, none: 1, some: 2, all: 3 } as const

interface ListingRow extends RankingKey {
  readonly organizationId: number
  readonly private: number
  readonly released: number
  readonly unreleased: number
  readonly bytes: number
  readonly origin: number
  readonly versions: number
  readonly currentVersion: string | null
  readonly description: string
  readonly images: string
  readonly otherImages: string
}

const columns: Readonly<Record<keyof ListingRow, string>> = {
  boxId: 'box_id',
  organizationId: 'organization_id',
  private: 'private',
  released: 'released',
  unreleased: 'unreleased',
  bytes: 'bytes',
  origin: 'origin',
  downloads: 'downloads',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  size: 'size',
  versions: 'versions',
  currentVersion: 'current_version',
  tagKey: 'tag_key',
  images: 'images',
  otherImages: 'other_images',
  description: 'description'
}
const fields = Object.keys(columns) as (keyof ListingRow)[]

/** A box as it is in the catalogue, with the first letter of each version's status ('k' for one only known here), and each kind of image with two flags. */
type CatalogueRow = Pick<
  ListingRow,
  | 'boxId'
  | 'organizationId'
  | 'private'
  | 'origin'
  | 'tagKey'
  | 'description'
  | 'currentVersion'
  | 'downloads'
  | 'createdAt'
  | 'updatedAt'
> & { readonly statuses: string | null; readonly kinds: string | null }

/** So many boxes at a time when there are many: each term's set is then rewritten once for all of them. */
const bulk = 16_384
/** So many are read with one statement. */
const readAtOnce = 2048

/**
 * What search and the library know of the catalogue: every box is listed.
 * Whoever changes a box calls this in the same transaction; a box nothing changed in costs two look-ups.
 */
export function listingTable(db: Db, blockLength = mostInBlock) {
  const postings = postingTable(db)
  const rankings = rankingTable(db, blockLength)

  const listed = db.prepare<[number], ListingRow>(
    `SELECT ${fields.map((field) => `${columns[field]} AS ${field}`).join(', ')} FROM listings WHERE box_id = ?`
  )
  const current = db.prepare<[string], CatalogueRow>(`
    SELECT boxes.id AS boxId, organization_id AS organizationId, private,
      organizations.name_key || '/' || boxes.name_key AS tagKey, short_description AS description,
      CASE
        WHEN NOT EXISTS (SELECT 1 FROM mirrored_boxes WHERE mirrored_boxes.box_id = boxes.id) THEN ${origins.own}
        WHEN EXISTS (SELECT 1 FROM versions JOIN images ON version_id = versions.id
          JOIN known_images ON image_id = images.id WHERE versions.box_id = boxes.id)
          THEN ${origins.mirroredWithRemoteImages}
        ELSE ${origins.mirrored}
      END AS origin,
      (SELECT group_concat(CASE WHEN status = 'active' AND NOT ${isOffered} THEN 'k' ELSE substr(status, 1, 1) END, '')
       FROM versions WHERE box_id = boxes.id) AS statuses,
      (SELECT group_concat(DISTINCT provider || '/' || architecture || '/' || 
         (status = 'active' AND NOT EXISTS (SELECT 1 FROM known_images WHERE image_id = images.id)) ||
         (blob IS NOT NULL AND EXISTS (SELECT 1 FROM blobs WHERE sha256 = blob AND damaged_at IS NULL)))
       FROM versions JOIN images ON images.version_id = versions.id WHERE versions.box_id = boxes.id) AS kinds,
      (SELECT number FROM versions WHERE id = current_version_id) AS currentVersion,
      downloads, boxes.created_at AS createdAt, boxes.updated_at AS updatedAt
    FROM boxes JOIN organizations ON organizations.id = organization_id
    WHERE boxes.id IN (SELECT value FROM json_each(?))
    ORDER BY boxes.id
  `)
  const sizeOf = db
    .prepare<[number], number>(
      `SELECT coalesce(sum(size), 0) FROM blobs WHERE damaged_at IS NULL AND sha256 IN
         (SELECT blob FROM versions JOIN images ON images.version_id = versions.id WHERE box_id = ?)`
    )
    .pluck()
  const usersOf = db
    .prepare<[string], number>(
      `SELECT DISTINCT box_id FROM images JOIN versions ON versions.id = version_id WHERE blob = ?`
    )
    .pluck()
  const insert = db.prepare(
    `INSERT OR REPLACE INTO listings (${fields.map((field) => columns[field]).join(', ')})
     VALUES (${fields.map(() => '?').join(', ')})`
  )
  // By place: binding so many by name would take twice as long.
  const write = (row: ListingRow): void => void insert.run(fields.map((field) => row[field]))
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
    const rows: ListingRow[] = []
    for (let start = 0; start < boxIds.length; start += readAtOnce)
      for (const row of current.all(JSON.stringify(boxIds.slice(start, start + readAtOnce))))
        rows.push(listingOf(row, (boxId) => sizeOf.get(boxId) ?? 0))
    return rows
  }

  function changeTerms(before: ListingRow | null, after: ListingRow): void {
    if (before && sameTerms(before, after)) return
    const { boxId } = after
    const old = before ? termsOf(factsOf(before)) : new Set<string>()
    const now = termsOf(factsOf(after))
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

  function change(before: ListingRow | null, after: ListingRow): void {
    forgetKnown()
    changeTerms(before, after)
    if (before && before.tagKey !== after.tagKey) rankings.remove(before)
    if (before && sameRow(before, after)) return
    write(after)
    if (before && before.tagKey === after.tagKey) rankings.move(before, after)
    else rankings.add([after])
  }

  function addNew(boxIds: readonly number[]): void {
    const rows = read(boxIds)
    for (const row of rows) write(row)
    const since = otherWrites.get()
    if (since !== knownSince) forgetKnown()
    knownSince = since
    postings.apply(additions(rows), known.terms)
    for (const row of rows) known.keys.add(row)
    rankings.add(rows, known.keys)
  }

  function refresh(boxId: number): void {
    const after = read([boxId])[0]
    if (after) change(listed.get(boxId) ?? null, after)
    else forget([boxId])
  }

  function forget(boxIds: readonly number[]): void {
    const rows = boxIds.map((boxId) => listed.get(boxId)).filter((row) => row !== undefined)
    if (rows.length === 0) return
    forgetKnown()
    postings.apply(removals(rows))
    for (const row of rows) {
      rankings.remove(row)
      remove.run(row.boxId)
    }
  }

  /** Lists some of the boxes after an id that are not listed; returns the last one's id, or null when there are none. */
  function addUnlisted(after: number): number | null {
    const ids = unlisted.all(after, bulk)
    if (ids.length > 0) addNew(ids)
    return ids.at(-1) ?? null
  }

  return {
    /** Brings what search knows of a box in line with the box, whatever happened to it. */
    refresh,

    /** The same for every box with an image of these bytes, which have come, gone, or been found damaged. */
    refreshUsersOf(sha256: string): void {
      for (const boxId of usersOf.all(sha256)) refresh(boxId)
    },

    /** To be called before boxes are deleted; of several at once, each term's set is rewritten once. */
    forget: (...boxIds: readonly number[]) => forget(boxIds),

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
    addUnlisted,

    /** Makes everything search knows again, from the catalogue alone. */
    rebuildAll(): void {
      rankings.clear()
      postings.clear()
      removeAll.run()
      forgetKnown()
      for (let after: number | null = 0; after !== null;) after = addUnlisted(after)
      forgetKnown()
    }
  }
}

export type ListingTable = ReturnType<typeof listingTable>

/** One by one: all terms of many boxes at once would be a lot of memory. */
function* additions(rows: readonly ListingRow[]): Generator<TermChange> {
  for (const row of rows) yield { boxId: row.boxId, added: termsOf(factsOf(row)), removed: [] }
}

function* removals(rows: readonly ListingRow[]): Generator<TermChange> {
  for (const row of rows) yield { boxId: row.boxId, added: [], removed: termsOf(factsOf(row)) }
}

/** Kinds are told apart by their flags too, so that one may come several times. */
function listingOf(row: CatalogueRow, sizeOf: (boxId: number) => number): ListingRow {
  const { statuses, kinds, description, ...same } = row
  const active = new Set<string>()
  const all = new Set<string>()
  let [here, away] = [false, false]
  for (const kind of kinds?.split(',') ?? []) {
    const name = kind.slice(0, -flagsLength)
    all.add(name)
    if (kind.at(-2) === '1') active.add(name)
    if (kind.at(-1) === '1') here = true
    else away = true
  }
  return {
    ...same,
    description: fold(description),
    versions: statuses?.length ?? 0,
    released: Number(statuses?.includes('a') ?? false),
    unreleased: Number(statuses?.includes('u') ?? false),
    images: [...active].sort().join(),
    otherImages: [...all]
      .filter((name) => !active.has(name))
      .sort()
      .join(),
    bytes: here ? (away ? bytesHere.some : bytesHere.all) : away ? bytesHere.none : bytesHere.noImages,
    size: here ? sizeOf(row.boxId) : 0
  }
}
const flagsLength = '/11'.length

const factsOf = (row: ListingRow): ListingFacts => ({
  organizationId: row.organizationId,
  private: row.private === 1,
  released: row.released === 1,
  unreleased: row.unreleased === 1,
  bytes: row.bytes >= bytesHere.some ? 'here' : row.bytes === bytesHere.none ? 'elsewhere' : 'nowhere',
  mirrored: row.origin !== origins.own,
  hasRemoteImages: row.origin === origins.mirroredWithRemoteImages,
  tag: row.tagKey,
  description: row.description,
  images: imageKinds(row.images),
  otherImages: imageKinds(row.otherImages)
})

/** Reads a column of images. */
export const imageKinds = (column: string): ImageKind[] =>
  column === '' ? [] : column.split(',').map((image) => image.split('/') as [string, string])

/** What terms do not follow from. */
const withoutTerms: ReadonlySet<keyof ListingRow> = new Set<keyof ListingRow>([
  'downloads',
  'createdAt',
  'updatedAt',
  'size',
  'versions',
  'currentVersion'
])

const sameTerms = (a: ListingRow, b: ListingRow): boolean =>
  fields.every((field) => withoutTerms.has(field) || a[field] === b[field])

const sameRow = (a: ListingRow, b: ListingRow): boolean => fields.every((field) => a[field] === b[field])
