import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { JobRequest } from '../../contract/storage.ts'
import { Problem } from '../../domain/problem.ts'
import { counted } from '../../contract/counted.ts'
import { sizeText } from '../../contract/size-text.ts'
import { databaseFiles } from '../../store/open.ts'
import { graceMsOf } from './job-rules.ts'
import type { Progress } from './progress.ts'
import type { Upkeep } from './upkeep.ts'

/** Whom a job tells how far it is and what is wrong, and who may end it. */
interface JobListener {
  readonly progress: Progress
  readonly problem: (sentence: string) => void
  readonly signal: AbortSignal
}

type JobServices = Pick<Upkeep, 'verify' | 'collectGarbage' | 'backUp' | 'restore'>

/** Carries one job out and says what came of it. What is wrong is told through `problem`. */
export async function runJob(
  { upkeep, dataDir }: { upkeep: JobServices; dataDir: string },
  request: JobRequest,
  on: JobListener
): Promise<readonly string[]> {
  switch (request.job) {
    case 'verify':
      return verify(upkeep, on)
    case 'clean-up':
      return cleanUp(upkeep, request.graceHours, on.signal)
    case 'back-up':
      return backUp(upkeep, dataDir, request, on)
    case 'restore':
      return restore(upkeep, request.file, on)
  }
}

async function verify(
  upkeep: JobServices,
  { progress, problem, signal }: JobListener
): Promise<readonly string[]> {
  const { blobs, bytes, problems, sidecarsMended } = await upkeep.verify({
    onProgress: progress,
    onProblem: problem,
    signal
  })
  const checked = `${counted(blobs, 'file')} of ${sizeText(bytes)} ${blobs === 1 ? 'was' : 'were'} checked`
  return [
    problems.length === 0
      ? `${checked}; everything is sound.`
      : `${checked}; ${counted(problems.length, 'problem')} ${problems.length === 1 ? 'was' : 'were'} found.`,
    ...(sidecarsMended === 0
      ? []
      : [
          `${counted(sidecarsMended, 'description')} beside the files did not match the catalogue; written anew.`
        ])
  ]
}

async function cleanUp(
  upkeep: JobServices,
  graceHours: number,
  signal: AbortSignal
): Promise<readonly string[]> {
  const report = await upkeep.collectGarbage({ graceMs: graceMsOf(graceHours), dryRun: false, signal })
  const parts = [
    ...(report.files > 0 ? [counted(report.files, 'unused file')] : []),
    ...(report.leftovers > 0 ? [counted(report.leftovers, 'upload leftover')] : []),
    ...(report.trash > 0 ? [counted(report.trash, 'recent deletion')] : [])
  ]
  return parts.length === 0
    ? ['There was nothing to remove.']
    : [`Removed ${listed(parts)}; ${sizeText(report.bytes)} are free again.`]
}

async function backUp(
  upkeep: JobServices,
  dataDir: string,
  request: JobRequest & { job: 'back-up' },
  { progress: onProgress, signal }: JobListener
): Promise<readonly string[]> {
  const { file, catalogueOnly, replace } = request
  // The only folder that may be named before it exists: the interface proposes it.
  const { backups } = databaseFiles(resolve(dataDir))
  if (dirname(resolve(file)) === backups) await mkdir(backups, { recursive: true, mode: 0o700 })
  const report = await upkeep.backUp({ file, catalogueOnly, force: replace, onProgress, signal })
  const what = catalogueOnly ? 'The catalogue' : `The catalogue and ${counted(report.blobs, 'file')}`
  return [
    `${what} ${catalogueOnly ? 'is' : 'are'} in ${report.file}, ${sizeText(report.size)}.`,
    ...(report.left === 0
      ? []
      : [`${counted(report.left, 'file')} left out, being damaged or missing. Verify tells which.`])
  ]
}

async function restore(
  upkeep: JobServices,
  file: string,
  { progress, problem }: JobListener
): Promise<readonly string[]> {
  const { manifest, added, missing, safetyCopy } = await upkeep.restore(file, progress)
  if (missing > 0)
    problem(
      `${counted(missing, 'file')} ${missing === 1 ? 'is' : 'are'} neither in the backup nor here. Verify tells which.`
    )
  return [
    `The backup of ${manifest.createdAt.slice(0, 16).replace('T', ' ')} UTC is in place, with ${counted(added, 'file')} that ${added === 1 ? 'was' : 'were'} not here.`,
    `The catalogue as it was before is kept in ${safetyCopy}.`
  ]
}

/** What the file system refused, in words; everything else is not for the person. */
export function asProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  if (!(error instanceof Error) || !('code' in error)) return null
  const path = 'path' in error && typeof error.path === 'string' ? error.path : 'The file'
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new Problem('missing', `${path} does not exist, or the folder it should be in does not.`)
    case 'EACCES':
    case 'EPERM':
      return new Problem('forbidden', `${path} may not be read or written by this account.`)
    case 'EROFS':
      return new Problem('forbidden', `${path} is on a disk that can only be read.`)
    case 'EISDIR':
      return new Problem('invalid', `${path} is a folder; the name of a file is needed.`)
    case 'ENOSPC':
    case 'EDQUOT':
      return new Problem('no-room', 'The disk is full. Make room, then try again.')
    case 'EIO':
      return new Problem(
        'unavailable',
        `${path} cannot be read or written any more: the disk reports an error.`
      )
    default:
      return null
  }
}
const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
