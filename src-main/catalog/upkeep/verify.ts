import { isDeepStrictEqual } from 'node:util'
import type { BlobDriver } from '../../blobs/driver.ts'
import { typeNeeded } from '../../domain/checksum.ts'
import { blobTable, type BlobTable } from '../../store/blob-rows.ts'
import { blobUpkeep, type BlobFacts, type BlobUpkeep, type ImageOfBlob } from '../../store/blob-upkeep.ts'
import { imageTable, type ImageTable } from '../../store/images.ts'
import { databaseFaults } from '../../store/integrity.ts'
import type { Db } from '../../store/open.ts'
import { noteDamage } from '../../store/repair.ts'
import { write } from '../../store/write.ts'
import type { Changes } from '../changes.ts'
import type { Sidecars } from '../sidecars.ts'
import type { Progress } from './progress.ts'

/** What a verification found. */
export interface VerifyReport {
  readonly blobs: number
  readonly bytes: number
  readonly problems: readonly string[]
  /** Sidecars that did not say what the catalogue says, and do now. */
  readonly sidecarsMended: number
}

/** What to verify, and whom to tell. */
export interface VerifyOptions {
  /** Only the images of this box, and not the database. */
  readonly boxId?: number
  /** Only these bytes, and not the database. */
  readonly blob?: string
  readonly onProblem?: (sentence: string) => void
  readonly onProgress?: Progress
  /** Ends it with the signal's reason; what was found until then is noted. */
  readonly signal?: AbortSignal
}

/** Reads everything that is kept and compares it with what the catalogue says. */
export class Verify {
  readonly #dataDir: string
  readonly #db: Db
  readonly #blobs: BlobDriver
  readonly #changes: Changes
  readonly #sidecars: Sidecars
  readonly #now: () => number
  readonly #upkeep: BlobUpkeep
  readonly #images: ImageTable
  readonly #rows: BlobTable

  constructor(parts: {
    dataDir: string
    db: Db
    blobs: BlobDriver
    changes: Changes
    sidecars: Sidecars
    now?: () => number
  }) {
    this.#dataDir = parts.dataDir
    this.#db = parts.db
    this.#blobs = parts.blobs
    this.#changes = parts.changes
    this.#sidecars = parts.sidecars
    this.#now = parts.now ?? Date.now
    this.#upkeep = blobUpkeep(parts.db)
    this.#images = imageTable(parts.db)
    this.#rows = blobTable(parts.db)
  }

  async run({ boxId, blob: only, onProblem, onProgress, signal }: VerifyOptions = {}): Promise<VerifyReport> {
    const problems: string[] = []
    const tell = (sentence: string): void => {
      problems.push(sentence)
      onProblem?.(sentence)
    }
    let blobs = 0
    let bytes = 0
    let sidecarsMended = 0
    const everything = boxId === undefined && only === undefined
    if (everything && this.#databaseIsDamaged(tell)) return { blobs, bytes, problems, sidecarsMended }
    const total = everything ? this.#upkeep.totalOfAll().bytes : null
    for (const blob of this.#chosen(boxId, only)) {
      signal?.throwIfAborted()
      const sound = await this.#verifyBlob(blob, tell, (done) => {
        signal?.throwIfAborted()
        onProgress?.(bytes + done, total)
      })
      if (sound && (await this.#mendSidecar(blob.sha256))) sidecarsMended += 1
      blobs += 1
      bytes += blob.size
    }
    return { blobs, bytes, problems, sidecarsMended }
  }

  #chosen(boxId: number | undefined, blob: string | undefined): Iterable<BlobFacts> {
    if (blob !== undefined) return this.#upkeep.one(blob)
    return boxId === undefined ? this.#upkeep.all() : this.#upkeep.ofBox(boxId)
  }

  #databaseIsDamaged(tell: (sentence: string) => void): boolean {
    const faults = databaseFaults(this.#db)
    for (const fault of faults) tell(`The catalogue's database is damaged: ${fault}.`)
    if (faults[0] === undefined) return false
    noteDamage(this.#dataDir, faults[0])
    tell('The next start of the server repairs it and says what it did; the images were not looked at.')
    return true
  }

  async #verifyBlob(
    blob: BlobFacts,
    tell: (sentence: string) => void,
    onProgress: (bytes: number) => void
  ): Promise<boolean> {
    const images = this.#upkeep.images(blob.sha256)
    const types = [...new Set(images.map(typeShown))]
    const found = await this.#digest(blob.sha256, types, onProgress)
    if (found === null) {
      await this.#noteIfGone(blob.sha256)
      tell(`${filesOf(images, blob)} is missing. ${remedy}`)
      return false
    }
    if (found === 'unreadable' || found.checksums['sha256'] !== blob.sha256) {
      await this.#blobs.quarantine(blob.sha256)
      await this.#noteIfGone(blob.sha256)
      const what = found === 'unreadable' ? 'could not be read' : 'does not hold the bytes that were stored'
      tell(`${filesOf(images, blob)} ${what}; it was moved to the quarantine folder. ${remedy}`)
      return false
    }
    write(this.#db, () => {
      this.#upkeep.noteSound(blob.sha256, this.#now())
      if (blob.damagedAt !== null) this.#changes.bytesChanged(blob.sha256)
    })
    for (const image of images) this.#mendChecksum(image, found.checksums, tell)
    return true
  }

  /** What cannot be read from the disk any more is damaged like what was read wrong. */
  async #digest(
    sha256: string,
    types: readonly ReturnType<typeof typeShown>[],
    onProgress: (n: number) => void
  ) {
    try {
      return await this.#blobs.digest(sha256, ['sha256', ...types], onProgress)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EIO') return 'unreadable'
      throw error
    }
  }

  /** The same bytes may have arrived anew meanwhile, and then nothing is missing. */
  async #noteIfGone(sha256: string): Promise<void> {
    if ((await this.#blobs.size(sha256)) !== null) return
    write(this.#db, () => {
      this.#upkeep.noteDamaged(sha256, this.#now())
      this.#changes.bytesChanged(sha256)
    })
  }

  #mendChecksum(
    image: ImageOfBlob,
    checksums: Readonly<Record<string, string>>,
    tell: (sentence: string) => void
  ): void {
    const type = typeShown(image)
    const actual = checksums[type]
    if (actual === undefined || image.checksum === actual) return
    this.#images.setChecksum(image.id, actual)
    tell(`The catalogue gave a wrong ${type} checksum for ${image.name}; it was corrected.`)
  }

  /** Through the list of stale ones, so that whoever else writes sidecars does not come in between. */
  async #mendSidecar(sha256: string): Promise<boolean> {
    const kept = await this.#blobs.readSidecar(sha256)
    if (isDeepStrictEqual(kept, this.#sidecars.describe(sha256))) return false
    this.#rows.markStale(sha256)
    await this.#sidecars.drain()
    return true
  }
}

const remedy = 'Upload or import it again.'

const typeShown = ({ checksumType }: ImageOfBlob) => typeNeeded({ type: checksumType, expected: null })

function filesOf(images: readonly ImageOfBlob[], { sha256 }: BlobFacts): string {
  const names = images.map(({ name }) => name)
  return names.length === 0
    ? `The unused file ${sha256}`
    : `The file of ${names.join(' and of ')} (${sha256.slice(0, 12)}…)`
}
