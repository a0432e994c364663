import type { Db } from './open.ts'

/** How often boxes were downloaded, in all and by day. */
export function downloadTable(db: Db) {
  const count = db.prepare<[number]>('UPDATE boxes SET downloads = downloads + 1 WHERE id = ?')
  const countDay = db.prepare<[number, string]>(
    `INSERT INTO downloads_by_day (box_id, day, count) VALUES (?, ?, 1)
     ON CONFLICT (box_id, day) DO UPDATE SET count = count + 1`
  )
  return {
    /** Says whether there still is such a box. */
    count(boxId: number, now: number): boolean {
      if (count.run(boxId).changes === 0) return false
      countDay.run(boxId, new Date(now).toISOString().slice(0, 10))
      return true
    }
  }
}
