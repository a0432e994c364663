import { setImmediate } from 'node:timers/promises'
import type { Permissions } from '../access/permissions.ts'
import type { Caller } from '../domain/model.ts'
import { missing, Problem } from '../domain/problem.ts'
import { blobTable, type BlobTable } from '../store/blob-rows.ts'
import { boxTable, type BoxTable, type StoredBox } from '../store/boxes.ts'
import { imageTable, type ImageTable } from '../store/images.ts'
import type { Db } from '../store/open.ts'
import { organizationTable, type OrganizationTable } from '../store/organizations.ts'
import { rowRestorer, trashTable, type TrashItem, type TrashRow, type TrashTable } from '../store/trash.ts'
import { versionTable, type VersionTable } from '../store/versions.ts'
import type { Changes } from './changes.ts'
import { mirrorGuard, type MirrorGuard } from './mirror-guard.ts'

/** Something that was deleted, and under which number it can be had back. */
export interface Deleted<T> {
  readonly gone: T
  readonly trashId: number
  readonly what: string
}

const mostListed = 500
/** Boxes restored in one transaction, while which nobody else is answered. */
const partSize = 20

/** What was deleted, until a clean-up. Everything of it can be put back to where it was. */
export class Trash {
  readonly #changes: Changes
  readonly #permissions: Permissions
  readonly #trash: TrashTable
  readonly #rows: ReturnType<typeof rowRestorer>
  readonly #boxes: BoxTable
  readonly #versions: VersionTable
  readonly #images: ImageTable
  readonly #blobs: BlobTable
  readonly #organizations: OrganizationTable
  readonly #guard: MirrorGuard

  constructor({ db, permissions, changes }: { db: Db; permissions: Permissions; changes: Changes }) {
    this.#changes = changes
    this.#permissions = permissions
    this.#trash = trashTable(db)
    this.#rows = rowRestorer(db)
    this.#boxes = boxTable(db)
    this.#versions = versionTable(db)
    this.#images = imageTable(db)
    this.#blobs = blobTable(db)
    this.#organizations = organizationTable(db)
    this.#guard = mirrorGuard(db)
  }

  /** The latest first. */
  list(): TrashRow[] {
    return this.#trash.entries(mostListed)
  }

  /** All of an entry or nothing; returns what it was called. */
  restore(caller: Caller, id: number): string {
    return this.#changes.make(() => {
      const { what } = this.#entry(id)
      for (const item of this.#trash.items(id, this.#trash.countItems(id))) this.#restore(caller, item)
      this.#trash.forget(id)
      return what
    })
  }

  /**
   * The same for any number of boxes: so many at a time that others get their turn in between. When one of them cannot
   * be restored, those before it are, and the entry keeps the others.
   */
  async restoreInParts(caller: Caller, id: number): Promise<string> {
    const { what } = this.#entry(id)
    while (this.#trash.countItems(id) > partSize) {
      this.#changes.make(() => {
        for (const item of this.#trash.items(id, partSize)) this.#restore(caller, item)
        this.#trash.forgetItems(id, partSize)
        const left = this.#trash.countItems(id)
        this.#trash.rename(id, `${left} ${left === 1 ? 'box' : 'boxes'}`)
      })
      await setImmediate()
    }
    this.restore(caller, id)
    return what
  }

  #entry(id: number): Pick<TrashRow, 'id' | 'what'> {
    const entry = this.#trash.entry(id)
    if (!entry)
      throw new Problem(
        'missing',
        'This is not in the trash any more: it was restored, or cleaned up for good.'
      )
    return entry
  }

  #restore(caller: Caller, item: TrashItem): void {
    switch (item.kind) {
      case 'box':
        return this.#restoreBox(caller, item)
      case 'version':
        return this.#restoreVersion(caller, item)
      case 'image':
        return this.#restoreImage(caller, item)
    }
  }

  #restoreBox(caller: Caller, { box, versions, images, downloads }: TrashItem): void {
    const organization = this.#organizations.byId(Number(box['organization_id']))
    if (!organization) throw new Problem('missing', 'The organization it belonged to is not there any more.')
    this.#permissions.require(caller, organization.id, 'admin')
    const name = String(box['name'])
    if (this.#boxes.find(organization.name, name))
      throw new Problem(
        'conflict',
        `There is a box ${organization.name}/${name} again. Rename that one first, then restore.`
      )
    const id = this.#rows.insert('boxes', { ...box, current_version_id: null })
    for (const row of downloads) this.#rows.insertDownloads({ ...row, box_id: id })
    this.#insertVersions(id, versions, images)
    this.#changes.boxReturned(this.#renewed(id), Number(box['updated_at']))
  }

  #restoreVersion(caller: Caller, { box, versions, images }: TrashItem): void {
    const there = this.#boxOf(caller, box)
    for (const { number } of versions)
      if (this.#versions.findEqual(there, String(number)))
        throw new Problem(
          'conflict',
          `There is a version ${number} again. Delete or renumber that one first, then restore.`
        )
    this.#insertVersions(there, versions, images)
    this.#changed(there)
  }

  #restoreImage(caller: Caller, { box, versions, images }: TrashItem): void {
    const there = this.#boxOf(caller, box)
    const version = versions[0] && this.#rows.same('versions', versions[0])
    if (!version)
      throw new Problem(
        'missing',
        'The version it belonged to is not there any more; restore that one first.'
      )
    for (const { provider, architecture } of images)
      if (this.#images.find(Number(version['id']), String(provider), String(architecture)))
        throw new Problem(
          'conflict',
          `There is an image for ${provider} on ${architecture} again. Delete that one first, then restore.`
        )
    this.#insertImages(images.map((row) => ({ ...row, version_id: version['id'] ?? null })))
    this.#changed(there)
  }

  #boxOf(caller: Caller, row: TrashItem['box']): number {
    const box = this.#rows.same('boxes', row)
    if (!box)
      throw new Problem('missing', 'The box it belonged to is not there any more; restore that one first.')
    this.#permissions.require(caller, Number(box['organization_id']), 'contributor')
    const there = this.#boxes.get(Number(box['id']))
    if (!there) throw missing()
    this.#guard(caller, there)
    return there.id
  }

  #insertVersions(boxId: number, versions: TrashItem['versions'], images: TrashItem['images']): void {
    for (const row of versions) {
      const id = this.#rows.insert('versions', { ...row, box_id: boxId })
      this.#insertImages(
        images
          .filter((image) => image['version_id'] === row['id'])
          .map((image) => ({ ...image, version_id: id }))
      )
    }
  }

  /** What was the default is it again, in the place of whichever took over. */
  #insertImages(images: TrashItem['images']): void {
    for (const row of images) {
      const id = this.#rows.insert('images', { ...row, is_default: 0 })
      const image = this.#images.get(id)
      if (image && (row['is_default'] === 1 || !this.#images.findDefault(image.versionId, image.provider)))
        this.#images.setDefault(image)
    }
  }

  #changed(boxId: number): void {
    this.#changes.boxChanged(this.#renewed(boxId))
  }

  /** What lies beside its files says something else now. */
  #renewed(boxId: number): StoredBox {
    const box = this.#boxes.get(boxId)
    if (!box) throw missing()
    this.#blobs.markStaleOfBox(boxId)
    return box
  }
}
