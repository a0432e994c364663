import type { Db } from './open.ts'

/** How often boxes were downloaded, in all and by day. */
export function downloadTable(db: Db) {
  const count = db
    .prepare<[number], number>(
      'UPDATE boxes SET downloads = downloads + 1 WHERE id = ? RETURNING organization_id'
    )
    .pluck()
  const countDay = db.prepare<[number, string]>(
    `INSERT INTO downloads_by_day (box_id, day, count) VALUES (?, ?, 1)
     ON CONFLICT (box_id, day) DO UPDATE SET count = count + 1`
  )
  return {
    /** Returns the id of the box's organization; null when there is no such box any more. */
    count(boxId: number, now: number): number | null {
      const organizationId = count.get(boxId)
      if (organizationId === undefined) return null
      countDay.run(boxId, new Date(now).toISOString().slice(0, 10))
      return organizationId
    }
  }
}

export type DownloadTable = ReturnType<typeof downloadTable>
