import type { SyncConflict } from '../../contract/sync.ts'
import type { RemoteTransfer } from '../../contract/transfers.ts'
import { backoff } from '../../domain/sync/backoff.ts'
import { missing, Problem } from '../../domain/problem.ts'
import type { StoredTransfer } from '../../store/transfers.ts'
import { RemoteFailure, type FailureKind } from '../failure.ts'

/** Both sides have changed, and a person has to say what counts. */
export class Undecided extends Error {
  readonly conflicts: readonly SyncConflict[]

  constructor(conflicts: readonly SyncConflict[]) {
    super('conflicts')
    this.name = 'Undecided'
    this.conflicts = conflicts
  }
}

/** What came of an attempt that did not get to its end. */
export interface Attempt {
  /** How often it failed in a row before. */
  readonly attempts: number
  /** Whether anything got further by it. */
  readonly progressed: boolean
  /** How often its bytes arrived damaged in this run of the program. */
  readonly damaged: number
  readonly now: number
  readonly random: number
  /** Of the remote, when it is left alone. */
  readonly pausedUntil: number | null
  /** Whether the remote is reached over a network. */
  readonly overNetwork: boolean
}

type Outcome = Pick<
  StoredTransfer,
  'state' | 'attempts' | 'waitingFor' | 'nextAttemptAt' | 'problem' | 'conflicts'
>

const waitsFor: Readonly<Partial<Record<FailureKind, NonNullable<RemoteTransfer['waitingFor']>>>> = {
  offline: 'network',
  busy: 'remote',
  'rate-limited': 'rate-limit',
  damaged: 'retry',
  expired: 'retry'
}

/** Bytes that arrive damaged again and again do so for a reason that time does not mend. */
const mostDamaged = 2

/** Of what nobody foresaw. */
const faultSentences = [
  'It could not be carried out because of a fault in the program; its log says more.'
] as const

/** Whether the program should have foreseen it. */
export const isFault = (error: unknown): boolean =>
  !(error instanceof Undecided || error instanceof Problem || error instanceof RemoteFailure)

/** What becomes of a transfer whose attempt threw. */
export function outcomeOf(error: unknown, attempt: Attempt): Outcome {
  if (error instanceof Undecided)
    return { ...failed(attempt, [undecided(error.conflicts.length)]), conflicts: error.conflicts }
  if (error instanceof Problem)
    return error.kind === 'unavailable'
      ? waiting(attempt, 'retry', error.sentences)
      : failed(attempt, sentencesOf(error))
  if (!(error instanceof RemoteFailure)) return failed(attempt, faultSentences)
  const what = waitsFor[error.kind]
  if (!what) return failed(attempt, error.sentences)
  if (error.kind === 'damaged' && attempt.damaged >= mostDamaged) return failed(attempt, error.sentences)
  const kind = what === 'network' && !attempt.overNetwork ? 'remote' : what
  return waiting(attempt, kind, error.sentences, error.retryAfter)
}

/** What becomes of one that could not even be begun: a full disk passes, anything else is a fault. */
export const unbegun = (error: unknown, attempt: Attempt): Outcome =>
  error instanceof Problem && error.kind === 'no-room'
    ? waiting(attempt, 'retry', error.sentences)
    : failed(attempt, faultSentences)

function waiting(
  { attempts: before, progressed, now, random, pausedUntil }: Attempt,
  what: NonNullable<RemoteTransfer['waitingFor']>,
  problem: readonly string[],
  retryAfter: number | null = null
): Outcome {
  const attempts = progressed ? 1 : before + 1
  const at = now + backoff({ attempts, retryAfter, random })
  return {
    ...{ state: 'waiting', attempts, problem, conflicts: [] },
    waitingFor: pausedUntil !== null && what !== 'rate-limit' ? 'remote' : what,
    nextAttemptAt: Math.max(at, pausedUntil ?? 0)
  }
}

/** What is said to clients of anything they may not see tells a person nothing. */
const sentencesOf = (problem: Problem): readonly string[] =>
  problem.message === missing().message
    ? [
        'What this was about is not here any more: the box, or a part of it, was removed or renamed in the middle.',
        'Look at what is here now, then try again if it is still wanted.'
      ]
    : problem.sentences

const failed = ({ attempts }: Attempt, problem: readonly string[]): Outcome => ({
  ...{ state: 'failed', attempts: attempts + 1, waitingFor: null, nextAttemptAt: null },
  problem,
  conflicts: []
})

const undecided = (count: number): string =>
  count === 1
    ? 'Both sides have changed in one place; choose what counts.'
    : `Both sides have changed in ${count} places; choose what counts in each.`
