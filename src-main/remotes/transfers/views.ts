import type { SyncRequest } from '../../contract/sync.ts'
import { imageInWords } from '../../contract/sentences.ts'
import type { RemoteTransfer, TransferStep } from '../../contract/transfers.ts'
import type { StoredStep } from '../../store/transfer-steps.ts'
import type { StoredTransfer } from '../../store/transfers.ts'
import type { Book } from './book.ts'
import { unreadable } from './book.ts'

/** Of a transfer with more, those around the one that is carried out are told. */
export const mostSteps = 500

/** What a transfer is shown as. `pausedUntil` is when its remote may be asked again, which no row has to repeat. */
export function viewOf(
  book: Book,
  transfer: StoredTransfer,
  pausedUntil: (remoteId: number) => number | null
): RemoteTransfer {
  const { id, direction, remoteId, organization, request, state, position, byMirror } = transfer
  const { attempts, problem, conflicts, createdAt, finishedAt } = transfer
  // What a person fetches comes as a mirror as well, but is an image of its own, which no rule asks for.
  const ofRule = byMirror && request?.image === undefined
  const isRunning = state === 'running' || state === 'verifying'
  const moving = isRunning ? book.movingOf(id) : null
  const sums = book.steps.sums(id)
  const current = state === 'done' || state === 'cancelled' ? null : book.steps.current(id)
  const savedBytes = moving && (book.steps.bytesDone(id, moving.ordinal) ?? 0)
  const until = state === 'queued' && remoteId !== null ? pausedUntil(remoteId) : null
  return {
    ...{
      id,
      direction,
      remoteId,
      organization,
      position,
      attempts,
      conflicts,
      createdAt,
      finishedAt
    },
    byMirror: ofRule,
    remoteName: transfer.remoteName,
    box: transfer.name,
    what: request ? whatOf(request) : '',
    state: until === null ? state : 'waiting',
    waitingFor: until === null ? transfer.waitingFor : 'remote',
    nextAttemptAt: until ?? transfer.nextAttemptAt,
    problem: request ? problem : unreadable,
    bytesDone: sums.bytesDone + (moving ? moving.bytes - (savedBytes ?? 0) : 0),
    bytesTotal: transfer.bytesTotal,
    bytesPerSecond: moving?.bytesPerSecond ?? null,
    stepsTotal: sums.total,
    stepsDone: sums.done,
    step: current && stepView(current, moving)
  }
}

/** Its steps in their order; of very many, those around the one that is carried out. */
export function stepsOf(book: Book, { id }: StoredTransfer): TransferStep[] {
  const moving = book.movingOf(id)
  return book.steps.shownOf(id, mostSteps).flatMap((step) => stepView(step, moving) ?? [])
}

function stepView(
  { ordinal, key, step, state, bytesDone }: StoredStep,
  moving: ReturnType<Book['movingOf']>
): TransferStep | null {
  if (!step) return null
  const { kind, sentence, bytes } = step
  return {
    key,
    kind,
    sentence,
    state,
    bytes,
    bytesDone: moving?.ordinal === ordinal ? moving.bytes : bytesDone
  }
}

/** Which part of the box is meant, in words. */
function whatOf({ version, image }: SyncRequest): string {
  if (version === undefined) return 'all versions'
  return image ? imageInWords({ version, ...image }) : version
}
