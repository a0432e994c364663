import { setImmediate } from 'node:timers/promises'
import type { Accounts } from '../access/accounts.ts'
import { descriptionFault, refuseFaults } from '../domain/texts.ts'
import { blobTable, type BlobTable } from '../store/blob-rows.ts'
import { boxTable, type BoxTable } from '../store/boxes.ts'
import type { Db } from '../store/open.ts'
import { write } from '../store/write.ts'
import { renderMarkdown } from './markdown.ts'
import type { Sidecars } from './sidecars.ts'

const boxesAtATime = 200

/** What organizations say of themselves. It is also beside each of their files. */
export class Profiles {
  readonly #db: Db
  readonly #accounts: Accounts
  readonly #sidecars: Sidecars
  readonly #boxes: BoxTable
  readonly #blobs: BlobTable

  constructor({ db, accounts, sidecars }: { db: Db; accounts: Accounts; sidecars: Sidecars }) {
    this.#db = db
    this.#accounts = accounts
    this.#sidecars = sidecars
    this.#boxes = boxTable(db)
    this.#blobs = blobTable(db)
  }

  async set(organization: string, markdown: string): Promise<void> {
    refuseFaults([descriptionFault(markdown)])
    this.#accounts.setProfile(organization, { markdown, html: renderMarkdown(markdown) })
    const found = this.#accounts.findOrganization(organization)
    if (found) await this.#sidecarsAreStale(found.id)
    this.#sidecars.kick()
  }

  /** A part of them in each transaction; those a crash leaves as they were, verify finds. */
  async #sidecarsAreStale(organizationId: number): Promise<void> {
    let after = ''
    for (;;) {
      const page = this.#boxes.page(organizationId, after, true, boxesAtATime)
      const last = page.at(-1)
      if (!last) return
      write(this.#db, () => {
        for (const { id } of page) this.#blobs.markStaleOfBox(id)
      })
      after = last.name
      await setImmediate()
    }
  }
}
