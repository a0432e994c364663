import type { Db } from './open.ts'

type Row = Readonly<Record<string, string | number | null>>

/** Rows of something deleted, as they were. Of a version or image, `box` tells only what it belonged to. */
export interface TrashItem {
  readonly kind: 'box' | 'version' | 'image'
  readonly box: Row
  readonly versions: readonly Row[]
  readonly images: readonly Row[]
  readonly downloads: readonly Row[]
}

/** A deletion that can still be undone. */
export interface TrashRow {
  readonly id: number
  readonly what: string
  readonly deletedAt: number
  /** Of the files nothing else uses. */
  readonly bytes: number
}

type Table = 'boxes' | 'versions' | 'images' | 'downloads_by_day'

/** Keeps the rows of what is deleted, and with them the bytes, until they are forgotten. */
export function trashTable(db: Db) {
  const rows = (table: Table, where: string) =>
    db.prepare<[number], Row>(`SELECT * FROM ${table} WHERE ${where}`)
  const box = rows('boxes', 'id = ?')
  const version = rows('versions', 'id = ?')
  const image = rows('images', 'id = ?')
  const versionsOf = rows('versions', 'box_id = ? ORDER BY id')
  const imagesOfBox = rows('images', 'version_id IN (SELECT id FROM versions WHERE box_id = ?) ORDER BY id')
  const imagesOfVersion = rows('images', 'version_id = ? ORDER BY id')
  const downloadsOf = rows('downloads_by_day', 'box_id = ?')

  const addEntry = db.prepare<[string, number]>('INSERT INTO trash (what, deleted_at) VALUES (?, ?)')
  const rename = db.prepare<[string, number]>('UPDATE trash SET what = ? WHERE id = ?')
  const addItem = db.prepare<[number, number, string]>(
    'INSERT INTO trash_items (trash_id, organization_id, content) VALUES (?, ?, ?)'
  )
  const addBlob = db.prepare<[string, number]>(
    'INSERT OR IGNORE INTO trash_blobs (sha256, trash_id) VALUES (?, ?)'
  )
  const bytesOf = `
    SELECT coalesce(sum(size), 0) FROM blobs
    WHERE sha256 IN (SELECT sha256 FROM trash_blobs WHERE trash_id = trash.id)
      AND NOT EXISTS (SELECT 1 FROM images WHERE blob = blobs.sha256)`
  const entries = db.prepare<[number], TrashRow>(
    `SELECT id, what, deleted_at AS deletedAt, (${bytesOf}) AS bytes FROM trash ORDER BY id DESC LIMIT ?`
  )
  const entry = db.prepare<[number], Pick<TrashRow, 'id' | 'what'>>('SELECT id, what FROM trash WHERE id = ?')
  const items = db
    .prepare<[number, number], string>(
      'SELECT content FROM trash_items WHERE trash_id = ? ORDER BY id LIMIT ?'
    )
    .pluck()
  const countItems = db
    .prepare<[number], number>('SELECT count(*) FROM trash_items WHERE trash_id = ?')
    .pluck()
  const forgetItems = db.prepare<[number, number]>(
    `DELETE FROM trash_items
     WHERE id IN (SELECT id FROM trash_items WHERE trash_id = ? ORDER BY id LIMIT ?)`
  )
  const forget = db.prepare<[number]>('DELETE FROM trash WHERE id = ?')
  const forgetUntil = db.prepare<[number]>('DELETE FROM trash WHERE deleted_at <= ?')
  const countUntil = db.prepare<[number], number>('SELECT count(*) FROM trash WHERE deleted_at <= ?').pluck()
  // Those of nobody else; of the others, its part alone.
  const forgetEntriesOf = db.prepare<{ id: number }>(
    `DELETE FROM trash WHERE id IN (SELECT trash_id FROM trash_items WHERE organization_id = :id)
       AND NOT EXISTS (SELECT 1 FROM trash_items WHERE trash_id = trash.id AND organization_id <> :id)`
  )
  const forgetItemsOf = db.prepare<{ id: number }>('DELETE FROM trash_items WHERE organization_id = :id')
  const total = db.prepare<[], { entries: number; bytes: number }>(
    `SELECT (SELECT count(*) FROM trash) AS entries, coalesce(sum(size), 0) AS bytes FROM blobs
     WHERE EXISTS (SELECT 1 FROM trash_blobs WHERE trash_blobs.sha256 = blobs.sha256)
       AND NOT EXISTS (SELECT 1 FROM images WHERE blob = blobs.sha256)`
  )

  function keep(trashId: number, item: TrashItem): void {
    addItem.run(trashId, Number(item.box['organization_id']), JSON.stringify(item))
    for (const { blob } of item.images) if (typeof blob === 'string') addBlob.run(blob, trashId)
  }
  const one = (row: Row | undefined): Row => {
    if (!row) throw new Error('what is to be kept in the trash is not there')
    return row
  }

  return {
    /** A new, empty entry. */
    add: (what: string, now: number) => Number(addEntry.run(what, now).lastInsertRowid),
    rename: (id: number, what: string) => void rename.run(what, id),
    /** To be called right before the rows go, in the same transaction; like the two below. */
    keepBox(trashId: number, boxId: number): void {
      keep(trashId, {
        kind: 'box',
        box: one(box.get(boxId)),
        versions: versionsOf.all(boxId),
        images: imagesOfBox.all(boxId),
        downloads: downloadsOf.all(boxId)
      })
    },
    keepVersion(trashId: number, versionId: number): void {
      const row = one(version.get(versionId))
      keep(trashId, {
        kind: 'version',
        box: one(box.get(Number(row['box_id']))),
        versions: [row],
        images: imagesOfVersion.all(versionId),
        downloads: []
      })
    },
    keepImage(trashId: number, imageId: number): void {
      const row = one(image.get(imageId))
      const of = one(version.get(Number(row['version_id'])))
      keep(trashId, {
        kind: 'image',
        box: one(box.get(Number(of['box_id']))),
        versions: [of],
        images: [row],
        downloads: []
      })
    },
    /** The latest first. */
    entries: (limit: number) => entries.all(limit),
    entry: (id: number) => entry.get(id) ?? null,
    /** The first so many. */
    items: (id: number, limit: number): TrashItem[] =>
      items.all(id, limit).map((content) => JSON.parse(content) as TrashItem),
    countItems: (id: number) => countItems.get(id) ?? 0,
    /** The first so many, of an entry that keeps the others. */
    forgetItems: (id: number, limit: number) => void forgetItems.run(id, limit),
    forget: (id: number) => void forget.run(id),
    /** Returns how many there were. */
    forgetUntil: (time: number) => forgetUntil.run(time).changes,
    /** What an organization that goes had cannot be put back, and another one that gets its id must not have it. */
    forgetAllOf(organizationId: number): void {
      forgetEntriesOf.run({ id: organizationId })
      forgetItemsOf.run({ id: organizationId })
    },
    countUntil: (time: number) => countUntil.get(time) ?? 0,
    total: () => total.get() ?? { entries: 0, bytes: 0 }
  }
}

export type TrashTable = ReturnType<typeof trashTable>

/** Puts rows back that were taken out of the catalogue, also by a program whose tables had fewer columns. */
export function rowRestorer(db: Db) {
  const columnsOf = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck()
  const byId = (table: Table) => db.prepare<[number], Row>(`SELECT * FROM ${table} WHERE id = ?`)
  const boxes = byId('boxes')
  const found = { boxes, versions: byId('versions'), images: byId('images') }

  function insert(table: Table, row: Row): number {
    const columns = columnsOf.all(table).filter((column) => Object.hasOwn(row, column))
    const values = columns.map((column) => row[column] ?? null)
    const marks = columns.map(() => '?').join(', ')
    return Number(
      db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`).run(...values)
        .lastInsertRowid
    )
  }

  return {
    /** Under its old id where that is free; returns the id. */
    insert(table: 'boxes' | 'versions' | 'images', row: Row): number {
      const { id, ...rest } = row
      return insert(table, found[table].get(Number(id)) ? rest : row)
    },
    insertDownloads: (row: Row) => void insert('downloads_by_day', row),
    /** The row a trashed thing belonged to, if it is still the same one and no later one with its id. */
    same(table: 'boxes' | 'versions', row: Row): Row | null {
      const now = found[table].get(Number(row['id']))
      return now && now['created_at'] === row['created_at'] ? now : null
    }
  }
}
