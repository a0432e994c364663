import Database from 'better-sqlite3'

/** Whether a failure means that the database file itself is damaged; locks, permissions and full disks do not. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)

/** Whether something could not be written for want of room. Whatever it was has not happened. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT'].includes(String(error.code))
