import type { RemoteTransfer } from '../../../../src-main/contract/transfers.ts'

/** A box that waits for its turn to go to a remote, but for what is said otherwise. */
export const remoteTransfer = (said: Partial<RemoteTransfer> = {}): RemoteTransfer => ({
  id: 'transfer',
  direction: 'publish',
  remoteId: 1,
  remoteName: 'Lab',
  organization: 'acme',
  box: 'base',
  what: '1.2.0',
  state: 'queued',
  position: 1,
  bytesDone: 0,
  bytesTotal: null,
  bytesPerSecond: null,
  stepsTotal: 0,
  stepsDone: 0,
  step: null,
  waitingFor: null,
  nextAttemptAt: null,
  attempts: 0,
  problem: null,
  conflicts: [],
  byMirror: false,
  createdAt: 0,
  finishedAt: null,
  ...said
})
