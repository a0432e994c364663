import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'

/*
 * What has to be done to a file so that it is there after the power went. A rename is kept by the folder, not by the
 * file, so both have to be synced.
 */

/** Makes the folder and those above it last; tells nothing when it is there. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  // The entry of each new folder stands in the one above it.
  for (let folder = path; folder.length >= first.length; folder = dirname(folder))
    await syncFolder(dirname(folder))
}

export async function syncFolder(path: string): Promise<void> {
  try {
    await syncOpened(path, 'r')
  } catch (error) {
    // Windows has no such thing for folders: it keeps renames by itself.
    if (process.platform === 'win32' && isCode(error, 'EPERM', 'EISDIR', 'EINVAL', 'EACCES')) return
    // Neither have some shares and disks that travel, which say so.
    if (isCode(error, 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) return
    throw error
  }
}

export const syncFile = (path: string): Promise<void> =>
  // Windows syncs only what is open for writing.
  syncOpened(path, process.platform === 'win32' ? 'r+' : 'r')

async function syncOpened(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether the file was there to have its time renewed. */
export async function renewTime(path: string): Promise<boolean> {
  const now = new Date()
  return (await ifThere(utimes(path, now, now).then(() => true))) ?? false
}

/** Replaces a file in one step: others see the old content or the new. `staged` is where it is written meanwhile. */
export async function replaceFile(path: string, content: string, staged: string): Promise<void> {
  try {
    const handle = await open(staged, 'wx')
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(staged, path)
  } catch (error) {
    await rm(staged, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Moves a file if it is there; tells whether it was. */
export const moveIfThere = async (from: string, to: string): Promise<boolean> =>
  (await ifThere(rename(from, to).then(() => true))) ?? false

export const statIfThere = (path: string): Promise<Stats | null> => ifThere(stat(path))

/** Null in place of the failure that something is not there. */
export async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

export const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

export const newStagingId = (): string => randomUUID()
