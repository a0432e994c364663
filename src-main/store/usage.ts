import { numberKey } from '../domain/version-number.ts'
import { nameKey } from '../domain/names.ts'
import type { Db } from './open.ts'

/** A place in what uses the disk; null stands for all of them, and for everything below. */
export interface UsageNode {
  readonly organization: string | null
  readonly box: string | null
  readonly version: string | null
}

/** Something in a node, by its name there. */
export interface UsageShare {
  readonly name: string
  /** Of its files, without those that something older in the node has already. */
  readonly bytes: number
  /** Images with a file on this disk. */
  readonly count: number
}

/** A node with what is in it, the largest first. */
export interface NodeUsage {
  readonly name: string
  readonly bytes: number
  readonly shares: readonly UsageShare[]
}

/** What the files of images come to. Those found damaged are not on the disk any more. */
export interface FileTotals {
  readonly files: number
  readonly bytes: number
  /** If every image had a file of its own. */
  readonly bytesUnshared: number
  readonly damagedImages: number
  /** Deletions that can still be undone, and the files kept for them alone. */
  readonly trash: { readonly entries: number; readonly bytes: number }
}

/** How the images of a node are found, and what of it each belongs to. */
interface Level {
  /** Images with their versions and boxes, in an order in which rows that lie together are read together. */
  readonly rows: string
  readonly where: string
  /** The id of the part an image belongs to, and what that part is called. */
  readonly child: string
  readonly name: string
  readonly names: string
}

const allRows = `images NOT INDEXED CROSS JOIN versions ON versions.id = version_id CROSS JOIN boxes ON boxes.id = box_id`
const rowsBelow = `boxes CROSS JOIN versions ON box_id = boxes.id CROSS JOIN images ON version_id = versions.id`

const levels = {
  all: {
    rows: allRows,
    where: 'TRUE',
    child: 'organization_id',
    name: 'organizations.name',
    names: 'organizations'
  },
  organization: {
    rows: rowsBelow,
    where: 'organization_id = ?',
    child: 'box_id',
    name: 'boxes.name',
    names: 'boxes'
  },
  box: { rows: rowsBelow, where: 'boxes.id = ?', child: 'version_id', name: 'number', names: 'versions' },
  version: {
    rows: rowsBelow,
    where: 'versions.id = ?',
    child: 'images.id',
    name: "provider || '/' || architecture",
    names: 'images'
  }
} satisfies Record<string, Level>

interface Part {
  readonly child: number
  readonly name: string
  bytes: number
  readonly count: number
}

/**
 * How the bytes of a node are divided among what is in it. A file that several images share counts once, with the
 * oldest of them that is in the node: the parts add up to the whole, wherever one looks.
 */
function sharesBy(db: Db, { rows, where, child, name, names }: Level) {
  const kept = 'blob IS NOT NULL AND damaged_at IS NULL'
  const parts = db.prepare<number[], Part>(
    `SELECT child, ${name} AS name, bytes, count FROM (
       SELECT ${child} AS child, sum(size) AS bytes, count(*) AS count
       FROM ${rows} CROSS JOIN blobs ON sha256 = blob WHERE ${where} AND ${kept} GROUP BY 1
     ) JOIN ${names} ON ${names}.id = child`
  )
  // Few files are shared, and only those have to be looked at one by one.
  const doubles = db
    .prepare<number[], [blob: string, size: number, child: number]>(
      rows === allRows
        ? `SELECT blob, size, ${child}
           FROM (SELECT blob FROM images WHERE blob IS NOT NULL GROUP BY blob HAVING count(*) > 1)
             CROSS JOIN images USING (blob) CROSS JOIN versions ON versions.id = version_id
             CROSS JOIN boxes ON boxes.id = box_id CROSS JOIN blobs ON sha256 = blob
           WHERE ${kept} ORDER BY images.id`
        : `WITH found AS MATERIALIZED (
             SELECT blob, images.id AS image, ${child} AS child FROM ${rows} WHERE ${where} AND blob IS NOT NULL
           )
           SELECT blob, size, child FROM found JOIN blobs ON sha256 = blob
           WHERE ${kept} AND blob IN (SELECT blob FROM found GROUP BY blob HAVING count(*) > 1) ORDER BY image`
    )
    .raw()
  return (...ids: number[]): UsageShare[] => {
    const byChild = new Map(parts.all(...ids).map((part) => [part.child, part]))
    const seen = new Set<string>()
    for (const [blob, size, child] of doubles.iterate(...ids)) {
      const part = byChild.get(child)
      if (part && seen.has(blob)) part.bytes -= size
      seen.add(blob)
    }
    return [...byChild.values()]
      .map(({ name, bytes, count }) => ({ name, bytes, count }))
      .sort((a, b) => b.bytes - a.bytes || b.count - a.count || (a.name < b.name ? -1 : 1))
  }
}

/** Reads what uses the disk. It looks at every image of a node, so not in a thread that anybody waits for. */
export function usageReader(db: Db) {
  // Many rows are read, and grouped: neither is to go to the disk more often than needed.
  db.pragma('cache_size = -65536')
  db.pragma('temp_store = MEMORY')
  const inAll = sharesBy(db, levels.all)
  const inOrganization = sharesBy(db, levels.organization)
  const inBox = sharesBy(db, levels.box)
  const inVersion = sharesBy(db, levels.version)
  const organization = db.prepare<[string], Named>('SELECT id, name FROM organizations WHERE name_key = ?')
  const box = db.prepare<[number, string], Named>(
    'SELECT id, name FROM boxes WHERE organization_id = ? AND name_key = ?'
  )
  const version = db.prepare<[number, string], Named>(
    'SELECT id, number AS name FROM versions WHERE box_id = ? AND number_key = ?'
  )
  const totals = db.prepare<[], Omit<FileTotals, 'trash'>>(
    `SELECT count(*) FILTER (WHERE damaged_at IS NULL) AS files,
       coalesce(sum(size) FILTER (WHERE damaged_at IS NULL), 0) AS bytes,
       coalesce(sum(size * uses) FILTER (WHERE damaged_at IS NULL), 0) AS bytesUnshared,
       coalesce(sum(uses) FILTER (WHERE damaged_at IS NOT NULL), 0) AS damagedImages
     FROM (SELECT blob, count(*) AS uses FROM images WHERE blob IS NOT NULL GROUP BY blob)
       JOIN blobs ON sha256 = blob`
  )
  const trash = db.prepare<[], FileTotals['trash']>(
    `SELECT (SELECT count(*) FROM trash) AS entries, coalesce(sum(size), 0) AS bytes
     FROM (SELECT DISTINCT sha256 FROM trash_blobs) JOIN blobs USING (sha256)
     WHERE damaged_at IS NULL AND NOT EXISTS (SELECT 1 FROM images WHERE blob = sha256)`
  )
  const boxCounts = db.prepare<[], { organizationId: number; boxes: number }>(
    'SELECT organization_id AS organizationId, count(*) AS boxes FROM boxes GROUP BY organization_id'
  )

  const sum = (name: string, shares: readonly UsageShare[]): NodeUsage => ({
    name,
    bytes: shares.reduce((all, { bytes }) => all + bytes, 0),
    shares
  })

  return {
    /** Null when there is no such node. */
    usage(node: UsageNode): NodeUsage | null {
      if (node.organization === null) return sum('', inAll())
      const home = organization.get(nameKey(node.organization))
      if (!home) return null
      if (node.box === null) return sum(home.name, inOrganization(home.id))
      const found = box.get(home.id, nameKey(node.box))
      if (!found) return null
      if (node.version === null) return sum(found.name, inBox(found.id))
      const chosen = version.get(found.id, numberKey(node.version))
      return chosen ? sum(chosen.name, inVersion(chosen.id)) : null
    },
    totals: (): FileTotals => ({
      ...(totals.get() ?? { files: 0, bytes: 0, bytesUnshared: 0, damagedImages: 0 }),
      trash: trash.get() ?? { entries: 0, bytes: 0 }
    }),
    boxCounts: (): ReadonlyMap<number, number> =>
      new Map(boxCounts.all().map(({ organizationId, boxes }) => [organizationId, boxes]))
  }
}

interface Named {
  readonly id: number
  readonly name: string
}
