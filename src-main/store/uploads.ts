import type { ChecksumType } from '../domain/model.ts'
import type { Db } from './open.ts'

/** A simple upload is published by its last byte, a direct one by its callback. */
export type UploadKind = 'simple' | 'direct'

/** Permission to bring the bytes of one image. */
export interface StoredUpload {
  readonly id: string
  readonly keyHash: string
  readonly imageId: number
  readonly kind: UploadKind
  readonly expiresAt: number
  readonly startedAt: number | null
  /** What a direct upload brought and its callback has yet to publish. */
  readonly blob: string | null
  readonly checksums: Readonly<Partial<Record<ChecksumType, string>>>
  readonly finishedAt: number | null
}

type Row = Omit<StoredUpload, 'checksums'> & { checksums: string }

export function uploadTable(db: Db) {
  const get = db.prepare<[string], Row>(
    `SELECT id, key_hash AS keyHash, image_id AS imageId, kind, expires_at AS expiresAt, started_at AS startedAt,
       blob, checksums, finished_at AS finishedAt
     FROM uploads WHERE id = ?`
  )
  const insert = db.prepare(
    `INSERT INTO uploads (id, key_hash, image_id, kind, created_at, expires_at)
     VALUES (@id, @keyHash, @imageId, @kind, @now, @expiresAt)`
  )
  const alive = db.prepare<[number, string]>('UPDATE uploads SET started_at = ? WHERE id = ?')
  const hold = db.prepare<[string, string, string]>('UPDATE uploads SET blob = ?, checksums = ? WHERE id = ?')
  const finish = db.prepare<[number, string]>('UPDATE uploads SET blob = NULL, finished_at = ? WHERE id = ?')
  const sweep = db.prepare<[number]>(
    'DELETE FROM uploads WHERE max(coalesce(started_at, 0), expires_at, coalesce(finished_at, 0)) < ?'
  )

  return {
    get(id: string): StoredUpload | null {
      const row = get.get(id)
      return row ? { ...row, checksums: JSON.parse(row.checksums) as StoredUpload['checksums'] } : null
    },
    insert: (upload: Pick<StoredUpload, 'id' | 'keyHash' | 'imageId' | 'kind' | 'expiresAt'>, now: number) =>
      void insert.run({ ...upload, now }),
    /** Notes that bytes are coming. */
    alive: (id: string, now: number) => void alive.run(now, id),
    /** Keeps what a direct upload brought until its callback. */
    hold: (id: string, blob: string, checksums: StoredUpload['checksums']) =>
      void hold.run(blob, JSON.stringify(checksums), id),
    finish: (id: string, now: number) => void finish.run(now, id),
    /** Forgets those nothing was heard of since then. */
    sweep: (before: number) => sweep.run(before).changes
  }
}

export type UploadTable = ReturnType<typeof uploadTable>
