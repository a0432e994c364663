import { isCode } from '../../../blobs/durable.ts'
import { NoSuchFile } from '../../../blobs/regular-file.ts'
import { Problem } from '../../../domain/problem.ts'
import { RemoteFailure } from '../../failure.ts'

/** The folder is not there: most likely its disk is not. */
export const notThere = (folder: string, cause?: unknown): RemoteFailure =>
  new RemoteFailure(
    'offline',
    [`The folder ${folder} is not there.`, 'Plug in the disk it is on, or connect the share.'],
    {
      cause
    }
  )

/** A disk that was unplugged leaves the folder behind in which it was seen, with nothing in it. */
export const notPluggedIn = (folder: string): RemoteFailure =>
  new RemoteFailure('offline', [
    `The folder ${folder} is there, but not what belongs in it: its disk may not be plugged in.`,
    'Plug in the disk, or connect the share. If its contents are gone for good, remove the remote and add the folder anew.'
  ])

/** What went wrong on the disk of a folder, in words; anything else as it is. */
export function explained(folder: string, error: unknown): unknown {
  if (error instanceof RemoteFailure) return error
  if (error instanceof Problem && error.kind === 'no-room')
    return new RemoteFailure('no-room', [`${folder}: ${error.message}`], { cause: error })
  if (isCode(error, 'ENOSPC', 'EDQUOT'))
    return new RemoteFailure(
      'no-room',
      [`The disk of ${folder} is full.`, 'Make room on it and try again.'],
      {
        cause: error
      }
    )
  if (isCode(error, 'EROFS', 'EACCES', 'EPERM'))
    return new RemoteFailure(
      'forbidden',
      [
        isCode(error, 'EROFS')
          ? `The disk of ${folder} can only be read.`
          : `This account may not do that in the folder ${folder}.`,
        'Change what may be done with it, or choose another folder.'
      ],
      { cause: error }
    )
  if (isCode(error, 'EFBIG'))
    return new RemoteFailure(
      'refused',
      [
        `The disk of ${folder} does not take a file of this size.`,
        'FAT32 keeps files of up to 4 GB; format the disk as exFAT, or use another.'
      ],
      { cause: error }
    )
  if (
    isCode(
      error,
      'ENOENT',
      'ENOTDIR',
      'ENODEV',
      'ENXIO',
      'EIO',
      'ESTALE',
      'EHOSTDOWN',
      'ENOTCONN',
      'ETIMEDOUT'
    )
  )
    return new RemoteFailure(
      'offline',
      [`The folder ${folder} cannot be read any more.`, 'Plug in the disk it is on, or connect the share.'],
      { cause: error }
    )
  if (error instanceof NoSuchFile || isCode(error, 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP'))
    return new RemoteFailure(
      'odd',
      [
        `In the folder ${folder} something else is where a file belongs.`,
        'Look what others have put there, and move it away.'
      ],
      { cause: error }
    )
  return error
}
