import type { Permissions } from '../access/permissions.ts'
import { nothingDeclared } from '../domain/checksum.ts'
import type { Caller, Version } from '../domain/model.ts'
import { missing } from '../domain/problem.ts'
import { releaseFault, revokeFault } from '../domain/release.ts'
import { descriptionFault, refuseFaults } from '../domain/texts.ts'
import { nextNumberAfter, numberFault } from '../domain/version-number.ts'
import { blobTable, type BlobTable } from '../store/blob-rows.ts'
import type { StoredBox } from '../store/boxes.ts'
import { imageTable, type ImageTable, type StoredImage } from '../store/images.ts'
import type { Db } from '../store/open.ts'
import { trashTable, type TrashTable } from '../store/trash.ts'
import { versionTable, type StoredVersion, type VersionFields, type VersionTable } from '../store/versions.ts'
import { Assembly } from './assembly.ts'
import type { Changes } from './changes.ts'
import { Lookup } from './lookup.ts'
import { renderMarkdown } from './markdown.ts'
import type { Deleted } from './trash.ts'

/** What a client says of a version. Null or absent leaves what is there; "" clears the description. */
export interface VersionInput {
  readonly number?: string | null
  readonly description?: string | null
}

/** What a new version may begin with. */
export interface NewVersionInput extends VersionInput {
  /** A version of the box whose description and images, without their bytes, the new one gets. */
  readonly like?: string | undefined
}

const newVersion: VersionFields = { number: '', description: '', descriptionHtml: '' }

export class Versions {
  readonly #changes: Changes
  readonly #lookup: Lookup
  readonly #assembly: Assembly
  readonly #versions: VersionTable
  readonly #blobs: BlobTable
  readonly #trash: TrashTable
  readonly #images: ImageTable

  constructor({ db, permissions, changes }: { db: Db; permissions: Permissions; changes: Changes }) {
    this.#changes = changes
    this.#lookup = new Lookup({ db, permissions })
    this.#assembly = new Assembly(db)
    this.#versions = versionTable(db)
    this.#blobs = blobTable(db)
    this.#trash = trashTable(db)
    this.#images = imageTable(db)
  }

  read(caller: Caller, organization: string, box: string, number: string): Version {
    const found = this.#lookup.box(caller, organization, box)
    return this.#assembly.version(this.#lookup.version(caller, found, number))
  }

  create(caller: Caller, organization: string, box: string, input: NewVersionInput): Version {
    return this.#changes.make((now) => {
      const found = this.#lookup.boxToChange(caller, organization, box)
      const model = input.like === undefined ? null : this.#lookup.version(caller, found, input.like)
      const fields = fieldsAfter(newVersion, { description: model?.description ?? null, ...input })
      this.#refuse(found.id, fields, null)
      const id = this.#versions.insert(found.id, fields, now)
      for (const { provider, architecture, isDefault } of model ? this.#images.ofVersion(model.id) : []) {
        const image = { provider, architecture, url: null, declared: nothingDeclared }
        const imageId = this.#images.insert(id, image, now)
        if (isDefault) this.#images.setDefault({ id: imageId, versionId: id, provider })
      }
      this.#changes.boxChanged(found)
      return this.#whole(id)
    })
  }

  /** The same texts and images under the next number, also released if it was; the bytes are shared. */
  duplicate(caller: Caller, organization: string, box: string, number: string): Version {
    return this.#changes.make((now) => {
      const { found, version } = this.#find(caller, organization, box, number)
      const next = nextNumberAfter(this.#versions.highestOf(found.id))
      this.#refuse(found.id, { ...version, number: next }, null)
      const id = this.#versions.insert(found.id, { ...version, number: next }, now)
      for (const image of this.#images.ofVersion(version.id)) this.#duplicateImage(image, id, now)
      if (version.status === 'active') this.#versions.setStatus(id, 'active', now)
      this.#blobs.markStaleOfVersion(id)
      this.#changes.boxChanged(found)
      return this.#whole(id)
    })
  }

  update(caller: Caller, organization: string, box: string, number: string, input: VersionInput): Version {
    return this.#change(caller, organization, box, number, (version, now) => {
      const fields = fieldsAfter(version, input)
      this.#refuse(version.boxId, fields, version.id)
      this.#versions.update(version.id, fields, now)
    })
  }

  /** Gives the version to everybody who may see the box. */
  release(caller: Caller, organization: string, box: string, number: string): Version {
    return this.#change(caller, organization, box, number, (version, now) => {
      refuseFaults([releaseFault(this.#assembly.version(version))])
      this.#versions.setStatus(version.id, 'active', now)
    })
  }

  /** Takes a released version out of every catalogue, for good. */
  revoke(caller: Caller, organization: string, box: string, number: string): Version {
    return this.#change(caller, organization, box, number, (version, now) => {
      refuseFaults([revokeFault(version)])
      this.#versions.setStatus(version.id, 'revoked', now)
    })
  }

  /** To the trash. */
  remove(caller: Caller, organization: string, box: string, number: string): Deleted<Version> {
    return this.#changes.make((now) => {
      const { found, version } = this.#find(caller, organization, box, number)
      const gone = this.#assembly.version(version)
      const what = `${found.organization}/${found.name} ${version.number}`
      const trashId = this.#trash.add(what, now)
      this.#trash.keepVersion(trashId, version.id)
      this.#blobs.markStaleOfVersion(version.id)
      this.#versions.remove(version.id)
      this.#changes.boxChanged(found)
      return { gone, trashId, what }
    })
  }

  #duplicateImage(image: StoredImage, versionId: number, now: number): void {
    const { blob, checksum, provider } = image
    const id = this.#images.insert(versionId, image, now)
    if (blob !== null && checksum !== null)
      this.#images.setBytes(id, { blob, checksum, hostedToken: null }, now)
    if (image.isDefault) this.#images.setDefault({ id, versionId, provider })
  }

  #change(
    caller: Caller,
    organization: string,
    box: string,
    number: string,
    work: (version: StoredVersion, now: number) => void
  ): Version {
    return this.#changes.make((now) => {
      const { found, version } = this.#find(caller, organization, box, number)
      work(version, now)
      this.#blobs.markStaleOfVersion(version.id)
      this.#changes.boxChanged(found)
      return this.#whole(version.id)
    })
  }

  #find(
    caller: Caller,
    organization: string,
    box: string,
    number: string
  ): { found: StoredBox; version: StoredVersion } {
    const found = this.#lookup.boxToChange(caller, organization, box)
    return { found, version: this.#lookup.version(caller, found, number) }
  }

  #refuse(boxId: number, { number, description }: VersionFields, self: number | null): void {
    const fault = numberFault(number)
    const equal = fault === null ? this.#versions.findEqual(boxId, number) : null
    refuseFaults([
      fault,
      equal && equal.id !== self ? takenFault(number, equal) : null,
      descriptionFault(description)
    ])
  }

  #whole(id: number): Version {
    const version = this.#versions.get(id)
    if (!version) throw missing()
    return this.#assembly.version(version)
  }
}

function fieldsAfter(current: VersionFields, input: VersionInput): VersionFields {
  const description = input.description ?? current.description
  return {
    number: input.number ?? current.number,
    description,
    descriptionHtml:
      description === current.description ? current.descriptionHtml : renderMarkdown(description)
  }
}

function takenFault(number: string, { number: existing, status }: StoredVersion): string {
  const state = status === 'revoked' ? ' and was revoked; delete it first, or choose another number' : ''
  return number === existing
    ? `Version ${number} already exists${state}.`
    : `Version ${number} is the same number as ${existing}, which already exists${state}.`
}
