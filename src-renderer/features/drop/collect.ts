import { isBoxFile } from './judge.ts'

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

/** Something that was dropped or chosen. A file that was not dropped has no entry. */
export interface Thing {
  readonly file: File
  readonly entry: FileSystemEntry | null
}

/** What a page can take out of a drop only while it is told of it; afterwards it is gone. */
export function hold(data: DataTransfer | FileList): readonly Thing[] {
  if (data instanceof FileList) return [...data].map((file) => ({ file, entry: null }))
  return [...data.items].flatMap((item) => {
    const file = item.kind === 'file' ? item.getAsFile() : null
    return file ? [{ file, entry: item.webkitGetAsEntry() }] : []
  })
}

/** Every box file of what was dropped, in folders too. Of a folder, others are passed over without a word. */
export async function collect(things: readonly Thing[]): Promise<Collected> {
  const found: File[] = []
  const refused: Refusal[] = []
  let seen = 0
  const walk = async (entry: FileSystemEntry, depth: number): Promise<void> => {
    seen += 1
    if (found.length >= mostFiles || seen > mostEntries || depth > deepest) return
    if (isFolder(entry)) for await (const child of childrenOf(entry)) await walk(child, depth + 1)
    else if (isFile(entry) && isBoxFile(entry.name)) found.push(await fileOf(entry))
  }
  for (const { file, entry } of things) {
    if (!entry?.isDirectory) {
      if (isBoxFile(file.name)) found.push(file)
      else refused.push(notABox(file.name))
      continue
    }
    const before = found.length
    try {
      await walk(entry, 0)
      if (found.length === before && found.length < mostFiles) refused.push(emptyFolder(entry.name))
    } catch (error) {
      refused.push({ origin: entry.name, sentences: [unreadable(entry.name, error)] })
    }
  }
  return { files: found.slice(0, mostFiles), refused: [...refused, ...tooMany(found.length, seen)] }
}

/** The same where files have paths, which the product itself looks through. */
export function pathsOf(
  things: readonly Thing[],
  pathOf: (file: File) => string
): { readonly paths: readonly string[]; readonly refused: readonly Refusal[] } {
  const paths: string[] = []
  const refused: Refusal[] = []
  for (const { file, entry } of things) {
    const path = pathOf(file)
    if (path === '') refused.push(withoutPath(file.name))
    else if (entry?.isDirectory || isBoxFile(file.name)) paths.push(path)
    else refused.push(notABox(file.name))
  }
  return { paths, refused }
}

/** What a folder that was chosen holds; the system lists it whole, with everything below it. */
export function boxesOf(files: FileList): Collected {
  const found = [...files].filter(({ name }) => isBoxFile(name))
  const [folder = 'The folder'] = files[0]?.webkitRelativePath.split('/') ?? []
  return {
    files: found.slice(0, mostFiles),
    refused: found.length === 0 ? [emptyFolder(folder)] : tooMany(found.length, files.length)
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

const notABox = (name: string): Refusal => ({
  origin: name,
  sentences: [`${name} does not end in .box, as box files do. Rename it if it is one, and add it again.`]
})
const emptyFolder = (name: string): Refusal => ({
  origin: name,
  sentences: [`There is no file that ends in .box in ${name}.`]
})
const withoutPath = (name: string): Refusal => ({
  origin: name,
  sentences: [`The system does not say where ${name} is. Add it with Browse.`]
})
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
