import type { Db } from './open.ts'

/**
 * A text that is another one whenever anything in the database has changed, through this connection or any other,
 * in this process or not. What was read under one revision stays true for as long as it is answered again.
 * Costs about a microsecond.
 */
export const revisionOf = (db: Db): (() => string) => revisionFrom(db, writesElsewhere(db))

/**
 * The same, looking at what other processes did once in a turn of the event loop: a look locks the database file, and
 * several are wanted for each request. Nobody can have been told of a change and ask about it within one turn.
 */
export function revisionPerTurn(db: Db): () => string {
  const look = writesElsewhere(db)
  let seen: number | undefined
  return revisionFrom(db, () => {
    if (seen === undefined) {
      seen = look()
      // Not unref'd: the loop would then wait for the next request first, and answer it with what is seen now.
      setImmediate(() => (seen = undefined))
    }
    return seen
  })
}

function revisionFrom(db: Db, elsewhere: () => number | undefined): () => string {
  const here = db.prepare<[], number>('SELECT total_changes()').pluck()
  let asked = 0
  return () => {
    // What is seen inside a transaction may yet be rolled back, so nothing kept under this revision is found again.
    if (db.inTransaction) return `transaction ${(asked += 1)}`
    return `${elsewhere()}.${here.get()}`
  }
}

/** Another number whenever anybody else has written: another connection, in this process or not. Asked without cost. */
export function writesElsewhere(db: Db): () => number | undefined {
  const version = db.prepare<[], number>('PRAGMA data_version').pluck()
  return () => version.get()
}

/** Reads once, and again only when the revision is another one. */
export function untilChanged<T>(revision: () => string, read: () => T): () => T {
  let kept: { readonly at: string; readonly value: T } | null = null
  return () => {
    const at = revision()
    if (kept?.at !== at) kept = { at, value: read() }
    return kept.value
  }
}
