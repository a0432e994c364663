import { randomUUID } from 'node:crypto'
import type { Accounts } from '../access/accounts.ts'
import type { Permissions } from '../access/permissions.ts'
import type { BlobDriver, BoxFacts, Staged } from '../blobs/driver.ts'
import { nothingDeclared, strongest, type Declared } from '../domain/checksum.ts'
import type { Caller } from '../domain/model.ts'
import { nameKey } from '../domain/names.ts'
import { Problem } from '../domain/problem.ts'
import type { BoxTexts, Checksums } from '../domain/sync/snapshot.ts'
import { blobTable, type BlobTable } from '../store/blob-rows.ts'
import { blobUpkeep, type BlobUpkeep } from '../store/blob-upkeep.ts'
import { boxTable, type BoxTable, type StoredBox } from '../store/boxes.ts'
import { imageTable, type ImageTable, type StoredImage } from '../store/images.ts'
import { mirroredTable, type MirroredTable } from '../store/mirrored.ts'
import type { Db } from '../store/open.ts'
import { organizationTable, type OrganizationTable } from '../store/organizations.ts'
import { versionTable, type StoredVersion, type VersionTable } from '../store/versions.ts'
import type { Boxes } from './boxes.ts'
import type { Changes } from './changes.ts'
import type { Images } from './images.ts'
import { Lookup, type ImageRef } from './lookup.ts'
import { mirrorGuard, type MirrorGuard } from './mirror-guard.ts'
import type { Publishing } from './publishing.ts'
import type { Versions } from './versions.ts'

/** Names an image with its architecture. */
export type WholeRef = ImageRef & { readonly architecture: string }

/** What an image that is made, or made another, consists of. */
export interface SyncedContent {
  readonly url: string | null
  readonly checksums: Checksums
  /** The bytes stay at the remote whose mirror the box is. */
  readonly known: { readonly size: number | null } | null
}

interface Parts {
  readonly db: Db
  readonly accounts: Accounts
  readonly permissions: Permissions
  readonly blobs: BlobDriver
  readonly boxes: Boxes
  readonly versions: Versions
  readonly images: Images
  readonly publishing: Publishing
  readonly changes: Changes
}

interface Found {
  readonly box: StoredBox
  readonly version: StoredVersion
  readonly image: StoredImage
}

/**
 * What is done to boxes here so that they are as elsewhere, beyond what people do. Everything is looked at first, and done
 * at most once. Callers are the operator, or `mirroring` a remote: then boxes it makes are mirrors, and it may change those.
 */
export class Synced {
  readonly #parts: Parts
  readonly #lookup: Lookup
  readonly #guard: MirrorGuard
  readonly #boxes: BoxTable
  readonly #versions: VersionTable
  readonly #images: ImageTable
  readonly #blobs: BlobTable
  readonly #upkeep: BlobUpkeep
  readonly #mirrored: MirroredTable
  readonly #organizations: OrganizationTable

  constructor(parts: Parts) {
    this.#parts = parts
    this.#lookup = new Lookup(parts)
    this.#guard = mirrorGuard(parts.db)
    this.#boxes = boxTable(parts.db)
    this.#versions = versionTable(parts.db)
    this.#images = imageTable(parts.db)
    this.#blobs = blobTable(parts.db)
    this.#upkeep = blobUpkeep(parts.db)
    this.#mirrored = mirroredTable(parts.db)
    this.#organizations = organizationTable(parts.db)
  }

  /** With its organization, if that is not here either. */
  createBox(caller: Caller, organization: string, name: string, texts: BoxTexts): void {
    this.#parts.changes.make(() => {
      const there = this.#boxes.find(organization, name)
      if (there) return this.#guard(caller, there)
      this.#ensureOrganization(organization)
      const { id } = this.#parts.boxes.create(caller, { organization, name, ...texts })
      if (caller.kind === 'operator' && caller.mirrorOf !== undefined)
        this.#mirrored.mark(id, caller.mirrorOf)
    })
  }

  /** A mirror has the states of the remote's versions, also of those whose bytes are not here; others keep to our rules. */
  setStatus(
    caller: Caller,
    organization: string,
    name: string,
    number: string,
    status: 'active' | 'revoked'
  ): void {
    this.#parts.changes.make((now) => {
      const box = this.#lookup.boxToChange(caller, organization, name)
      const version = this.#lookup.version(caller, box, number)
      if (version.status === status) return
      if (status === 'active' && !isMirroring(caller)) {
        this.#parts.versions.release(caller, organization, name, number)
        return
      }
      this.#versions.setStatus(version.id, status, now)
      this.#blobs.markStaleOfVersion(version.id)
      this.#parts.changes.boxChanged(box)
    })
  }

  createImage(caller: Caller, ref: WholeRef, content: SyncedContent & { readonly isDefault: boolean }): void {
    const { url, checksums, known, isDefault } = content
    const { provider, architecture } = ref
    this.#parts.changes.make(() => {
      const box = this.#lookup.boxToChange(caller, ref.organization, ref.box)
      const version = this.#lookup.version(caller, box, ref.version)
      if (this.#images.find(version.id, provider, architecture)) return
      const { type, expected } = url === null && !known ? nothingDeclared : declaredBy(checksums)
      const { id } = this.#parts.images.create(caller, ref, {
        ...{ provider, architecture, url, isDefault },
        ...(expected !== null && { checksum: expected, checksumType: type })
      })
      this.#noteKnown(caller, id, content)
    })
  }

  makeDefault(caller: Caller, ref: WholeRef): void {
    this.#parts.changes.make(() => {
      const { box, version, image } = this.find(caller, ref)
      if (image.isDefault) return
      this.#images.setDefault(image)
      this.#parts.changes.imagesChanged(version.id, box)
    })
  }

  /** Gives an image an address elsewhere, or bytes that stay at the remote, in place of what it had. */
  changeContent(caller: Caller, ref: WholeRef, content: SyncedContent): void {
    this.#parts.changes.make((now) => {
      const { box, version, image } = this.find(caller, ref)
      const declared = declaredBy(content.checksums)
      if (content.url !== null && isUrl(image, content.url, declared)) return
      if (content.known && this.isMadeOf(image, content.checksums)) return
      this.#blobs.markStaleOfVersion(version.id)
      this.#images.dropBytes(image.id)
      this.#mirrored.forgetKnown(image.id)
      this.#images.update(image.id, { ...image, url: content.url, declared }, now)
      this.#noteKnown(caller, image.id, content)
      this.#parts.changes.imagesChanged(version.id, box)
    })
  }

  /** Whether an image has sound bytes of such checksums here, as far as that can be told without reading them. */
  isMadeOf({ blob, checksum, checksumType }: StoredImage, checksums: Checksums): boolean {
    if (blob === null || !this.isSound(blob)) return false
    if (checksums.sha256 !== undefined) return checksums.sha256 === blob
    return checksumType !== null && checksum !== null && checksums[checksumType] === checksum
  }

  isSound(sha256: string): boolean {
    for (const { damagedAt } of this.#upkeep.one(sha256)) return damagedAt === null
    return false
  }

  /** Bytes that are in the store already, to be made an image of; null when they are not, or not whole. */
  async stored(sha256: string): Promise<Staged | null> {
    const row = this.#blobs.get(sha256)
    if (!row || !this.isSound(sha256) || (await this.#parts.blobs.size(sha256)) !== row.size) return null
    const facts = JSON.parse(row.facts) as BoxFacts
    return { id: randomUUID(), sha256, size: row.size, checksums: { sha256 }, facts }
  }

  /** Puts staged bytes into the store. Until an image is made of them they are whoever's who holds their name. */
  commit(staged: Staged): Promise<void> {
    return this.#parts.blobs.commit(staged)
  }

  /** Makes committed bytes the file of an image. */
  async attach(caller: Caller, ref: WholeRef, staged: Staged, checksums: Checksums): Promise<void> {
    const { publishing } = this.#parts
    const { sha256 } = staged
    const bytes = { sha256, checksums: { ...checksums, ...staged.checksums }, hostedToken: null }
    await publishing.publish({ ...bytes, caller }, (put, now) => {
      publishing.record(staged)
      const { image } = this.find(caller, ref)
      if (this.isMadeOf(image, { sha256 })) return
      const type = image.declared.type ?? typeFor(checksums)
      this.#images.update(image.id, { ...image, declared: { type, expected: null } }, now)
      this.#mirrored.forgetKnown(image.id)
      put(image.id)
    })
  }

  /** To be changed by the caller. */
  find(caller: Caller, ref: WholeRef): Found {
    const box = this.#lookup.boxToChange(caller, ref.organization, ref.box)
    const version = this.#lookup.version(caller, box, ref.version)
    return { box, version, image: this.#lookup.image(version, ref) }
  }

  /** An own box has no known images: without its bytes, an image of it is empty. */
  #noteKnown(caller: Caller, imageId: number, { known, checksums }: SyncedContent): void {
    if (known && caller.kind === 'operator' && caller.mirrorOf !== undefined)
      this.#mirrored.putKnown(imageId, caller.mirrorOf, known.size, checksums)
  }

  #ensureOrganization(name: string): void {
    if (this.#organizations.byName(nameKey(name))) return
    const owner = this.#parts.accounts.owner()
    if (!owner)
      throw new Problem(
        'invalid',
        'There is no owner yet whose organizations boxes could go to; start the server once.'
      )
    this.#parts.accounts.addOrganization(name, owner.name)
  }
}

const isMirroring = (caller: Caller): boolean => caller.kind === 'operator' && caller.mirrorOf !== undefined

const isUrl = (image: StoredImage, url: string, declared: Declared): boolean =>
  image.url === url &&
  image.declared.expected === declared.expected &&
  (declared.expected === null || image.declared.type === declared.type)

function declaredBy(checksums: Checksums): Declared {
  const one = strongest(checksums)
  return one ? { type: one.type, expected: one.value } : nothingDeclared
}

/** Clients are told the sha256 unless the other side knows no such thing; then both sides can be compared by the same one. */
function typeFor(checksums: Checksums): Declared['type'] {
  const type = strongest(checksums)?.type ?? null
  return type === 'sha256' ? null : type
}
