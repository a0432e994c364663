import type { Db } from '../store/open.ts'
import type { Changes } from './changes.ts'

/** Which boxes are mirrors of a remote's, and may not be changed here until they are forked. */
export class Mirrored {
  constructor(_parts: { db: Db; changes: Changes }) {}

  /** Null for an own box. */
  remoteOf(_organization: string, _box: string): number | null {
    throw new Error('not written yet')
  }

  /** Makes it an own one. */
  fork(_organization: string, _box: string): void {
    throw new Error('not written yet')
  }
}
