import type { BlobDriver, BoxFacts } from '../../../blobs/driver.ts'
import { readSidecar, type Sidecar } from '../../../catalog/sidecars.ts'
import type { ImageName } from '../../../domain/sync/snapshot.ts'
import { nameKey } from '../../../domain/names.ts'
import type { BoxDocument } from './document.ts'
import { withLock } from './lock.ts'
import type { FolderPaths } from './paths.ts'

type Use = Sidecar['uses'][number]

/**
 * What each file of a folder is used for, in the sidecar beside it: as in the catalogue's own folder, so that a catalogue can
 * be put together from it, and so that a file goes with the last box that uses it. A use is written before the document
 * that needs the file, and taken back after the one that no longer does: a crash leaves a file too many.
 */
export class BlobUses {
  readonly #paths: FolderPaths
  readonly #blobs: BlobDriver

  constructor(paths: FolderPaths, blobs: BlobDriver) {
    this.#paths = paths
    this.#blobs = blobs
  }

  /** What a document says of the images of these versions, each beside its file. Files that are not there are left out. */
  async write(
    document: BoxDocument,
    signal: AbortSignal,
    wants: (image: ImageName) => boolean,
    facts: BoxFacts | null = null
  ): Promise<void> {
    for (const [sha256, uses] of usesOf(document, wants))
      await this.#change(
        sha256,
        signal,
        (before) => [...before.filter((use) => !uses.some(isSameAs(use))), ...uses],
        facts
      )
  }

  /** Takes back what a box used a file for, and removes the file when that was all. */
  async drop(was: BoxDocument, is: BoxDocument | null, signal: AbortSignal): Promise<void> {
    const still = new Map(is ? usesOf(is, () => true) : [])
    for (const [sha256, uses] of usesOf(was, () => true)) {
      const left = still.get(sha256) ?? []
      const gone = uses.filter((use) => !left.some(isSameAs(use)))
      if (gone.length === 0) continue
      await this.#change(sha256, signal, (before) => before.filter((use) => !gone.some(isSameAs(use))), null)
    }
  }

  #change(
    sha256: string,
    signal: AbortSignal,
    change: (uses: readonly Use[]) => readonly Use[],
    facts: BoxFacts | null
  ): Promise<void> {
    return withLock(this.#paths, `file ${sha256}`, signal, async () => {
      const size = await this.#blobs.size(sha256)
      if (size === null) return
      const before = sidecarOf(await this.#blobs.readSidecar(sha256))
      // Of a file whose uses nobody can tell nothing is taken away.
      if (before === 'unreadable') return
      const uses = [...change(before?.uses ?? [])]
      if (uses.length === 0 && before !== null) return this.#blobs.remove(sha256)
      const { format = 'other', facts: known = {} } = before ?? {}
      const sidecar: Sidecar = {
        ...{ schema: 1, sha256, size, uses },
        format: facts?.format ?? format,
        facts: facts ? { ...facts } : known
      }
      await this.#blobs.writeSidecar(sha256, sidecar)
    })
  }
}

function sidecarOf(content: unknown): Sidecar | null | 'unreadable' {
  if (content === null) return null
  try {
    return readSidecar(content) ?? 'unreadable'
  } catch {
    return 'unreadable' // of a newer program
  }
}

const isSameAs =
  (use: Use) =>
  (other: Use): boolean =>
    nameKey(use.organization.name) === nameKey(other.organization.name) &&
    nameKey(use.box.name) === nameKey(other.box.name) &&
    use.version.number === other.version.number &&
    use.image.provider === other.image.provider &&
    use.image.architecture === other.image.architecture

/** By the file they use. */
function usesOf(
  { organization, name, createdAt, changedAt, box }: BoxDocument,
  wants: (image: ImageName) => boolean
): Map<string, Use[]> {
  const found = new Map<string, Use[]>()
  const { shortDescription, description } = box
  for (const { number, status, description: text, images } of box.versions)
    for (const { provider, architecture, isDefault, content } of images) {
      const sha256 = content.kind === 'bytes' ? content.checksums.sha256 : undefined
      if (sha256 === undefined || !wants({ version: number, provider, architecture })) continue
      const use: Use = {
        organization: { name: organization, profile: '', createdAt },
        box: { name, shortDescription, description, private: box.private, createdAt },
        version: { number, status, description: text, createdAt, updatedAt: changedAt },
        image: {
          ...{ provider, architecture, isDefault, createdAt },
          ...{ checksum: sha256, checksumType: null, expected: null }
        }
      }
      found.set(sha256, [...(found.get(sha256) ?? []), use])
    }
  return found
}
