import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { Problem } from '../domain/problem.ts'
import { isCode } from './durable.ts'

/** A local file opened to be taken in, as it was at that time. */
export interface Source {
  readonly handle: FileHandle
  readonly size: number
  /** Throws Problem 'invalid' when somebody has written to it since. */
  checkUnchanged(): Promise<void>
}

/** Opens a file of the user's, known to them as `name`; what is no file, or cannot be read, is refused in words. */
export async function openSource(path: string, name = path): Promise<Source> {
  const handle = await openForReading(path)
  try {
    const before = await handle.stat({ bigint: true })
    if (!before.isFile()) throw refusal(path, before.isDirectory() ? 'is a folder' : 'is not a file')
    return {
      handle,
      size: Number(before.size),
      async checkUnchanged() {
        const after = await handle.stat({ bigint: true })
        if (after.size !== before.size || after.mtimeNs !== before.mtimeNs)
          throw new Problem(
            'invalid',
            `The file "${name}" changed while it was read. Wait until it is complete and try again.`
          )
      }
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) throw new Problem('invalid', `There is no file "${path}".`)
    if (isCode(error, 'EACCES', 'EPERM')) throw refusal(path, 'may not be read by this account')
    if (isCode(error, 'EISDIR')) throw refusal(path, 'is a folder')
    if (isCode(error, 'ENXIO', 'ENODEV', 'EOPNOTSUPP')) throw refusal(path, 'is not a file')
    if (isCode(error, 'ERR_INVALID_ARG_VALUE', 'ENAMETOOLONG', 'ELOOP'))
      throw new Problem('invalid', 'The path of the file is not a valid one.')
    throw error
  }
}

const refusal = (path: string, why: string): Problem =>
  new Problem('invalid', `"${path}" ${why}; name a box file.`)
