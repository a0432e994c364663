import type { RemoteTransfer } from '../../../src-main/contract/transfers.ts'
import type { Group, Row } from './rows.ts'

/** How a transfer to or from a remote stands, as far as it is another state than those of files on their way in. */
export type RemoteRowState =
  'uploading' | 'downloading' | 'verifying' | 'paused' | 'retrying' | 'undecided' | 'held' | 'done'

/** Whether it cannot go on before the person has chosen. */
const isUndecided = ({ state, conflicts }: RemoteTransfer): boolean =>
  ['failed', 'waiting', 'paused'].includes(state) && conflicts.some(({ chosen }) => chosen === null)

const groups: Record<RemoteTransfer['state'], Group> = {
  queued: 'waiting',
  running: 'running',
  verifying: 'running',
  paused: 'waiting',
  waiting: 'waiting',
  done: 'finished',
  failed: 'attention',
  cancelled: 'finished'
}

const reasons: Record<NonNullable<RemoteTransfer['waitingFor']>, string> = {
  network: 'Offline',
  remote: 'No answer',
  'rate-limit': 'Told to wait',
  retry: 'Tries again'
}

function stateOf(transfer: RemoteTransfer): Row['state'] {
  if (isUndecided(transfer)) return 'undecided'
  switch (transfer.state) {
    case 'queued':
      return 'waiting'
    case 'running':
      return transfer.direction === 'publish' ? 'uploading' : 'downloading'
    case 'waiting':
      return 'retrying'
    default:
      return transfer.state
  }
}

function wordOf(
  { waitingFor, direction, byMirror, stepsTotal }: RemoteTransfer,
  state: Row['state']
): string {
  const publishes = direction === 'publish'
  switch (state) {
    case 'uploading':
      return 'Publishing'
    case 'downloading':
      return byMirror ? 'Mirroring' : 'Fetching'
    case 'verifying':
      return 'Verifying'
    case 'paused':
      return 'Paused'
    case 'retrying':
      return reasons[waitingFor ?? 'retry']
    case 'undecided':
      return 'To be decided'
    case 'done':
      if (stepsTotal === 0) return 'Nothing to do'
      return publishes ? 'Published' : byMirror ? 'Mirrored' : 'Fetched'
    case 'failed':
      return 'Failed'
    case 'cancelled':
      return 'Cancelled'
    default:
      return 'Waiting'
  }
}

/** A remote that failed with others is left alone for all. */
function problemOf({ state, problem, waitingFor, remoteName }: RemoteTransfer): readonly string[] | null {
  if (state !== 'failed' && state !== 'waiting' && state !== 'paused') return null
  return state === 'waiting' && problem === null && waitingFor === 'remote'
    ? [`${remoteName} did not answer several times, so it is left alone for a while.`]
    : problem
}

/** A box on its way to or from a remote, as a line of the list. */
export function ofRemote(transfer: RemoteTransfer): Row {
  const { id, direction, organization, box, what, remoteName } = transfer
  const state = stateOf(transfer)
  return {
    id,
    group: state === 'undecided' ? 'attention' : groups[transfer.state],
    state,
    direction: direction === 'publish' ? 'out' : 'in',
    word: wordOf(transfer, state),
    what: `${organization}/${box} ${what}`,
    where: direction === 'publish' ? `To ${remoteName}` : `From ${remoteName}`,
    done: transfer.bytesDone,
    // That no file had to go over is no amount worth reading.
    total: state === 'done' && transfer.bytesTotal === 0 ? null : transfer.bytesTotal,
    bytesPerSecond: transfer.bytesPerSecond,
    problem: problemOf(transfer),
    of: { kind: 'remote', transfer }
  }
}

/** The same while the person holds everything to and from remotes. */
export function ofHeldRemote(transfer: RemoteTransfer): Row {
  const row = ofRemote(transfer)
  return row.state === 'waiting' || row.state === 'retrying'
    ? { ...row, state: 'held', word: 'On hold', problem: null }
    : row
}
