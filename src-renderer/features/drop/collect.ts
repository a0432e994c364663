import { isBoxFile, notABox } from './judge.ts'

/** Something that was not added, and why. */
export interface Refusal {
  readonly origin: string
  readonly sentences: readonly string[]
}

/** What of a drop can be sent, and what cannot. */
export interface Collected {
  readonly files: readonly File[]
  readonly refused: readonly Refusal[]
}

const mostFiles = 1000
/** A folder nobody meant, as a whole home, ends here. */
const mostEntries = 50_000
const deepest = 32

/** What a page can take out of a drop only while it is told of it; afterwards it is gone. */
export interface Held {
  readonly entries: readonly FileSystemEntry[]
  readonly files: readonly File[]
}

/** To be called while the drop is being told of. */
export function hold(data: DataTransfer): Held {
  const entries = [...data.items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry())
  return entries.some((entry) => entry?.isDirectory)
    ? { entries: entries.filter((entry) => entry !== null), files: [] }
    : { entries: [], files: [...data.files] }
}

/** Every box file of what was dropped, in folders too. Of a folder, others are passed over without a word. */
export async function collect({ entries, files }: Held): Promise<Collected> {
  const found: File[] = files.filter(({ name }) => isBoxFile(name))
  const refused: Refusal[] = files
    .filter(({ name }) => !isBoxFile(name))
    .map(({ name }) => ({ origin: name, sentences: notABox(name) }))
  let seen = 0
  const walk = async (entry: FileSystemEntry, depth: number): Promise<void> => {
    seen += 1
    if (found.length >= mostFiles || seen > mostEntries || depth > deepest) return
    if (isFolder(entry)) for await (const child of childrenOf(entry)) await walk(child, depth + 1)
    else if (isFile(entry) && isBoxFile(entry.name)) found.push(await fileOf(entry))
    else if (depth === 0) refused.push({ origin: entry.name, sentences: notABox(entry.name) })
  }
  for (const entry of entries) {
    const before = found.length
    try {
      await walk(entry, 0)
      if (entry.isDirectory && found.length === before && found.length < mostFiles)
        refused.push({ origin: entry.name, sentences: [emptyFolder(entry.name)] })
    } catch (error) {
      refused.push({ origin: entry.name, sentences: [unreadable(entry.name, error)] })
    }
  }
  return { files: found.slice(0, mostFiles), refused: [...refused, ...tooMany(found.length, seen)] }
}

/** What a folder that was chosen holds; the system lists it whole, with everything below it. */
export function boxesOf(files: FileList): Collected {
  const found = [...files].filter(({ name }) => isBoxFile(name))
  const [folder = 'The folder'] = files[0]?.webkitRelativePath.split('/') ?? []
  return {
    files: found.slice(0, mostFiles),
    refused:
      found.length === 0
        ? [{ origin: folder, sentences: [emptyFolder(folder)] }]
        : tooMany(found.length, files.length)
  }
}

const tooMany = (found: number, seen: number): Refusal[] =>
  found >= mostFiles || seen > mostEntries
    ? [
        {
          origin: 'Others',
          sentences: [`At most ${mostFiles} files are taken at once. Add the rest once these are read.`]
        }
      ]
    : []

const emptyFolder = (name: string): string => `There is no file that ends in .box in ${name}.`
const unreadable = (name: string, error: unknown): string =>
  `${name} could not be read: ${error instanceof Error ? error.message : String(error)}`

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** A folder is listed in parts, until one is empty. */
async function* childrenOf(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader()
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject)
    )
    if (part.length === 0) return
    yield* part
  }
}
