import type { Permissions } from '../access/permissions.ts'
import { wholeImageInWords } from '../contract/sentences.ts'
import { canBeServed, type Caller, type Image } from '../domain/model.ts'
import { missing, Problem } from '../domain/problem.ts'
import { dayOf, downloadTable, type DownloadTable } from '../store/downloads.ts'
import type { StoredBox } from '../store/boxes.ts'
import { mirroredTable, type MirroredTable } from '../store/mirrored.ts'
import type { ListingTable } from '../store/listings.ts'
import type { Db } from '../store/open.ts'
import { organizationTable, type OrganizationTable } from '../store/organizations.ts'
import { write } from '../store/write.ts'
import { Lookup, type ImageRef } from './lookup.ts'

const dayMs = 24 * 60 * 60_000

export class Downloads {
  readonly #db: Db
  readonly #listings: ListingTable
  readonly #now: () => number
  readonly #lookup: Lookup
  readonly #downloads: DownloadTable
  readonly #organizations: OrganizationTable
  readonly #mirrored: MirroredTable

  constructor(parts: { db: Db; permissions: Permissions; listings: ListingTable; now?: () => number }) {
    this.#db = parts.db
    this.#listings = parts.listings
    this.#now = parts.now ?? Date.now
    this.#lookup = new Lookup(parts)
    this.#downloads = downloadTable(parts.db)
    this.#organizations = organizationTable(parts.db)
    this.#mirrored = mirroredTable(parts.db)
  }

  /** The image to be served, of a version that was ever released or whose box the caller is a member of. */
  locate(caller: Caller, ref: ImageRef): { image: Image; boxId: number } {
    const box = this.#lookup.box(caller, ref.organization, ref.box)
    const image = this.#lookup.image(this.#lookup.version(caller, box, ref.version), ref)
    if (image.known) throw this.#notHere(box, ref.version, image)
    if (!canBeServed(image)) throw missing()
    return { image, boxId: box.id }
  }

  /** One entry a day, oldest first, the last of them today. */
  ofDays(caller: Caller, organization: string, name: string, days: number): { day: string; count: number }[] {
    const box = this.#lookup.box(caller, organization, name)
    const today = this.#now()
    const all = Array.from({ length: days }, (_, i) => dayOf(today - (days - 1 - i) * dayMs))
    const counts = new Map(this.#downloads.ofDays(box.id, all[0] ?? '').map(({ day, count }) => [day, count]))
    return all.map((day) => ({ day, count: counts.get(day) ?? 0 }))
  }

  /** Notes a whole download. Of a box deleted meanwhile there is nothing to note. */
  count(boxId: number): void {
    write(this.#db, () => {
      const now = this.#now()
      const organizationId = this.#downloads.count(boxId, now)
      if (organizationId === null) return
      this.#organizations.touch(organizationId, now)
      this.#listings.countDownload(boxId)
    })
  }

  #notHere(box: StoredBox, version: string, image: Image): Problem {
    const keeper = this.#mirrored.keeperOf(image.id) ?? 'the remote'
    return new Problem(
      'missing',
      `${wholeImageInWords(box, { ...image, version })} is mirrored from ${keeper}, and its file has not been fetched to this registry.`,
      'Have it fetched here, or choose a version that is here.'
    )
  }
}
