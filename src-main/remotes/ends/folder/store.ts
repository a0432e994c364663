import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder, statIfThere, syncFolder } from '../../../blobs/durable.ts'
import { NoSuchFile, openRegular, readSmall } from '../../../blobs/regular-file.ts'
import { nameFault } from '../../../domain/names.ts'
import type { BoxSnapshot } from '../../../domain/sync/snapshot.ts'
import type { Tag } from '../../end.ts'
import { damaged, documentOf, largestDocument, readDocument, type BoxDocument } from './document.ts'
import { withLock } from './lock.ts'
import type { FolderPaths } from './paths.ts'

/** A document as it was read. */
export interface Found {
  readonly document: BoxDocument
  readonly stamp: string
}

/** Disks that travel keep times in steps of up to so many milliseconds. */
const coarsestTime = 2000

/** Of the note that something has changed. */
const longestMark = 1024

/** What somebody else put in its place says nothing. */
function noMark(error: unknown): null {
  if (error instanceof NoSuchFile) return null
  throw error
}

/** Another text whenever a document was replaced; to be had without reading it. */
export const stampOf = ({ mtimeMs, size }: { readonly mtimeMs: number; readonly size: number }): string =>
  `${Math.round(mtimeMs * 1000)}.${size}`

/** Whether a name could be one of a document at all. */
export const isName = (name: string): boolean => nameFault('The name', name) === null

/** The documents of a folder, which other machines may read and replace at the same time. */
export class DocumentStore {
  readonly #paths: FolderPaths
  readonly #now: () => number

  constructor(paths: FolderPaths, now: () => number) {
    this.#paths = paths
    this.#now = now
  }

  /** Null where there is none. */
  async read(tag: Tag): Promise<Found | null> {
    if (!isName(tag.organization) || !isName(tag.name)) return null
    const path = this.#paths.box(tag)
    const file = await openRegular(path).catch((error: unknown) => {
      throw error instanceof NoSuchFile ? damaged(path) : error
    })
    if (!file) return null
    try {
      // Of the very file that is read, though another may take its place meanwhile.
      const found = await file.stat()
      if (found.size > largestDocument) throw damaged(path)
      return { document: readDocument(await file.readFile('utf8'), tag, path), stamp: stampOf(found) }
    } finally {
      await file.close()
    }
  }

  /**
   * Replaces a document by what `change` makes of it as it is then, while nobody else does so; null removes it. Answers
   * both, the same one where nothing had to be changed. `before` is called with the change in between.
   */
  async change(
    tag: Tag,
    signal: AbortSignal,
    change: (box: BoxSnapshot | null) => BoxSnapshot | null,
    before: (next: BoxDocument) => Promise<void> = async () => {}
  ): Promise<{ readonly was: BoxDocument | null; readonly is: BoxDocument | null }> {
    const what = `box ${tag.organization}/${tag.name}`.toLowerCase()
    return withLock(this.#paths, what, signal, async () => {
      const found = await this.read(tag)
      const was = found?.document ?? null
      const box = change(was?.box ?? null)
      if (box === (was?.box ?? null)) return { was, is: was }
      if (box === null) {
        await this.#remove(tag)
        return { was, is: null }
      }
      const changedAt = this.#now()
      const is = documentOf(was ?? tag, box, { createdAt: was?.createdAt ?? changedAt, changedAt })
      await before(is)
      await this.#write(tag, is, found?.stamp ?? null)
      return { was, is }
    })
  }

  async #write(tag: Tag, document: BoxDocument, stamp: string | null): Promise<void> {
    const path = this.#paths.box(tag)
    await makeFolder(dirname(path))
    if (stamp === null) for (const note of this.#paths.written(tag)) await (await open(note, 'a')).close()
    await this.#replace(path, `${JSON.stringify(document, null, 1)}\n`, stamp)
    await this.#noteChange(tag)
  }

  async #remove(tag: Tag): Promise<void> {
    const path = this.#paths.box(tag)
    await rm(path, { force: true })
    // How the organization is written stays: other boxes may be in it.
    const [note] = this.#paths.written(tag).slice(-1)
    if (note !== undefined && dirname(note) === dirname(path)) await rm(note, { force: true })
    await syncFolder(dirname(path))
    await this.#noteChange(tag)
  }

  /** Times of folders are too coarse on some disks to tell of each change by themselves. */
  async #noteChange({ organization }: Tag): Promise<void> {
    await this.#replace(this.#paths.changed(organization), randomUUID(), null)
  }

  /** In one step, and durable: others see the old content or the new. Never with the stamp of the one before. */
  async #replace(path: string, content: string, stamp: string | null): Promise<void> {
    const folder = dirname(path)
    await mkdir(folder, { recursive: true })
    const staged = `${folder}/.${randomUUID()}`
    try {
      const file = await open(staged, 'wx')
      try {
        await file.writeFile(content)
        await file.sync()
      } finally {
        await file.close()
      }
      const written = await stat(staged)
      if (stamp !== null && stampOf(written) === stamp) {
        const later = new Date(written.mtimeMs + coarsestTime)
        await utimes(staged, later, later)
      }
      await rename(staged, path)
    } catch (error) {
      await rm(staged, { force: true })
      throw error
    }
    await syncFolder(folder)
  }

  /** What tells that something of an organization has changed, without looking at its documents. */
  async markOf(organization: string): Promise<string> {
    const [folder, change] = await Promise.all([
      statIfThere(this.#paths.organization(organization)),
      readSmall(this.#paths.changed(organization), longestMark).catch(noMark)
    ])
    return `${folder?.mtimeMs ?? ''} ${change?.slice(0, 64) ?? ''}`
  }
}
