import type { Elsewhere, RemoteBoxPage, RemoteBoxQuery } from '../../contract/remotes.ts'
import type { Events } from '../../catalog/events.ts'
import type { Log } from '../../log.ts'
import type { Db } from '../../store/open.ts'
import type { LocalEnd } from '../ends/local/local-end.ts'
import type { Remotes } from '../remotes.ts'
import { unwritten } from '../unwritten.ts'

/** Looks what is out of step with each remote, cheaply, on a schedule and when the network returns. */
export class Watching {
  constructor(_parts: {
    db: Db
    remotes: Remotes
    local: LocalEnd
    events: Events
    log: Log
    now?: () => number
  }) {}

  start(): void {}

  /** Looks at a remote now. */
  check(_remoteId: number, _signal?: AbortSignal): Promise<void> {
    return unwritten()
  }

  boxes(_query: RemoteBoxQuery): RemoteBoxPage {
    return { total: 0, rows: [] }
  }

  elsewhere(_organization: string, _box: string): Elsewhere {
    return { mirrorOf: null, remotes: [] }
  }

  async close(): Promise<void> {}
}
