import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { ifThere, isCode } from './durable.ts'

/** What lies there is no file, or one far larger than what belongs there. */
export class NoSuchFile extends Error {
  constructor(path: string) {
    super(`${path} is not a file that can be read`)
    this.name = 'NoSuchFile'
  }
}

/**
 * Opens what others may have put there: a pipe in place of a file would be waited for without end, with one of the few
 * threads all files are read by, and a device may never end. Null where there is nothing.
 */
export async function openRegular(path: string): Promise<FileHandle | null> {
  const handle = await opened(path)
  if (!handle) return null
  try {
    if ((await handle.stat()).isFile()) return handle
    throw new NoSuchFile(path)
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await ifThere(open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)))
  } catch (error) {
    // Sockets, devices that are not there, and folders where those cannot be opened.
    if (isCode(error, 'ENXIO', 'ENODEV', 'EOPNOTSUPP', 'EISDIR')) throw new NoSuchFile(path)
    throw error
  }
}

/** The text of a small file; null where there is nothing. */
export async function readSmall(path: string, mostBytes: number): Promise<string | null> {
  const handle = await openRegular(path)
  if (!handle) return null
  try {
    if ((await handle.stat()).size > mostBytes) throw new NoSuchFile(path)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
