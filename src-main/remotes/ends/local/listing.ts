import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { nameKey } from '../../../domain/names.ts'
import { boxTable, type BoxTable } from '../../../store/boxes.ts'
import type { Db } from '../../../store/open.ts'
import {
  organizationTable,
  type OrganizationRow,
  type OrganizationTable
} from '../../../store/organizations.ts'
import type { Listed, Listing } from '../../end.ts'
import { stampOf } from './snapshot.ts'

/** Read in a millisecond or two, after which others get their turn. */
const pageSize = 500

/** The boxes here with their stamps, some at a time. */
export class LocalListings {
  readonly #boxes: BoxTable
  readonly #organizations: OrganizationTable

  constructor(db: Db) {
    this.#boxes = boxTable(db)
    this.#organizations = organizationTable(db)
  }

  list(organization: string | null, cursor: string | null, signal: AbortSignal): Listing {
    const wanted = organization === null ? this.#organizations.all() : this.#named(organization)
    // As it is before the walk: what changes during it is found the next time.
    const now = cursorOf(wanted)
    const unchanged = cursor === now
    let isWhole = unchanged
    const boxes = unchanged ? nothing() : this.#walk(wanted, signal, () => (isWhole = true))
    return { unchanged, boxes, cursor: () => (isWhole ? now : null) }
  }

  #named(organization: string): OrganizationRow[] {
    const found = this.#organizations.byName(nameKey(organization))
    return found ? [found] : []
  }

  async *#walk(
    organizations: readonly OrganizationRow[],
    signal: AbortSignal,
    onEnd: () => void
  ): AsyncGenerator<Listed[]> {
    for (const { id, name: organization } of organizations) {
      let after = ''
      for (;;) {
        signal.throwIfAborted()
        const page = this.#boxes.stamps(id, after, pageSize)
        const last = page.at(-1)
        if (!last) break
        yield page.map((row) => ({ organization, name: row.name, stamp: stampOf(row) }))
        after = last.nameKey
        await setImmediate()
      }
    }
    onEnd()
  }
}

async function* nothing(): AsyncGenerator<Listed[]> {}

/** Every change to a box is one to its organization. */
const cursorOf = (organizations: readonly OrganizationRow[]): string =>
  createHash('sha256')
    .update(JSON.stringify(organizations.map((one) => [one.id, one.createdAt, one.revision])))
    .digest('base64url')
