import type { Mirror, MirrorPreview, MirrorRule } from '../../contract/remotes.ts'
import type { Events } from '../../catalog/events.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../store/open.ts'
import type { LocalEnd } from '../ends/local/local-end.ts'
import type { Remotes } from '../remotes.ts'
import type { RemoteTransfers } from '../transfers/transfers.ts'
import { unwritten } from '../unwritten.ts'

/** Rules that keep boxes of a remote here too: what they say, what they would do, and running them. */
export class Mirrors {
  constructor(_parts: {
    db: Db
    remotes: Remotes
    local: LocalEnd
    transfers: RemoteTransfers
    events: Events
    log: Log
    now?: () => number
  }) {}

  start(): void {}

  list(): Mirror[] {
    return []
  }

  save(_rule: MirrorRule, _id?: number): Mirror {
    return unwritten()
  }

  remove(_id: number): void {
    return unwritten()
  }

  preview(_rule: MirrorRule, _signal?: AbortSignal): Promise<MirrorPreview> {
    return unwritten()
  }

  /** Looks at the remote and queues what the rule asks for; resolves once that is queued. */
  run(_id: number, _signal?: AbortSignal): Promise<Mirror> {
    return unwritten()
  }

  async close(): Promise<void> {}
}
