import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { BlobDriver, Staged } from '../../blobs/driver.ts'
import { Problem } from '../../domain/problem.ts'
import { arrivalTable } from '../../store/arrivals.ts'
import { nextCatalogueBackup, thinOutBackups } from '../../store/backups.ts'
import { blobUpkeep } from '../../store/blob-upkeep.ts'
import { isDiskFull } from '../../store/failures.ts'
import { keepRemotes } from '../../store/keep-remotes.ts'
import { listingTable } from '../../store/listings.ts'
import { databaseFiles, type Db } from '../../store/open.ts'
import { keepMachineSettings, settingsTable } from '../../store/settings.ts'
import { adoptCopy, copyDatabase, openCopy, replaceContent } from '../../store/snapshot.ts'
import type { Sidecars } from '../sidecars.ts'
import { broken, readEntry, type ArchiveEntry } from './archive.ts'
import { imagesOf, readContents, type BackupManifest } from './backup-format.ts'
import type { Progress } from './progress.ts'

/** What a restore did. */
export interface RestoreReport {
  readonly manifest: BackupManifest
  /** Images' bytes that were brought in; the others were here already. */
  readonly added: number
  /** Images whose bytes are neither in the backup nor here. */
  readonly missing: number
  /** The catalogue as it was before. */
  readonly safetyCopy: string
}

/**
 * Puts a backup in the place of everything the catalogue says, on an empty folder or under a running server.
 * All of the file is checked and its bytes are set aside before anything changes; whatever is wrong with it leaves
 * everything as it was. The caller holds the upkeep lock.
 */
export class Restore {
  readonly #dataDir: string
  readonly #db: Db
  readonly #blobs: BlobDriver
  readonly #sidecars: Sidecars

  constructor(parts: { dataDir: string; db: Db; blobs: BlobDriver; sidecars: Sidecars }) {
    this.#dataDir = parts.dataDir
    this.#db = parts.db
    this.#blobs = parts.blobs
    this.#sidecars = parts.sidecars
  }

  async run(file: string, onProgress: Progress = () => {}): Promise<RestoreReport> {
    const { temporary } = databaseFiles(this.#dataDir)
    const staged = new Map<string, Staged>()
    const handle = await openBackup(file)
    try {
      const { manifest, database } = await readContents(handle)
      await pipeline(readEntry(handle, database), createWriteStream(temporary, { mode: 0o600 }))
      adopt(temporary)
      await this.#stageImages(handle, manifest, staged, onProgress)
      const added = staged.size
      const missing = await this.#prepare(temporary, staged)
      for (const [sha256, one] of staged) {
        await this.#blobs.commit(one)
        staged.delete(sha256)
      }
      const safetyCopy = await this.#replace(temporary)
      await this.#sidecars.drain()
      return { manifest, added, missing, safetyCopy }
    } catch (error) {
      throw isDiskFull(error)
        ? new Problem('no-room', 'The disk is full, so nothing was restored. Make room, then try again.')
        : error
    } finally {
      for (const one of staged.values()) await this.#blobs.discard(one)
      await rm(temporary, { force: true })
      await handle.close()
    }
  }

  /** Reads every image in the backup to its end, also those that are here: a damaged backup is told before it is used. */
  async #stageImages(
    handle: FileHandle,
    manifest: BackupManifest,
    staged: Map<string, Staged>,
    onProgress: Progress
  ): Promise<void> {
    let done = 0
    for await (const image of imagesOf(handle)) {
      const { sha256, size } = image
      if ((await this.#blobs.size(sha256)) === size) await checkBytes(handle, image)
      else {
        const one = await this.#blobs.receive(readEntry(handle, image), { length: size })
        staged.set(sha256, one)
        if (one.sha256 !== sha256) throw wrongBytes(sha256)
      }
      done += size
      onProgress(done, manifest.bytes)
    }
  }

  /** Makes the catalogue that is to come fit this folder; tells of how many images the bytes are nowhere. */
  async #prepare(temporary: string, staged: ReadonlyMap<string, Staged>): Promise<number> {
    const db = openCopy(temporary)
    try {
      const rows = blobUpkeep(db)
      const listings = listingTable(db)
      db.exec('BEGIN')
      for (const { sha256, size, damagedAt } of rows.all()) {
        const comes = staged.has(sha256) || (await this.#blobs.size(sha256)) === size
        if (!comes) rows.noteDamaged(sha256, damagedAt ?? Date.now())
        else if (staged.has(sha256)) rows.forgetDamage(sha256)
        if (comes === (damagedAt !== null)) listings.refreshUsersOf(sha256)
      }
      rows.forgetUploads()
      rows.allSidecarsStale()
      db.exec('COMMIT')
      return rows.totalOfDamaged()
    } finally {
      db.close()
    }
  }

  /** Meanwhile clients are asked to come back later; the new catalogue has maintenance as it was before. */
  async #replace(temporary: string): Promise<string> {
    const settings = settingsTable(this.#db)
    const before = settings.get('maintenance')
    settings.set('maintenance', true)
    try {
      const safetyCopy = nextCatalogueBackup(this.#dataDir, 'before-restore', Date.now())
      await copyDatabase(databaseFiles(this.#dataDir).catalogue, safetyCopy)
      thinOutBackups(this.#dataDir, 'before-restore')
      await replaceContent(temporary, this.#db, {
        takeOver: (copy) =>
          copy.transaction(() => {
            keepArrivals(this.#db, copy)
            keepMachineSettings(this.#db, copy)
            keepRemotes(this.#db, copy)
            settingsTable(copy).set('maintenance', before)
          })()
      })
      return safetyCopy
    } catch (error) {
      settings.set('maintenance', before)
      throw error
    }
  }
}

/** What is on its way in belongs to no catalogue of the past, and its bytes are here. */
function keepArrivals(here: Db, copy: Db): void {
  const there = arrivalTable(copy)
  there.clear()
  for (const arrival of arrivalTable(here).all()) there.put(arrival)
}

async function openBackup(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r')
  } catch (error) {
    throw new Problem('missing', `The backup ${file} cannot be read: ${(error as Error).message}.`)
  }
}

function adopt(temporary: string): void {
  try {
    adoptCopy(temporary)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.kind, ...error.sentences, 'Nothing was changed.')
  }
}

async function checkBytes(handle: FileHandle, image: ArchiveEntry & { sha256: string }): Promise<void> {
  const hash = createHash('sha256')
  for await (const chunk of readEntry(handle, image)) hash.update(chunk as Buffer)
  if (hash.digest('hex') !== image.sha256) throw wrongBytes(image.sha256)
}

const wrongBytes = (sha256: string): Problem =>
  broken(`the image ${sha256.slice(0, 12)}… in it does not have the bytes it had`)
