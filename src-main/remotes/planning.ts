import type { SyncPlanView, SyncRequest } from '../contract/remotes.ts'
import type { SyncPlan } from '../domain/sync/plan-types.ts'
import type { BoxSnapshot } from '../domain/sync/snapshot.ts'
import type { Db } from '../store/open.ts'
import type { End, Tag } from './end.ts'
import type { LocalEnd } from './ends/local/local-end.ts'
import type { OpenRemote, Remotes } from './remotes.ts'
import { unwritten } from './unwritten.ts'

/** A request with both sides as they are now, and what follows from them. */
export interface Prepared {
  readonly plan: SyncPlan
  readonly source: End
  readonly target: End
  readonly sourceTag: Tag
  readonly targetTag: Tag
  /** As both were when the plan was made. */
  readonly sides: { readonly source: BoxSnapshot | null; readonly target: BoxSnapshot | null }
  /** Notes what both agree on now: reads both again, and keeps what is the same on both as the base of later plans. */
  agree(signal: AbortSignal): Promise<void>
}

/** Makes plans between here and remotes: reads both sides and the base, computes checksums that have to be compared. */
export class Planning {
  constructor(_parts: { db: Db; remotes: Remotes; local: LocalEnd; now?: () => number }) {}

  /** For the person; of a remote that does not answer, by what was seen last. */
  view(_request: SyncRequest, _signal: AbortSignal): Promise<SyncPlanView> {
    return unwritten()
  }

  /** For a run on a remote that is open. `byMirror` makes what is pulled a mirror of it. */
  prepare(
    _request: SyncRequest,
    _remote: OpenRemote,
    _options: { readonly byMirror: boolean; readonly signal: AbortSignal }
  ): Promise<Prepared> {
    return unwritten()
  }
}
