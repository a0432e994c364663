import type { BlobDriver, Staged } from '../blobs/driver.ts'
import { declare } from '../domain/checksum.ts'
import { operator, type Image } from '../domain/model.ts'
import { missing } from '../domain/problem.ts'
import { refuseFaults } from '../domain/texts.ts'
import { nextNumber, numberFault } from '../domain/version-number.ts'
import { blobTable, type BlobTable } from '../store/blob-rows.ts'
import { boxTable, type BoxTable, type StoredBox } from '../store/boxes.ts'
import { imageTable, type ImageTable, type StoredImage } from '../store/images.ts'
import type { Db } from '../store/open.ts'
import { versionTable, type StoredVersion, type VersionTable } from '../store/versions.ts'
import type { Boxes } from './boxes.ts'
import type { Changes } from './changes.ts'
import type { Images } from './images.ts'
import { mirrorGuard, type MirrorGuard } from './mirror-guard.ts'
import type { Publishing } from './publishing.ts'
import type { Versions } from './versions.ts'

/** Which image a file is to become, and what goes with it. What is there already stays as it is. */
export interface Place {
  readonly organization: string
  readonly name: string
  /** Null for the next one. */
  readonly version: string | null
  readonly provider: string
  readonly architecture: string
  /** Of a box that has to be made. */
  readonly private: boolean
  readonly shortDescription?: string
  /** Of a version that has to be made. */
  readonly versionDescription?: string
  /** What the bytes must have, or those at the url are said to have; in a type of its own. */
  readonly checksum?: { readonly checksum: string; readonly checksumType: string } | null
  readonly isDefault?: boolean
  readonly release: boolean
}

/** What a file has become. */
export interface Placed {
  readonly box: StoredBox
  readonly version: StoredVersion
  readonly image: Image
}

interface Parts {
  readonly db: Db
  readonly blobs: BlobDriver
  readonly boxes: Boxes
  readonly versions: Versions
  readonly images: Images
  readonly publishing: Publishing
  readonly changes: Changes
}

const firstNumber = '1.0.0'

/** Makes files that have arrived images, for the person at this machine: with box and version as needed, all of it or nothing. */
export class Placing {
  readonly #parts: Parts
  readonly #boxes: BoxTable
  readonly #versions: VersionTable
  readonly #images: ImageTable
  readonly #blobs: BlobTable
  readonly #guard: MirrorGuard

  constructor(parts: Parts) {
    this.#parts = parts
    this.#boxes = boxTable(parts.db)
    this.#versions = versionTable(parts.db)
    this.#images = imageTable(parts.db)
    this.#blobs = blobTable(parts.db)
    this.#guard = mirrorGuard(parts.db)
  }

  /** An image that is there gets the bytes. `alongside` is carried out in the same transaction, if need be again. */
  async bytes(staged: Staged, place: Place, alongside: () => void = () => {}): Promise<Placed> {
    const { blobs, publishing } = this.#parts
    await blobs.commit(staged)
    const bytes = { sha256: staged.sha256, checksums: staged.checksums, hostedToken: null }
    return publishing.publish(bytes, (put, now) => {
      publishing.record(staged)
      const { box, version } = this.#make(place)
      const there = this.#images.find(version.id, place.provider, place.architecture)
      const image = put(there ? this.#declare(there, place, now) : this.#create(box, version, place))
      this.#settleDefault(image.id, place)
      const released = this.#release(box, version, place)
      alongside()
      return { box, version: released, image }
    })
  }

  /** The same for a file that stays elsewhere: an image that is there gets the url in place of what it had. */
  url(url: string, place: Place, alongside: () => void = () => {}): Placed {
    return this.#parts.changes.make((now) => {
      const { box, version } = this.#make(place)
      const there = this.#images.find(version.id, place.provider, place.architecture)
      const id = there ? this.#link(box, there, url, place, now) : this.#create(box, version, place, url)
      this.#settleDefault(id, place)
      const released = this.#release(box, version, place)
      alongside()
      return { box, version: released, image: this.#image(id) }
    })
  }

  #make(place: Place): { box: StoredBox; version: StoredVersion } {
    const { boxes, versions } = this.#parts
    const { organization, name, shortDescription, versionDescription: description } = place
    const find = (): StoredBox | null => this.#boxes.find(organization, name)
    const there = find()
    if (!there)
      boxes.create(operator, {
        ...{ organization, name, private: place.private },
        ...(shortDescription !== undefined && { shortDescription })
      })
    const box = there ?? find()
    if (!box) throw missing()
    this.#guard(operator, box)
    const number = place.version ?? this.#nextNumber(box)
    const version = numberFault(number) === null ? this.#versions.findEqual(box.id, number) : null
    if (version?.number === number) return { box, version }
    const { id } = versions.create(operator, organization, name, {
      number,
      ...(description !== undefined && { description })
    })
    const made = this.#versions.get(id)
    if (!made) throw missing()
    return { box, version: made }
  }

  #nextNumber(box: StoredBox): string {
    const highest = this.#versions.highestOf(box.id)
    return highest === null ? firstNumber : nextNumber(highest)
  }

  #create(box: StoredBox, { number }: StoredVersion, place: Place, url: string | null = null): number {
    const { provider, architecture, checksum } = place
    const ref = { organization: box.organization, box: box.name, version: number }
    return this.#parts.images.create(operator, ref, { provider, architecture, url, ...checksum }).id
  }

  /** Notes what the bytes must have, against which they are checked when they become the image's. */
  #declare(image: StoredImage, { checksum }: Place, now: number): number {
    if (checksum) this.#images.update(image.id, { ...image, declared: declaredAfter(image, checksum) }, now)
    return image.id
  }

  #link(box: StoredBox, image: StoredImage, url: string, { checksum }: Place, now: number): number {
    this.#blobs.markStaleOfVersion(image.versionId)
    this.#images.dropBytes(image.id)
    const declared = declaredAfter(image, checksum ?? { checksum: '', checksumType: '' })
    this.#images.update(image.id, { ...image, url, declared }, now)
    this.#parts.changes.imagesChanged(image.versionId, box)
    return image.id
  }

  #settleDefault(id: number, { isDefault }: Place): void {
    const image = this.#image(id)
    if (!isDefault || image.isDefault) return
    this.#images.setDefault(image)
    this.#blobs.markStaleOfVersion(image.versionId)
  }

  #release({ organization, name }: StoredBox, version: StoredVersion, { release }: Place): StoredVersion {
    if (release && version.status !== 'active')
      this.#parts.versions.release(operator, organization, name, version.number)
    return this.#versions.get(version.id) ?? version
  }

  #image(id: number): StoredImage {
    const image = this.#images.get(id)
    if (!image) throw missing()
    return image
  }
}

function declaredAfter(
  { declared }: StoredImage,
  checksum: { readonly checksum: string; readonly checksumType: string }
): StoredImage['declared'] {
  const after = declare(declared, checksum)
  if (!('faults' in after)) return after
  refuseFaults(after.faults)
  return declared
}
