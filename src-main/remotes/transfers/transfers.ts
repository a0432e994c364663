import type { ConflictChoice, SyncRequest } from '../../contract/remotes.ts'
import type { ImageRef } from '../../contract/words.ts'
import type { RemoteTransfer } from '../../contract/transfers.ts'
import type { Events } from '../../catalog/events.ts'
import type { Log } from '../../log.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Db } from '../../store/open.ts'
import type { Planning } from '../planning.ts'
import type { Remotes } from '../remotes.ts'
import { unwritten } from '../unwritten.ts'

/** What runs and waits, in sums. */
export interface TransfersActivity {
  readonly count: number
  readonly done: number
  readonly total: number
  readonly bytesPerSecond: number | null
  /** That need the person. */
  readonly waiting: number
}

/** Boxes on their way between here and remotes: rows that survive anything, and the queue that carries them out. */
export class RemoteTransfers {
  constructor(_parts: {
    db: Db
    remotes: Remotes
    planning: Planning
    events: Events
    log: Log
    settings: () => Pick<Settings, 'parallelTransfers' | 'uploadLimit' | 'downloadLimit'>
    maintenance: () => boolean
    now?: () => number
  }) {}

  /** Goes on where the last run ended. For the one process that carries out the folder's transfers. */
  async start(): Promise<void> {}

  /** The newest first. */
  list(): RemoteTransfer[] {
    return []
  }

  find(_id: string): RemoteTransfer | null {
    return null
  }

  /**
   * Adds rows, also without a network. One of the same remote, box and direction that waits already is widened instead
   * of doubled. May be called within a transaction: then they are there exactly if that is saved.
   */
  add(_requests: readonly SyncRequest[], _options?: { readonly byMirror?: boolean }): RemoteTransfer[] {
    return unwritten()
  }

  /** Brings the bytes of a known image here. */
  fetch(_image: ImageRef): RemoteTransfer {
    return unwritten()
  }

  pause(_ids: readonly string[]): Promise<void> {
    return unwritten()
  }

  resume(_ids: readonly string[]): void {
    return unwritten()
  }

  cancel(_ids: readonly string[]): Promise<void> {
    return unwritten()
  }

  retry(_ids: readonly string[]): void {
    return unwritten()
  }

  dismiss(_ids: readonly string[]): void {
    return unwritten()
  }

  move(_id: string, _direction: 'up' | 'down' | 'top'): void {
    return unwritten()
  }

  decide(_id: string, _choices: Readonly<Record<string, ConflictChoice>>): RemoteTransfer {
    return unwritten()
  }

  held(): boolean {
    return false
  }

  hold(_held: boolean): Promise<void> {
    return unwritten()
  }

  /** To be called when something may be possible that was not: the network is back, a remote answered, a setting changed. */
  kick(_why?: { readonly remoteId?: number }): void {
    return unwritten()
  }

  activity(): TransfersActivity {
    return { count: 0, done: 0, total: 0, bytesPerSecond: null, waiting: 0 }
  }

  /** Parks what runs; it goes on after the next start. */
  async close(): Promise<void> {}
}
