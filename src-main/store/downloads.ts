import type { Db } from './open.ts'

/** 2026-01-31, UTC */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

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
  const ofDays = db.prepare<[number, string], { day: string; count: number }>(
    'SELECT day, count FROM downloads_by_day WHERE box_id = ? AND day >= ? ORDER BY day'
  )
  return {
    /** From a day on, those that had any. */
    ofDays: (boxId: number, from: string) => ofDays.all(boxId, from),
    /** Returns the id of the box's organization; null when there is no such box any more. */
    count(boxId: number, now: number): number | null {
      const organizationId = count.get(boxId)
      if (organizationId === undefined) return null
      countDay.run(boxId, dayOf(now))
      return organizationId
    }
  }
}

export type DownloadTable = ReturnType<typeof downloadTable>
