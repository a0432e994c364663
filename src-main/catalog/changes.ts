import { blobTable, type BlobTable } from '../store/blob-rows.ts'
import { boxTable, type BoxTable, type StoredBox } from '../store/boxes.ts'
import type { ListingTable } from '../store/listings.ts'
import type { Db } from '../store/open.ts'
import { organizationTable, type OrganizationTable } from '../store/organizations.ts'
import { versionTable, type VersionTable } from '../store/versions.ts'
import { write } from '../store/write.ts'
import type { Events } from './events.ts'
import type { Sidecars } from './sidecars.ts'

type BoxKey = Pick<StoredBox, 'id' | 'organizationId'>

/** A box that is to be settled, and when it was last changed; null for now. */
type Changed = BoxKey & { readonly updatedAt: number | null }

/** What one change has done so far, and what is to be told once it is saved. */
interface Pending {
  /** One time for all of it. */
  readonly now: number
  readonly changed: Map<number, Changed>
  readonly announcements: (() => void)[]
}

/** Where every change to the catalogue goes through: one transaction, with all that has to follow from it. */
export class Changes {
  readonly #db: Db
  readonly #listings: ListingTable
  readonly #events: Events
  readonly #sidecars: Sidecars
  readonly #now: () => number
  readonly #blobs: BlobTable
  readonly #boxes: BoxTable
  readonly #versions: VersionTable
  readonly #organizations: OrganizationTable
  /** Of the change being made; null between changes. */
  #pending: Pending | null = null

  constructor(parts: {
    db: Db
    listings: ListingTable
    events: Events
    sidecars: Sidecars
    now?: () => number
  }) {
    this.#db = parts.db
    this.#listings = parts.listings
    this.#events = parts.events
    this.#sidecars = parts.sidecars
    this.#now = parts.now ?? Date.now
    this.#blobs = blobTable(parts.db)
    this.#boxes = boxTable(parts.db)
    this.#versions = versionTable(parts.db)
    this.#organizations = organizationTable(parts.db)
  }

  /** Carries out all of `work` or nothing. A change made within another is part of it. */
  make<T>(work: (now: number) => T): T {
    if (this.#pending) return work(this.#pending.now)
    const now = this.#now()
    const pending: Pending = { now, changed: new Map(), announcements: [] }
    this.#pending = pending
    let result: T
    try {
      result = write(this.#db, () => {
        const result = work(now)
        for (const box of pending.changed.values()) this.#settle(box, pending)
        return result
      })
    } finally {
      this.#pending = null
    }
    for (const announce of pending.announcements) announce()
    this.#sidecars.kick()
    return result
  }

  /** To be called within make(), for each box that is another one now, or has anything in it that is. */
  boxChanged(box: BoxKey): void {
    this.#current().changed.set(box.id, { ...box, updatedAt: null })
  }

  /** The same for one that is here again as it was, and was last changed when it says so. */
  boxReturned(box: BoxKey, updatedAt: number): void {
    this.#current().changed.set(box.id, { ...box, updatedAt })
  }

  /** To be called within make(), when an image came to a version, is another one or went: each file says so of its version. */
  imagesChanged(versionId: number, box: BoxKey): void {
    this.#versions.touch(versionId, this.#current().now)
    this.#blobs.markStaleOfVersion(versionId)
    this.boxChanged(box)
  }

  /** To be called when bytes came, or were found damaged or sound again: images may be made of them already. */
  bytesChanged(sha256: string): void {
    write(this.#db, () => this.#listings.refreshUsersOf(sha256))
  }

  /** To be called within make(), right before boxes are deleted. */
  boxesGo(boxes: readonly StoredBox[]): void {
    const { now, changed } = this.#current()
    this.#listings.forget(...boxes.map(({ id }) => id))
    for (const box of boxes) {
      changed.delete(box.id)
      this.nameGoes(box)
    }
    for (const id of new Set(boxes.map(({ organizationId }) => organizationId)))
      this.#organizations.touch(id, now)
  }

  /** To be called within make(), when a box is no longer known by a name. */
  nameGoes({ organization, name }: StoredBox): void {
    this.#current().announcements.push(() => this.#events.emit('box-removed', { organization, box: name }))
  }

  #current(): Pending {
    if (!this.#pending) throw new Error('the catalogue is changed within make() alone')
    return this.#pending
  }

  #settle({ id, organizationId, updatedAt }: Changed, { now, announcements }: Pending): void {
    this.#boxes.settle(id, this.#versions.currentOf(id), updatedAt ?? now)
    this.#organizations.touch(organizationId, now)
    this.#listings.refresh(id)
    const box = this.#boxes.get(id)
    if (!box) return
    const { organization, name } = box
    announcements.push(() => this.#events.emit('box-changed', { organization, box: name }))
  }
}
