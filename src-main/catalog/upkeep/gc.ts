import type { BlobDriver } from '../../blobs/driver.ts'
import { agoText } from '../../domain/ago-text.ts'
import { blobUpkeep, type BlobUpkeep, type Deletion } from '../../store/blob-upkeep.ts'
import { heldBytes, type HeldBytes } from '../../store/held-bytes.ts'
import type { Db } from '../../store/open.ts'
import { trashTable, type TrashTable } from '../../store/trash.ts'
import type { Uploads } from '../uploads.ts'

/** What was removed, or would be. */
export interface GcReport {
  readonly files: number
  readonly leftovers: number
  /** Deletions that cannot be undone any more. */
  readonly trash: number
  readonly bytes: number
  /** Unused as well, but younger than the grace. */
  readonly waiting: { readonly files: number; readonly bytes: number }
}

/** How careful to be, and whom to tell. */
export interface GcOptions {
  /** Nothing younger is touched: what is being uploaded has bytes before it has a row. */
  readonly graceMs: number
  readonly dryRun: boolean
  readonly onFound?: (what: string, size: number) => void
  /** Ends it with the signal's reason, between two files. */
  readonly signal?: AbortSignal
}

/** Removes bytes that no image, no unfinished upload and no deletion of late names: rows first, files later. */
export class GarbageCollection {
  readonly #db: Db
  readonly #blobs: BlobDriver
  readonly #uploads: Pick<Uploads, 'sweep'>
  readonly #now: () => number
  readonly #rows: BlobUpkeep
  readonly #trash: TrashTable
  readonly #held: HeldBytes

  constructor(parts: { db: Db; blobs: BlobDriver; uploads: Pick<Uploads, 'sweep'>; now?: () => number }) {
    this.#db = parts.db
    this.#blobs = parts.blobs
    this.#uploads = parts.uploads
    this.#now = parts.now ?? Date.now
    this.#rows = blobUpkeep(parts.db)
    this.#trash = trashTable(parts.db)
    this.#held = heldBytes(parts.db)
  }

  async run({ graceMs, dryRun, onFound, signal }: GcOptions): Promise<GcReport> {
    signal?.throwIfAborted()
    const before = this.#now() - graceMs
    const trash = this.#trash.countUntil(before)
    const deletionOf = this.#deletionsFor(dryRun || !onFound ? null : before)
    if (!dryRun) {
      await this.#uploads.sweep()
      this.#db.transaction(() => this.#trash.forgetUntil(before)).immediate()
      this.#removeRows(before)
    }
    let files = 0
    let leftovers = 0
    let bytes = 0
    const waiting = { files: 0, bytes: 0 }
    const wait = (size: number): void => {
      waiting.files += 1
      waiting.bytes += size
    }
    for await (const { sha256, size, modifiedAt } of this.#blobs.list()) {
      signal?.throwIfAborted()
      const since = this.#garbageSince(sha256, modifiedAt)
      if (since === null) continue
      if (since > before) {
        wait(size)
        continue
      }
      // Whoever stores the same bytes at this moment renews the file's time, and it stays.
      if (!dryRun && !(await this.#blobs.removeIfUnchanged(sha256, modifiedAt))) continue
      files += 1
      bytes += size
      onFound?.(this.#nameOf(sha256, modifiedAt, deletionOf(sha256)), size)
    }
    for await (const { id, size, modifiedAt } of this.#blobs.staging()) {
      signal?.throwIfAborted()
      if (this.#held.staged(id)) continue
      if (modifiedAt > before) {
        wait(size)
        continue
      }
      if (!dryRun) await this.#blobs.dropStaged(id)
      leftovers += 1
      bytes += size
      onFound?.(`what is left of an upload of ${this.#ago(modifiedAt)}`, size)
    }
    return { files, leftovers, trash, bytes, waiting }
  }

  /** What was deleted can be asked for until it is forgotten, before which, with a time, all of it is remembered. */
  #deletionsFor(forgottenUntil: number | null): (sha256: string) => Deletion | null {
    if (forgottenUntil === null) return (sha256) => this.#rows.deletion(sha256)
    const kept = new Map<string, Deletion>()
    for (const deletion of this.#rows.deletionsUntil(forgottenUntil)) kept.set(deletion.sha256, deletion)
    return (sha256) => kept.get(sha256) ?? null
  }

  #nameOf(sha256: string, modifiedAt: number, deletion: Deletion | null): string {
    return deletion
      ? `a file of ${deletion.what}, deleted ${this.#ago(deletion.deletedAt)}`
      : `an unused file of ${this.#ago(modifiedAt)} (sha256 ${sha256.slice(0, 12)}…)`
  }

  #ago(time: number): string {
    return agoText(this.#now() - time)
  }

  #removeRows(before: number): void {
    for (const { sha256 } of this.#rows.garbage(before))
      this.#db.transaction(() => this.#rows.removeUnused(sha256)).immediate()
  }

  /** Since when it is not needed; null for what is. */
  #garbageSince(sha256: string, modifiedAt: number): number | null {
    // Committed for an arrival or a pulled image, and refused or cut off before it got its row.
    if (this.#held.stored(sha256)) return null
    if (!this.#rows.has(sha256)) return modifiedAt
    const rowMade = this.#rows.unusedFrom(sha256)
    return rowMade === null ? null : Math.max(rowMade, modifiedAt)
  }
}
