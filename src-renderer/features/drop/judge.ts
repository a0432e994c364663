import { count } from '../../app/format.ts'

/** What a drop would do, said while the person still holds the files. */
export interface Verdict {
  readonly valid: boolean
  readonly title: string
  readonly detail: string
}

/** As much of what is dragged as a page may know before it is dropped. */
export interface Dragged {
  readonly kind: string
  readonly type: string
}

/** What no box file is, by the beginning of its media type; box files and folders have none, or that of an archive. */
const strangers: readonly (readonly [beginning: string, one: string, many: string])[] = [
  ['image/', 'This is a picture', 'These are pictures'],
  ['video/', 'This is a video', 'These are videos'],
  ['audio/', 'This is a sound', 'These are sounds'],
  ['font/', 'This is a font', 'These are fonts'],
  ['application/pdf', 'This is a document', 'These are documents'],
  ['application/vnd.', 'This is a document', 'These are documents'],
  ['application/msword', 'This is a document', 'These are documents'],
  ['text/', 'This is a text', 'These are texts']
]
const ending = 'box files end in .box.'

/** Judged by kinds and media types, as names are known only after the drop. Null for what is nobody's business here. */
export function judge(dragged: readonly Dragged[]): Verdict | null {
  const files = dragged.filter(({ kind }) => kind === 'file')
  if (files.length > 0) return judgeFiles(files)
  if (dragged.some(({ type }) => type === 'text/uri-list'))
    return {
      valid: true,
      title: 'Drop to add this address',
      detail: 'The file stays where it is; clients are sent there for it.'
    }
  return null
}

function judgeFiles(files: readonly Dragged[]): Verdict {
  const kinds = files.map(({ type }) => strangers.find(([beginning]) => type.startsWith(beginning)))
  const fitting = kinds.filter((kind) => kind === undefined).length
  if (fitting > 0)
    return {
      valid: true,
      title: fitting === 1 ? 'Drop to add it' : `Drop ${count(fitting)} files to add them`,
      detail: fitting === files.length ? whatHappens(fitting) : leftOut(files.length - fitting)
    }
  const [first] = kinds
  const alike = first && kinds.every((kind) => kind?.[0] === first[0])
  const what = !alike ? 'None of these is a box file' : files.length === 1 ? first[1] : first[2]
  return { valid: false, title: 'Nothing here can be added', detail: `${what}; ${ending}` }
}

const whatHappens = (files: number): string =>
  files === 1
    ? 'It is read at once, and published when you say so. Of a folder, every box file in it is taken.'
    : 'They are read at once, and published when you say so. Of folders, every box file in them is taken.'
const leftOut = (files: number): string =>
  files === 1
    ? 'One other cannot be a box file and is left out.'
    : `${count(files)} others cannot be box files and are left out.`

/** What a file is taken for by its name. */
export const isBoxFile = (name: string): boolean => /\.box$/i.test(name)

/** Lines that name something to add: addresses of the web, and files and folders of this machine. */
export function namedIn(text: string): { urls: string[]; paths: string[]; others: string[] } {
  const named = { urls: [] as string[], paths: [] as string[], others: [] as string[] }
  for (const line of text.split(/[\r\n]+/).map(unquoted)) {
    if (line === '' || line.startsWith('#')) continue
    if (/^https?:\/\//i.test(line)) named.urls.push(line)
    else if (/^file:\/\//i.test(line)) named.paths.push(pathOfUrl(line) ?? line)
    else if (/^(\/|~[/\\]|\\\\|[a-z]:[/\\])/i.test(line)) named.paths.push(line)
    else named.others.push(line)
  }
  return named
}

/** File managers put paths with spaces into quotes. */
const unquoted = (line: string): string => line.trim().replace(/^(["'])(.*)\1$/, '$2')

function pathOfUrl(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url).pathname).replace(/^\/([a-z]:)/i, '$1')
  } catch {
    return null
  }
}
