import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { ifThere, isCode, makeFolder } from '../../../blobs/durable.ts'
import { readSmall } from '../../../blobs/regular-file.ts'
import { RemoteFailure } from '../../failure.ts'
import type { FolderPaths } from './paths.ts'

/** Nobody needs one for longer than it takes to replace some small files, also on a slow disk. */
const staleAfter = 30_000
const patience = 60_000
const lookEvery = 40
/** Of what a lock says of who holds it. */
const longestOwner = 4096

/** How long locks are waited for and when one counts as left behind. */
export interface LockTimes {
  readonly staleAfter: number
  readonly patience: number
}

/**
 * Does something while nobody else does the same, on whichever machine: a share has no other lock that all of them know.
 * The lock is a file that only one can create. One that was left behind by a machine that went away is taken over once it
 * is old, by the clock of the disk itself, as clocks of machines differ.
 */
export async function withLock<T>(
  paths: FolderPaths,
  what: string,
  signal: AbortSignal,
  work: () => Promise<T>,
  times: LockTimes = { staleAfter, patience }
): Promise<T> {
  const path = paths.lock(what)
  const own = `${hostname()} ${process.pid} ${randomUUID()}`
  await makeFolder(paths.locks)
  await take(path, own, signal, times)
  try {
    return await work()
  } finally {
    // Not one that was taken over meanwhile.
    if ((await readSmall(path, longestOwner).catch(() => null)) === own) await rm(path, { force: true })
  }
}

async function take(path: string, own: string, signal: AbortSignal, times: LockTimes): Promise<void> {
  const began = performance.now()
  for (;;) {
    signal.throwIfAborted()
    if (await create(path, own)) return
    await dropStale(path, own, times.staleAfter)
    if (performance.now() - began > times.patience)
      throw new RemoteFailure('busy', [
        'Another program has been changing the same box in the folder for long.'
      ])
    await setTimeout(lookEvery * (0.5 + Math.random()), undefined, { signal })
  }
}

async function create(path: string, own: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    try {
      await file.writeFile(own)
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    // Windows says EPERM of one that is just being deleted.
    if (isCode(error, 'EEXIST') || (process.platform === 'win32' && isCode(error, 'EPERM', 'EBUSY')))
      return false
    throw error
  }
}

/** Moved aside rather than removed: of several who find it stale only one gets it. */
async function dropStale(path: string, own: string, staleAfter: number): Promise<void> {
  const probe = `${path}.${own.slice(-36)}`
  const there = await ifThere(stat(path))
  if (!there) return
  try {
    const file = await open(probe, 'wx')
    const now = await file.stat()
    await file.close()
    if (now.mtimeMs - there.mtimeMs < staleAfter) return
    if ((await ifThere(stat(path)))?.mtimeMs !== there.mtimeMs) return
    await ifThere(rename(path, probe))
  } finally {
    await rm(probe, { force: true })
  }
}
