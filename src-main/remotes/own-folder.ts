import { realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { Problem } from '../domain/problem.ts'
import type { Db } from '../store/open.ts'
import type { Place } from './naming.ts'

/** What is kept in the data folder is swept, replaced and restored: boxes of a remote would be lost there. */
export function refuseOwnFolder(db: Pick<Db, 'memory' | 'name'>, { kind, location }: Place): void {
  if (kind !== 'folder' || db.memory) return
  const own = realPath(dirname(db.name))
  const there = realPath(location)
  if (there === own || there.startsWith(own.endsWith(sep) ? own : `${own}${sep}`))
    throw new Problem(
      'invalid',
      'This folder is in the one where this Boxyard keeps its own boxes.',
      'Choose another one, best on another disk.'
    )
}

/** Links may lead into it. What is not there leads nowhere. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}
