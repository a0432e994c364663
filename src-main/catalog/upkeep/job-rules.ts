import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, resolve, sep } from 'node:path'
import type { JobRequest } from '../../contract/storage.ts'
import { Problem } from '../../domain/problem.ts'
import { databaseFiles } from '../../store/open.ts'

/** What is being uploaded has bytes before it has a row, so nothing younger is ever removed under a server. */
const leastGraceMs = 60_000

export const graceMsOf = (graceHours: number): number => Math.max(leastGraceMs, graceHours * 3_600_000)

/** Refuses at once what would only fail later, while the person can still correct it. */
export function checkJob(request: JobRequest, dataDir: string): void {
  if (request.job === 'back-up') checkTarget(request, dataDir)
  if (request.job === 'restore') checkSource(request.file)
}

function checkTarget({ file, replace }: { file: string; replace: boolean }, dataDir: string): void {
  checkPath(file)
  const folder = dirname(file)
  const { backups } = databaseFiles(resolve(dataDir))
  if (resolve(folder) !== backups && !isFolder(folder))
    throw new Problem('invalid', `There is no folder ${folder}. Make it first, or choose another.`)
  checkKind(file, 'the name of a file')
  if (isOwnFile(file, dataDir))
    throw new Problem('invalid', `${file} is a file this program keeps its data in. Choose another name.`)
  if (existsSync(file) && !replace)
    throw new Problem(
      'conflict',
      `${file} is there already. Choose another name, or allow it to be replaced.`
    )
}

function checkSource(file: string): void {
  checkPath(file)
  if (!existsSync(file)) throw new Problem('missing', `There is no file ${file}.`)
  checkKind(file, 'the name of a backup')
}

/** Pipes and devices as well: whoever opens a pipe waits for its other end. */
function checkKind(file: string, needed: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found || found.isFile()) return
  throw new Problem(
    'invalid',
    `${file} is ${found.isDirectory() ? 'a folder' : 'no file'}; ${needed} is needed.`
  )
}

function checkPath(file: string): void {
  if (file.includes('\0'))
    throw new Problem('invalid', 'The name of the file holds a NUL character, which no name can.')
  if (file.trim() === '') throw new Problem('invalid', 'The name of the file is missing.')
  if (!isAbsolute(file))
    throw new Problem('invalid', `"${file}" does not say in which folder; give the whole path.`)
}

/** Anything in the data folder but its place for backups, where only files that are none of ours may be named. */
function isOwnFile(file: string, dataDir: string): boolean {
  const folder = inFull(dirname(file))
  if (isWithin(folder, inFull(databaseFiles(resolve(dataDir)).backups))) return file.endsWith('.sqlite')
  return isWithin(folder, inFull(dataDir))
}

const isWithin = (folder: string, outer: string): boolean => `${folder}${sep}`.startsWith(`${outer}${sep}`)

/** Whatever links lead there. */
function inFull(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return resolve(folder) // the place for backups, before there are any
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
