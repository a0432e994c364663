import { existsSync, statSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
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
  if (isFolder(file)) throw new Problem('invalid', `${file} is a folder; the name of a file is needed.`)
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
  if (isFolder(file)) throw new Problem('invalid', `${file} is a folder; the name of a backup is needed.`)
}

function checkPath(file: string): void {
  if (file.trim() === '') throw new Problem('invalid', 'The name of the file is missing.')
  if (!isAbsolute(file))
    throw new Problem('invalid', `"${file}" does not say in which folder; give the whole path.`)
}

/** Anything in the data folder but its place for backups, where only files that are none of ours may be named. */
function isOwnFile(file: string, dataDir: string): boolean {
  const inside = `${resolve(dataDir)}/`.replaceAll('\\', '/')
  const path = resolve(file).replaceAll('\\', '/')
  const backups = `${databaseFiles(resolve(dataDir)).backups}/`.replaceAll('\\', '/')
  if (path.startsWith(backups)) return path.endsWith('.sqlite')
  return path.startsWith(inside)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
