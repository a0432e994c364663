import type { NewRemote, Remote, RemoteChanges, RemoteFinding } from '../contract/remotes.ts'
import type { Events } from '../catalog/events.ts'
import type { Log } from '../log.ts'
import type { Db } from '../store/open.ts'
import type { Keychain } from '../vault/keychain.ts'
import type { End, Tag } from './end.ts'
import type { RemoteFailure } from './failure.ts'
import { unwritten } from './unwritten.ts'

/** A remote that answers and is the one it was, ready to be worked with; to be closed by who opened it. */
export interface OpenRemote {
  readonly id: number
  readonly name: string
  readonly end: End
  /** How a box here is called there, and the other way round. */
  readonly there: (tag: Tag) => Tag
  readonly here: (tag: Tag) => Tag
}

/** The list of remotes: adding, trying, changing and removing them, their tokens, and how they do. */
export class Remotes {
  constructor(_parts: { db: Db; keychain: Keychain; events: Events; log: Log; now?: () => number }) {}

  async list(): Promise<Remote[]> {
    return []
  }

  find(_id: number): Promise<Remote | null> {
    return unwritten()
  }

  /** By its name without regard to case, or its number. Problem 'missing' with the names there are. */
  named(_name: string): Promise<Remote> {
    return unwritten()
  }

  test(_input: NewRemote): Promise<RemoteFinding> {
    return unwritten()
  }

  add(_input: NewRemote): Promise<Remote> {
    return unwritten()
  }

  change(_id: number, _changes: RemoteChanges): Promise<Remote> {
    return unwritten()
  }

  remove(_id: number): Promise<void> {
    return unwritten()
  }

  /** Throws a RemoteFailure: it does not answer, is another one, or may not be asked before `pausedUntil`. */
  open(_id: number, _signal: AbortSignal): Promise<OpenRemote> {
    return unwritten()
  }

  /** To be told of what work with a remote came to: how it does follows from it, and whether it is asked again soon. */
  answered(_id: number): void {
    return unwritten()
  }

  failed(_id: number, _failure: RemoteFailure): void {
    return unwritten()
  }

  /** Until when it is not to be asked, because it failed again and again; null when it may be. */
  pausedUntil(_id: number): number | null {
    return unwritten()
  }
}
