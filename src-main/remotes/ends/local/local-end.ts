import { LRUCache } from 'lru-cache'
import type { BlobDriver } from '../../../blobs/driver.ts'
import { blobChecksum } from '../../../catalog/blob-checksums.ts'
import type { Boxes } from '../../../catalog/boxes.ts'
import type { Images } from '../../../catalog/images.ts'
import type { Mirrored } from '../../../catalog/mirrored.ts'
import type { Synced } from '../../../catalog/synced.ts'
import type { Versions } from '../../../catalog/versions.ts'
import { wholeImageInWords } from '../../../contract/sentences.ts'
import { mirroring, operator, type Caller, type ChecksumType } from '../../../domain/model.ts'
import { Problem } from '../../../domain/problem.ts'
import type { Deed } from '../../../domain/sync/plan-types.ts'
import type { BoxSnapshot, ImageName } from '../../../domain/sync/snapshot.ts'
import type { Db } from '../../../store/open.ts'
import type { BytesToPut, End, Listing, OpenedBytes, PutOptions, Seen, Tag } from '../../end.ts'
import { endedBy } from '../../aborting.ts'
import { RemoteFailure } from '../../failure.ts'
import { whatIsMore } from './claim.ts'
import { carryOutHere } from './deeds.ts'
import { LocalListings } from './listing.ts'
import { Receiving } from './receiving.ts'
import { seenOf } from './snapshot.ts'

/** The services the catalogue is changed and read through. */
export interface LocalParts {
  readonly db: Db
  readonly blobs: BlobDriver
  readonly boxes: Boxes
  readonly versions: Versions
  readonly images: Images
  readonly synced: Synced
  readonly mirrored: Mirrored
}

/** The catalogue, in which the boxes of one remote are kept as mirrors. */
export interface MirrorEnd extends End {
  /**
   * Makes an own box a mirror when it holds nothing but what the remote has, and is to be called before anything is pulled
   * into it. Otherwise a Problem says what it holds. Of a mirror, or where there is no box, nothing is to be done.
   */
  claim(tag: Tag, theirs: BoxSnapshot): Promise<void>
}

/** Checksums that had to be computed are remembered for so many files. */
const mostChecksums = 10_000

/** The catalogue on behalf of a caller. */
class CatalogueEnd implements End {
  readonly traits = { architectures: true, longestShortDescription: 255, writable: true }
  protected readonly parts: LocalParts
  protected readonly checksums: KnownChecksums
  readonly #caller: Caller
  readonly #receiving: Receiving
  readonly #listings: LocalListings

  constructor(parts: LocalParts, caller: Caller, checksums: KnownChecksums) {
    this.parts = parts
    this.checksums = checksums
    this.#caller = caller
    this.#receiving = new Receiving({ ...parts, checksumOf: (sha256, type) => checksums.of(sha256, type) })
    this.#listings = new LocalListings(parts.db)
  }

  async read(tag: Tag, _signal?: AbortSignal): Promise<Seen | null> {
    return seenOf(this.parts, tag)
  }

  async carryOut(tag: Tag, deed: Exclude<Deed, { kind: 'put-bytes' }>, _signal?: AbortSignal): Promise<void> {
    carryOutHere(this.parts, this.#caller, tag, deed)
  }

  put(tag: Tag, image: ImageName, bytes: BytesToPut, options: PutOptions): Promise<void> {
    return this.#receiving.put(this.#caller, tag, image, bytes, options)
  }

  async open(tag: Tag, image: ImageName, from: number, signal: AbortSignal): Promise<OpenedBytes> {
    const { blob, size } = imageAt(this.parts, tag, image)
    if (blob === null)
      throw new RemoteFailure('missing', [
        `The file of ${wholeImageInWords(tag, image)} is not on this disk.`
      ])
    const body = await this.parts.blobs.read(blob, from)
    return { body: endedBy(signal, body), from, size }
  }

  async list(organization: string | null, cursor: string | null, signal: AbortSignal): Promise<Listing> {
    return this.#listings.list(organization, cursor, signal)
  }

  async close(): Promise<void> {}
}

/** The catalogue here, as one of the ends boxes go between. */
export class LocalEnd extends CatalogueEnd {
  constructor(parts: LocalParts) {
    super(parts, operator, new KnownChecksums(parts.blobs))
  }

  /** The same catalogue, in which boxes that are made or pulled are mirrors of that remote and may be changed as such. */
  asMirrorOf(remoteId: number): MirrorEnd {
    return new Mirroring(this.parts, remoteId, this.checksums)
  }

  /** A checksum of an image's bytes in a type that was not computed before; read again if need be. Null without bytes. */
  async checksum(tag: Tag, image: ImageName, type: ChecksumType): Promise<string | null> {
    const { blob, checksum, checksumType } = imageAt(this.parts, tag, image)
    if (blob === null) return null
    return checksumType === type && checksum !== null ? checksum : this.checksums.of(blob, type)
  }
}

class Mirroring extends CatalogueEnd implements MirrorEnd {
  readonly #remoteId: number

  constructor(parts: LocalParts, remoteId: number, checksums: KnownChecksums) {
    super(parts, mirroring(remoteId), checksums)
    this.#remoteId = remoteId
  }

  async claim({ organization, name }: Tag, theirs: BoxSnapshot): Promise<void> {
    const mine = seenOf(this.parts, { organization, name })
    const from = this.parts.mirrored.of(organization, name)
    if (!mine || from?.remoteId === this.#remoteId) return
    const more = from ? `it is a mirror of the box at ${from.remoteName}` : whatIsMore(mine.snapshot, theirs)
    if (more !== null)
      throw new Problem(
        'conflict',
        `${organization}/${name} is a box of its own here and is not made a mirror: ${more}.`,
        'Rename or delete the one here first, or pull instead of mirroring, which keeps both.'
      )
    this.parts.mirrored.adopt(organization, name, this.#remoteId)
  }
}

function imageAt({ images }: LocalParts, { organization, name }: Tag, image: ImageName) {
  return images.read(operator, { organization, box: name, ...image })
}

/** Checksums of stored bytes in types that were not computed when they came. */
class KnownChecksums {
  readonly #blobs: BlobDriver
  readonly #known = new LRUCache<string, string>({ max: mostChecksums })

  constructor(blobs: BlobDriver) {
    this.#blobs = blobs
  }

  async of(sha256: string, type: ChecksumType): Promise<string> {
    const key = `${sha256} ${type}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const computed = await blobChecksum(this.#blobs, sha256, type)
    this.#known.set(key, computed)
    return computed
  }
}
