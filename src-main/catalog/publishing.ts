import type { BlobDriver, Staged } from '../blobs/driver.ts'
import { mismatch, typeNeeded } from '../domain/checksum.ts'
import type { ChecksumType, Image } from '../domain/model.ts'
import { missing } from '../domain/problem.ts'
import { refuseFaults } from '../domain/texts.ts'
import { blobTable, type BlobTable } from '../store/blob-rows.ts'
import { boxTable, type BoxTable } from '../store/boxes.ts'
import { imageTable, type ImageBytes, type ImageTable, type StoredImage } from '../store/images.ts'
import type { Db } from '../store/open.ts'
import { versionTable, type VersionTable } from '../store/versions.ts'
import { blobChecksum } from './blob-checksums.ts'
import type { Changes } from './changes.ts'

/** Bytes that are in the store, on their way to being an image. */
export interface ArrivedBytes {
  readonly sha256: string
  readonly checksums: Readonly<Partial<Record<ChecksumType, string>>>
  readonly hostedToken: string | null
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

  constructor(parts: { db: Db; changes: Changes; blobs: BlobDriver; now?: (() => number) | undefined }) {
    this.#changes = parts.changes
    this.#bytes = parts.blobs
    this.#now = parts.now ?? Date.now
    this.#boxes = boxTable(parts.db)
    this.#versions = versionTable(parts.db)
    this.#images = imageTable(parts.db)
    this.#blobs = blobTable(parts.db)
  }

  /** The type in which bytes for an image should be digested while they come; missing when there is no such image. */
  typeNeeded(imageId: number): ChecksumType {
    return typeNeeded(this.#image(imageId).declared)
  }

  /**
   * Puts staged bytes into the store, durably, unless they are not the ones that were declared for the image.
   * They are in no catalogue yet; whatever fails from here on leaves them to garbage collection.
   */
  async keep(imageId: number, staged: Staged): Promise<void> {
    try {
      const { declared } = this.#image(imageId)
      if (staged.checksums[typeNeeded(declared)] !== undefined)
        refuseFaults([mismatch(declared, staged.checksums)])
      await this.#bytes.commit(staged)
    } catch (error) {
      await this.#bytes.discard(staged)
      throw error
    }
  }

  /** To be called within a transaction, before anything refers to bytes that were kept. */
  record({ sha256, size, facts }: Staged): void {
    const { format } = facts
    this.#blobs.put({ sha256, size, format, facts: JSON.stringify(facts), createdAt: this.#now() })
  }

  /** `before` is carried out first, in the same transaction, and may refuse. */
  async publish(imageId: number, bytes: ArrivedBytes, before: (now: number) => void): Promise<Image> {
    let checksums = { ...bytes.checksums, sha256: bytes.sha256 }
    for (;;) {
      const type = this.typeNeeded(imageId)
      if (checksums[type] === undefined)
        checksums = { ...checksums, [type]: await blobChecksum(this.#bytes, bytes.sha256, type) }
      const published = this.#changes.make((now) => {
        const image = this.#image(imageId)
        const checksum = checksums[typeNeeded(image.declared)]
        // Another type was declared in the meantime.
        if (checksum === undefined) return null
        refuseFaults([mismatch(image.declared, checksums)])
        before(now)
        this.#replace(image, { blob: bytes.sha256, checksum, hostedToken: bytes.hostedToken }, now)
        return this.#image(imageId)
      })
      if (published) return published
    }
  }

  #replace(image: StoredImage, bytes: ImageBytes, now: number): void {
    const version = this.#versions.get(image.versionId)
    const box = version && this.#boxes.get(version.boxId)
    if (!box) throw missing()
    if (image.blob !== null) this.#blobs.markStale(image.blob)
    this.#images.setBytes(image.id, bytes, now)
    this.#blobs.markStale(bytes.blob)
    this.#versions.touch(version.id, now)
    this.#changes.boxChanged(box)
  }

  #image(id: number): StoredImage {
    const image = this.#images.get(id)
    if (!image) throw missing()
    return image
  }
}
