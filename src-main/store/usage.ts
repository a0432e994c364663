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

/**
 * How the bytes of a node are divided among what is in it. A file that several images share counts once, with the
 * oldest of them that is in the node: the parts add up to the whole, wherever one looks.
 */
const sharesBy = (child: string, name: string, where: string): string => `
  SELECT ${name} AS name, bytes, count FROM (
    SELECT child, coalesce(sum(size) FILTER (WHERE turn = 1), 0) AS bytes, count(*) AS count FROM (
      SELECT ${child} AS child, size, row_number() OVER (PARTITION BY blob ORDER BY images.id) AS turn
      FROM images JOIN blobs ON sha256 = blob JOIN versions ON versions.id = version_id
        JOIN boxes ON boxes.id = box_id
      WHERE blob IS NOT NULL AND damaged_at IS NULL AND ${where}
    ) GROUP BY child
  )`
const ordered = 'ORDER BY bytes DESC, count DESC, name'

/** Reads what uses the disk. It looks at every image of a node, so not in a thread that anybody waits for. */
export function usageReader(db: Db) {
  const inAll = db.prepare<[], UsageShare>(
    `${sharesBy('organization_id', 'organizations.name', 'TRUE')} JOIN organizations ON organizations.id = child ${ordered}`
  )
  const inOrganization = db.prepare<[number], UsageShare>(
    `${sharesBy('box_id', 'boxes.name', 'organization_id = ?')} JOIN boxes ON boxes.id = child ${ordered}`
  )
  const inBox = db.prepare<[number], UsageShare>(
    `${sharesBy('version_id', 'number', 'box_id = ?')} JOIN versions ON versions.id = child ${ordered}`
  )
  const inVersion = db.prepare<[number], UsageShare>(
    `${sharesBy('images.id', "provider || '/' || architecture", 'version_id = ?')} JOIN images ON images.id = child ${ordered}`
  )
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
      if (node.organization === null) return sum('', inAll.all())
      const home = organization.get(nameKey(node.organization))
      if (!home) return null
      if (node.box === null) return sum(home.name, inOrganization.all(home.id))
      const found = box.get(home.id, nameKey(node.box))
      if (!found) return null
      if (node.version === null) return sum(found.name, inBox.all(found.id))
      const chosen = version.get(found.id, numberKey(node.version))
      return chosen ? sum(chosen.name, inVersion.all(chosen.id)) : null
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
