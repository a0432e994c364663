import type { SyncConflict, SyncStepKind } from './sync.ts'

/**
 * queued: others go first. running: steps are being carried out. verifying: bytes are over and are being checked.
 * paused: by the person. waiting: tries again by itself, see waitingFor. failed: needs the person.
 */
export const transferStates = [
  ...(['queued', 'running', 'verifying', 'paused', 'waiting'] as const),
  ...(['done', 'failed', 'cancelled'] as const)
] as const
export type TransferState = (typeof transferStates)[number]

/** One step of a transfer and how far it is. */
export interface TransferStep {
  readonly key: string
  readonly kind: SyncStepKind
  readonly sentence: string
  readonly state: 'pending' | 'running' | 'verifying' | 'done' | 'left-out'
  readonly bytes: number
  readonly bytesDone: number
}

/** One box on its way between here and a remote: kept until the person dismisses it, whatever ends the program. */
export interface RemoteTransfer {
  readonly id: string
  readonly direction: 'publish' | 'pull'
  /** Null when the remote has been removed since. */
  readonly remoteId: number | null
  readonly remoteName: string
  /** As here. */
  readonly organization: string
  readonly box: string
  /** "1.2.0", "1.2.0 for virtualbox on amd64", "all versions" */
  readonly what: string
  readonly state: TransferState
  /** Those that wait go in this order, the lowest first. */
  readonly position: number
  readonly bytesDone: number
  /** Null until it was looked what there is to do. */
  readonly bytesTotal: number | null
  /** Smoothed; null while nothing moves, or for less than a moment. */
  readonly bytesPerSecond: number | null
  /** Without those that are left out. */
  readonly stepsTotal: number
  readonly stepsDone: number
  /** The one under way, or the next; null when there is none. All of them are read one transfer at a time. */
  readonly step: TransferStep | null
  /** Of a waiting one. */
  readonly waitingFor: 'network' | 'remote' | 'rate-limit' | 'retry' | null
  /** When it is tried again by itself. */
  readonly nextAttemptAt: number | null
  readonly attempts: number
  /** Why it waits or failed, in sentences. */
  readonly problem: readonly string[] | null
  /** Where the person has to choose before it can go on. */
  readonly conflicts: readonly SyncConflict[]
  /** Started by a mirror rule. */
  readonly byMirror: boolean
  readonly createdAt: number
  readonly finishedAt: number | null
}

/** The same with its steps, in their order. */
export interface TransferWithSteps extends RemoteTransfer {
  readonly steps: readonly TransferStep[]
}
