import { createHash } from 'node:crypto'
import { opendir } from 'node:fs/promises'
import { ifThere, statIfThere } from '../../../blobs/durable.ts'
import type { Listed, Listing } from '../../end.ts'
import { entryOf, type FolderPaths } from './paths.ts'
import { isName, stampOf, type DocumentStore } from './store.ts'
import { explained } from './trouble.ts'

const pageSize = 500
/** Looked at the same time: a share answers each with a delay. */
const atOnce = 16

/** What of a folder's boxes can be told without reading a document: their names and stamps, and whether anything changed. */
export class FolderListings {
  readonly #paths: FolderPaths
  readonly #store: DocumentStore

  constructor(paths: FolderPaths, store: DocumentStore) {
    this.#paths = paths
    this.#store = store
  }

  async list(organization: string | null, cursor: string | null, signal: AbortSignal): Promise<Listing> {
    // Before the walk: what changes during it is another cursor the next time.
    const organizations = await this.organizations(organization)
    const now = await this.#cursorOf(organizations)
    if (cursor === now) return { unchanged: true, boxes: pages(async function* () {}), cursor: () => now }
    let isWalked = false
    const walk = async function* (this: FolderListings): AsyncGenerator<readonly Listed[]> {
      for (const name of organizations) yield* this.#walk(name, signal)
      isWalked = true
    }
    return { unchanged: false, boxes: pages(() => walk.call(this)), cursor: () => (isWalked ? now : null) }
  }

  /** As they are written; all of them, or the one that is asked for if it is there. */
  async organizations(only: string | null): Promise<string[]> {
    if (only !== null && !isName(only)) return []
    const { portions, written } = await namesIn(this.#paths.boxes, 'organization')
    const names = portions
      .flatMap((some) => keysOf(some))
      .map((key) => written.get(key) ?? key)
      .toSorted()
    return only === null ? names : names.filter((name) => name.toLowerCase() === only.toLowerCase())
  }

  async #cursorOf(organizations: readonly string[]): Promise<string> {
    const hash = createHash('sha256')
    for (const name of organizations) hash.update(`${name} ${await this.#store.markOf(name)}\n`)
    return hash.digest('hex')
  }

  async *#walk(organization: string, signal: AbortSignal): AsyncGenerator<readonly Listed[]> {
    const folder = this.#paths.organization(organization)
    try {
      const { portions, written } = await namesIn(folder, 'box')
      for (const some of portions) {
        const page: Listed[] = []
        const keys = keysOf(some)
        for (let i = 0; i < keys.length; i += atOnce) {
          signal.throwIfAborted()
          const looked = keys.slice(i, i + atOnce).map(async (key): Promise<Listed | null> => {
            const found = await statIfThere(this.#paths.box({ organization, name: key }))
            return found && { organization, name: written.get(key) ?? key, stamp: stampOf(found) }
          })
          page.push(...(await Promise.all(looked)).filter((one) => one !== null))
        }
        yield page
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw explained(this.#paths.root, error)
    }
  }
}

/** Many keys as one text: a hundred thousand texts of their own would be tens of megabytes by the time they are collected. */
type Keys = string
/** No name holds it. */
const between = '/'
const keysOf = (keys: Keys): string[] => keys.split(between)

/**
 * All names there are at one moment, and nothing else of what they name: over the minutes a share may take to be walked
 * through, some would be replaced, and be passed over.
 */
async function namesIn(
  path: string,
  of: 'box' | 'organization'
): Promise<{ portions: readonly Keys[]; written: ReadonlyMap<string, string> }> {
  const portions: Keys[] = []
  const written = new Map<string, string>()
  const folder = await ifThere(opendir(path, { bufferSize: 256 }))
  if (!folder) return { portions, written }
  let keys: string[] = []
  const pack = (): void => {
    if (keys.length > 0) portions.push(keys.toSorted().join(between))
    keys = []
  }
  for await (const found of folder) {
    const entry = entryOf(found.name, of)
    if (entry?.kind === 'written') written.set(entry.key, entry.name)
    else if (entry && found.isDirectory() === (of === 'organization')) keys.push(entry.key)
    if (keys.length >= pageSize) pack()
  }
  pack()
  return { portions, written }
}

async function* pages(walk: () => AsyncGenerator<readonly Listed[]>): AsyncGenerator<readonly Listed[]> {
  yield* walk()
}
