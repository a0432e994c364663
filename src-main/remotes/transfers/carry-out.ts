import { setTimeout as pause } from 'node:timers/promises'
import type { RemoteTransfer } from '../../contract/transfers.ts'
import type { Log } from '../../log.ts'
import { takeTransfersLock, type Lock } from '../../store/locks.ts'
import { hasEnded } from './book.ts'
import type { RemoteTransfers } from './transfers.ts'

/** How often is looked whether another process has ended, or how far it is, in milliseconds. */
const lookEvery = 1000

interface Parts {
  readonly dataDir: string
  readonly remoteTransfers: RemoteTransfers
  readonly log: Log
}

/**
 * Carries out the folder's transfers from now on, or from when the process that does so now ends: a command may be at it.
 * Returns what ends that, once what runs was parked.
 */
export function carryOut({ dataDir, remoteTransfers, log }: Parts): () => Promise<void> {
  let lock: Lock | null = null
  let starting: Promise<void> = Promise.resolve()
  const take = (): void => {
    lock = takeTransfersLock(dataDir)
    if (!lock) return
    starting = remoteTransfers
      .start()
      .catch((error: unknown) =>
        log.error('what waits to go to or come from remotes could not be begun', error)
      )
  }
  const look = (): void => {
    try {
      if (!lock) take()
      remoteTransfers.look()
    } catch (error) {
      log.error('what other processes do with transfers could not be looked at', error)
    }
  }
  look()
  const looking = setInterval(look, lookEvery).unref()
  return async () => {
    clearInterval(looking)
    await starting
    await remoteTransfers.close()
    lock?.release()
  }
}

/**
 * For a command: what a process was carrying out that did not live to its end waits again, so that asking for it once more
 * goes on with it.
 */
export async function settleCutOff({ dataDir, remoteTransfers }: Parts): Promise<void> {
  const lock = takeTransfersLock(dataDir)
  if (!lock) return
  try {
    await remoteTransfers.recover()
  } finally {
    lock.release()
  }
}

/** How a command follows transfers of its own. */
export interface CarryOutHereOptions {
  /** Ends the waiting: what runs here is parked, and stays in the list. */
  readonly signal: AbortSignal
  /** Told now and then of those that have changed. */
  readonly onChange?: (transfers: readonly RemoteTransfer[]) => void
  /** What is not waited for any longer: those that have ended or are paused, unless said otherwise. */
  readonly isOver?: (transfer: RemoteTransfer) => boolean
}

/**
 * For a command: sees to it that some transfers are carried out, here if no other process does so for the folder, and
 * resolves with what they are once all are over, or once the signal says so. Others are left for the server. Called once
 * in a process, whose services are closed after it.
 */
export async function carryOutHere(
  { dataDir, remoteTransfers }: Parts,
  ids: readonly string[],
  {
    signal,
    onChange = () => {},
    isOver = ({ state }) => hasEnded(state) || state === 'paused'
  }: CarryOutHereOptions
): Promise<RemoteTransfer[]> {
  const told = new Map<string, string>()
  const now = (): RemoteTransfer[] => ids.flatMap((id) => remoteTransfers.find(id) ?? [])
  const tell = (all: readonly RemoteTransfer[]): void => {
    const changed = all.filter((transfer) => {
      const text = JSON.stringify(transfer)
      const isNews = told.get(transfer.id) !== text
      told.set(transfer.id, text)
      return isNews
    })
    if (changed.length > 0) onChange(changed)
  }
  let lock: Lock | null = null
  try {
    for (;;) {
      const all = now()
      tell(all)
      if (signal.aborted || all.every(isOver)) break
      lock ??= await takeAndStart()
      await pause(lock ? lookEvery / 4 : lookEvery, undefined, { signal }).catch(() => {})
    }
  } finally {
    if (lock) await remoteTransfers.close()
    lock?.release()
  }
  // What ran here was parked.
  return now()

  async function takeAndStart(): Promise<Lock | null> {
    const taken = takeTransfersLock(dataDir)
    if (taken) await remoteTransfers.start(ids)
    return taken
  }
}
