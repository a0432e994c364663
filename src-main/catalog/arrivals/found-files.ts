import { access, opendir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSource } from '../../blobs/source.ts'
import { Problem } from '../../domain/problem.ts'

/** A box file of this machine. */
export interface FoundFile {
  readonly path: string
  readonly fileName: string
  readonly size: number
}

/** Something the person named that gives no file, or not all it could. */
export interface Refused {
  readonly origin: string
  readonly sentences: readonly string[]
}

const deepest = 8
const mostFilesOfFolder = 500
const mostEntries = 50_000

/** Finds the files a person means by some paths: a file is itself, a folder every box file in it. */
export async function findFiles(
  paths: readonly string[]
): Promise<{ readonly files: readonly FoundFile[]; readonly refused: readonly Refused[] }> {
  const files = new Map<string, FoundFile>()
  const refused: Refused[] = []
  const add = async (path: string): Promise<void> => {
    try {
      if (!files.has(path)) files.set(path, await lookAt(path))
    } catch (error) {
      refused.push({ origin: path, sentences: sentencesOf(path, error) })
    }
  }
  for (const said of paths) {
    const path = (await isThere(said)) ? resolve(said) : pathMeantBy(said)
    if (!isAbsolute(path)) refused.push({ origin: said, sentences: [noFolder(said)] })
    else if (!(await isFolder(path))) await add(path)
    else {
      const { found, sentence } = await boxFilesIn(path)
      for (const file of found) await add(file)
      if (sentence !== null) refused.push({ origin: path, sentences: [sentence] })
    }
  }
  return { files: [...files.values()], refused }
}

/** Pasted paths come with quotes, as addresses of files, or from the person's own folder on. */
function pathMeantBy(said: string): string {
  const text = said.trim().replace(/^(["'])(.+)\1$/, '$2')
  if (/^file:\/\//i.test(text) && URL.canParse(text)) {
    try {
      return fileURLToPath(text)
    } catch {
      return text
    }
  }
  const path = text.replace(/^~(?=$|[\\/])/, homedir())
  return isAbsolute(path) ? resolve(path) : path
}

/** The system hands over paths as they are: a name may begin or end with what a person would not have meant. */
const isThere = (path: string): Promise<boolean> =>
  isAbsolute(path)
    ? access(path).then(
        () => true,
        () => false
      )
    : Promise.resolve(false)

const noFolder = (said: string): string =>
  `"${said.slice(0, 200)}" does not say in which folder; give the whole path.`

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false
  )

async function lookAt(path: string): Promise<FoundFile> {
  const { handle, size } = await openSource(path)
  await handle.close()
  return { path, fileName: basename(path), size }
}

/** Links to folders are not followed: they may lead round in circles. */
async function boxFilesIn(folder: string): Promise<{ found: string[]; sentence: string | null }> {
  const found: string[] = []
  let entries = 0
  let level = [folder]
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const deeper: string[] = []
    for (const dir of level) {
      for await (const entry of entriesOf(dir)) {
        if ((entries += 1) > mostEntries) return { found, sentence: tooMany(folder, found.length) }
        const path = join(dir, entry.name)
        if (entry.isDirectory()) deeper.push(path)
        else if (/\.box$/i.test(entry.name)) {
          if (found.length >= mostFilesOfFolder) return { found, sentence: tooMany(folder, found.length) }
          found.push(path)
        }
      }
    }
    level = deeper
  }
  found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const sentence = found.length === 0 ? `There are no box files (*.box) in the folder "${folder}".` : null
  return { found, sentence }
}

/** A folder that cannot be read holds nothing for us. */
async function* entriesOf(dir: string) {
  try {
    yield* await opendir(dir)
  } catch {
    return
  }
}

const tooMany = (folder: string, taken: number): string =>
  `The folder "${folder}" holds more than can be looked through at once; ${taken} box files of it were taken. ` +
  'Add its folders one by one for the rest.'

export function sentencesOf(path: string, error: unknown): readonly string[] {
  if (error instanceof Problem) return error.sentences
  return [
    `The file "${path}" cannot be read. Look whether the disk it lies on is still there, and try again.`
  ]
}
