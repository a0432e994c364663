import type { BlobDriver, Staged } from '../blobs/driver.ts'
import { mismatch, typeNeeded } from '../domain/checksum.ts'
import { operator, type Caller, type ChecksumType, type Image } from '../domain/model.ts'
import { missing } from '../domain/problem.ts'
import { refuseFaults } from '../domain/texts.ts'
import { blobTable, type BlobTable } from '../store/blob-rows.ts'
import { boxTable, type BoxTable } from '../store/boxes.ts'
import { imageTable, type ImageBytes, type ImageTable, type StoredImage } from '../store/images.ts'
import type { Db } from '../store/open.ts'
import { versionTable, type VersionTable } from '../store/versions.ts'
import { blobChecksum } from './blob-checksums.ts'
import type { Changes } from './changes.ts'
import { mirrorGuard, type MirrorGuard } from './mirror-guard.ts'

type Checksums = Readonly<Partial<Record<ChecksumType, string>>>

/** Bytes that are in the store, on their way to being an image. */
export interface ArrivedBytes {
  readonly sha256: string
  /** Those that are known already. */
  readonly checksums: Checksums
  readonly hostedToken: string | null
  /** Who brings them; absent for the person at this machine, or whom a client's upload was given to. */
  readonly caller?: Caller
}

/** Makes arrived bytes the file of an image: the old ones are served until the new ones are, whole and checked. */
export class Publishing {
  readonly #changes: Changes
  readonly #bytes: BlobDriver
  readonly #now: () => number
  readonly #boxes: BoxTable
  readonly #versions: VersionTable
  readonly #images: ImageTable
  readonly #blobs: BlobTable
  readonly #guard: MirrorGuard

  constructor(parts: { db: Db; changes: Changes; blobs: BlobDriver; now?: (() => number) | undefined }) {
    this.#changes = parts.changes
    this.#bytes = parts.blobs
    this.#now = parts.now ?? Date.now
    this.#boxes = boxTable(parts.db)
    this.#versions = versionTable(parts.db)
    this.#images = imageTable(parts.db)
    this.#blobs = blobTable(parts.db)
    this.#guard = mirrorGuard(parts.db)
  }

  /** The type in which bytes for an image should be digested while they come; missing when there is no such image. */
  typeNeeded(imageId: number): ChecksumType {
    return typeNeeded(this.#image(imageId).declared)
  }

  /** Refuses bytes that are known not to be the ones declared for an image. */
  check(imageId: number, { checksums }: Staged): void {
    const { declared } = this.#image(imageId)
    if (checksums[typeNeeded(declared)] !== undefined) refuseFaults([mismatch(declared, checksums)])
  }

  /** To be called within a transaction, before anything refers to bytes that have been put into the store. */
  record({ sha256, size, facts }: Staged): void {
    const { format } = facts
    const blob = { sha256, size, format, facts: JSON.stringify(facts), createdAt: this.#now() }
    if (this.#blobs.put(blob)) this.#changes.bytesChanged(sha256)
  }

  /**
   * Carries out a change that makes the bytes the file of an image: `work` is given what does it, and may be called
   * again, after all it did was undone, when the bytes have to be read once more for a type of checksum.
   */
  async publish<T>(
    { sha256, checksums, hostedToken, caller = operator }: ArrivedBytes,
    work: (put: (imageId: number) => Image, now: number) => T
  ): Promise<T> {
    let known: Checksums = { ...checksums, sha256 }
    for (;;) {
      try {
        return this.#changes.make((now) =>
          work((imageId) => this.#put(imageId, { sha256, checksums: known, hostedToken, caller }, now), now)
        )
      } catch (error) {
        if (!(error instanceof ChecksumUnknown)) throw error
        known = { ...known, [error.type]: await blobChecksum(this.#bytes, sha256, error.type) }
      }
    }
  }

  #put(
    imageId: number,
    { sha256, checksums, hostedToken, caller }: Required<ArrivedBytes>,
    now: number
  ): Image {
    const image = this.#image(imageId)
    const type = typeNeeded(image.declared)
    const checksum = checksums[type]
    if (checksum === undefined) throw new ChecksumUnknown(type)
    refuseFaults([mismatch(image.declared, checksums)])
    this.#replace(image, { blob: sha256, checksum, hostedToken }, caller, now)
    return this.#image(imageId)
  }

  #replace(image: StoredImage, bytes: ImageBytes, caller: Caller, now: number): void {
    const version = this.#versions.get(image.versionId)
    const box = version && this.#boxes.get(version.boxId)
    if (!box) throw missing()
    this.#guard(caller, box)
    if (image.blob !== null) this.#blobs.markStale(image.blob)
    this.#images.setBytes(image.id, bytes, now)
    this.#changes.imagesChanged(version.id, box)
  }

  #image(id: number): StoredImage {
    const image = this.#images.get(id)
    if (!image) throw missing()
    return image
  }
}

/** Undoes a change until the bytes have been digested in one more type. */
class ChecksumUnknown extends Error {
  readonly type: ChecksumType

  constructor(type: ChecksumType) {
    super(`the ${type} checksum is not known yet`)
    this.type = type
  }
}
