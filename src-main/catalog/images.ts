import type { Permissions } from '../access/permissions.ts'
import type { BlobDriver } from '../blobs/driver.ts'
import { wholeImageInWords } from '../contract/sentences.ts'
import { architectureFault, unknownArchitecture } from '../domain/architecture.ts'
import { declare, nothingDeclared, typeNeeded } from '../domain/checksum.ts'
import { defaultOf } from '../domain/default-architecture.ts'
import { imageUrlFault } from '../domain/image-url.ts'
import type { Caller, Image } from '../domain/model.ts'
import { nameFault } from '../domain/names.ts'
import { missing } from '../domain/problem.ts'
import { refuseFaults } from '../domain/texts.ts'
import { blobTable, type BlobTable } from '../store/blob-rows.ts'
import { blobUpkeep, type BlobUpkeep, type Soundness } from '../store/blob-upkeep.ts'
import type { StoredBox } from '../store/boxes.ts'
import { imageTable, type ImageFields, type ImageTable, type StoredImage } from '../store/images.ts'
import type { Db } from '../store/open.ts'
import { trashTable, type TrashTable } from '../store/trash.ts'
import type { StoredVersion } from '../store/versions.ts'
import { blobChecksum } from './blob-checksums.ts'
import type { Changes } from './changes.ts'
import { Lookup, type ImageRef } from './lookup.ts'
import type { Deleted } from './trash.ts'

/** What a client says of an image. Null or absent leaves what is there, or means "not given" for a new one. */
export interface ImageInput {
  readonly provider?: string | null
  readonly url?: string | null
  readonly checksum?: string | null
  readonly checksumType?: string | null
  readonly architecture?: string | null
  /** False changes nothing: there always is a default, and it moves when another asks to be it. */
  readonly isDefault?: boolean | null
}

/** What a request names, found. */
interface Found {
  readonly box: StoredBox
  readonly version: StoredVersion
  readonly image: StoredImage
}

const newImage: ImageFields = {
  provider: '',
  architecture: unknownArchitecture,
  url: null,
  declared: nothingDeclared
}

export class Images {
  readonly #changes: Changes
  readonly #bytes: BlobDriver
  readonly #lookup: Lookup
  readonly #images: ImageTable
  readonly #blobs: BlobTable
  readonly #trash: TrashTable
  readonly #upkeep: BlobUpkeep

  constructor(parts: { db: Db; permissions: Permissions; changes: Changes; blobs: BlobDriver }) {
    this.#changes = parts.changes
    this.#bytes = parts.blobs
    this.#lookup = new Lookup(parts)
    this.#images = imageTable(parts.db)
    this.#blobs = blobTable(parts.db)
    this.#trash = trashTable(parts.db)
    this.#upkeep = blobUpkeep(parts.db)
  }

  read(caller: Caller, ref: ImageRef): Image {
    const box = this.#lookup.box(caller, ref.organization, ref.box)
    return this.#lookup.image(this.#lookup.version(caller, box, ref.version), ref)
  }

  /** What is known of the bytes of a box's images, by their ids; images without bytes here are left out. */
  soundness(boxId: number): ReadonlyMap<number, Soundness> {
    return new Map(this.#upkeep.soundness(boxId).map((one) => [one.imageId, one]))
  }

  create(caller: Caller, ref: Pick<ImageRef, 'organization' | 'box' | 'version'>, input: ImageInput): Image {
    return this.#changes.make((now) => {
      const box = this.#lookup.boxToChange(caller, ref.organization, ref.box)
      const version = this.#lookup.version(caller, box, ref.version)
      const fields = this.#fieldsAfter(newImage, input, version.id, null)
      const id = this.#images.insert(version.id, fields, now)
      this.#settleDefault(version.id, fields.provider, input.isDefault ? id : null)
      return this.#changed({ box, version }, id)
    })
  }

  async update(caller: Caller, ref: ImageRef, input: ImageInput): Promise<Image> {
    for (;;) {
      const { version, image } = this.#find(caller, ref)
      const { url, declared } = this.#fieldsAfter(image, input, version.id, image.id)
      const type = typeNeeded(declared)
      // The bytes may have to be read for this, so it happens before the change, which then looks whether it still fits.
      const checksum =
        url !== null || image.blob === null || type === image.checksumType
          ? image.checksum
          : await blobChecksum(this.#bytes, image.blob, type)
      const updated = this.#changes.make((now) => {
        const found = this.#find(caller, ref)
        const fields = this.#fieldsAfter(found.image, input, found.version.id, found.image.id)
        if (found.image.blob !== image.blob || typeNeeded(fields.declared) !== type) return null
        return this.#update(found, fields, input.isDefault ?? false, checksum, now)
      })
      if (updated) return updated
    }
  }

  /** To the trash. */
  remove(caller: Caller, ref: ImageRef): Deleted<Image> {
    return this.#changes.make((now) => {
      const { box, version, image } = this.#find(caller, ref)
      const what = wholeImageInWords(box, { ...image, version: version.number })
      const trashId = this.#trash.add(what, now)
      this.#trash.keepImage(trashId, image.id)
      if (image.blob !== null) this.#blobs.markStale(image.blob)
      this.#images.remove(image.id)
      this.#settleDefault(version.id, image.provider, null)
      this.#changes.imagesChanged(version.id, box)
      return { gone: image, trashId, what }
    })
  }

  #update(
    found: Found,
    fields: ImageFields,
    asDefault: boolean,
    checksum: string | null,
    now: number
  ): Image {
    const { version, image } = found
    if (image.blob !== null) this.#blobs.markStale(image.blob)
    const moves = fields.provider !== image.provider
    if (moves) this.#images.unsetDefault(image.id)
    if (fields.url !== null) this.#images.dropBytes(image.id)
    else if (image.blob !== null && checksum !== null) this.#images.setChecksum(image.id, checksum)
    this.#images.update(image.id, fields, now)
    if (moves) this.#settleDefault(version.id, image.provider, null)
    this.#settleDefault(version.id, fields.provider, asDefault ? image.id : null)
    return this.#changed(found, image.id)
  }

  #find(caller: Caller, ref: ImageRef): Found {
    const box = this.#lookup.boxToChange(caller, ref.organization, ref.box)
    const version = this.#lookup.version(caller, box, ref.version)
    return { box, version, image: this.#lookup.image(version, ref) }
  }

  /** What is to be written, once nothing is wrong with it. */
  #fieldsAfter(current: ImageFields, input: ImageInput, versionId: number, self: number | null): ImageFields {
    const declared = declare(current.declared, input)
    const faulty = 'faults' in declared
    const fields: ImageFields = {
      provider: input.provider ?? current.provider,
      architecture: input.architecture || current.architecture,
      url: input.url || current.url,
      declared: faulty ? current.declared : declared
    }
    const namesake = this.#images.find(versionId, fields.provider, fields.architecture)
    refuseFaults([
      nameFault('The provider name', fields.provider),
      architectureFault(fields.architecture),
      fields.url === null ? null : imageUrlFault(fields.url),
      ...(faulty ? declared.faults : []),
      namesake && namesake.id !== self ? 'Metadata provider must be unique for version' : null
    ])
    return fields
  }

  #settleDefault(versionId: number, provider: string, wanted: number | null): void {
    const images = this.#images.ofVersion(versionId).filter((image) => image.provider === provider)
    const id = defaultOf(images, wanted)
    const chosen = images.find((image) => image.id === id)
    if (chosen && !chosen.isDefault) this.#images.setDefault(chosen)
  }

  #changed({ box, version }: Pick<Found, 'box' | 'version'>, id: number): Image {
    this.#changes.imagesChanged(version.id, box)
    const image = this.#images.get(id)
    if (!image) throw missing()
    return image
  }
}
