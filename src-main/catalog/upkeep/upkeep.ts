import type { Accounts } from '../../access/accounts.ts'
import type { BlobDriver } from '../../blobs/driver.ts'
import { Problem } from '../../domain/problem.ts'
import { servingProcess, takeUpkeepLock } from '../../store/locks.ts'
import type { Db } from '../../store/open.ts'
import type { Changes } from '../changes.ts'
import type { Profiles } from '../profiles.ts'
import type { Sidecars } from '../sidecars.ts'
import type { Uploads } from '../uploads.ts'
import { backUp, type BackupOptions, type BackupReport } from './backup.ts'
import { GarbageCollection, type GcOptions, type GcReport } from './gc.ts'
import type { Progress } from './progress.ts'
import { Rebuild, type RebuildReport } from './rebuild.ts'
import type { Recovery } from './recovery.ts'
import { Restore, type RestoreReport } from './restore.ts'
import { Verify, type VerifyOptions, type VerifyReport } from './verify.ts'

/** An upload needs no longer than this from its last byte to its place in the catalogue. */
const leastGraceMs = 60_000

interface UpkeepParts {
  readonly dataDir: string
  readonly db: Db
  readonly blobs: BlobDriver
  readonly accounts: Accounts
  readonly changes: Changes
  readonly sidecars: Sidecars
  readonly profiles: Profiles
  readonly uploads: Uploads
  readonly recovery: Recovery | null
}

/** The jobs that walk or replace the whole store. One of them runs at a time, whichever process asks. */
export class Upkeep {
  readonly #parts: UpkeepParts

  constructor(parts: UpkeepParts) {
    this.#parts = parts
  }

  verify(options: VerifyOptions): Promise<VerifyReport> {
    return this.#alone('verify', () => new Verify(this.#parts).run(options))
  }

  collectGarbage(options: GcOptions): Promise<GcReport> {
    return this.#alone('gc', () => {
      const server = servingProcess(this.#parts.dataDir)
      if (server && options.graceMs < leastGraceMs && !options.dryRun)
        throw new Problem(
          'conflict',
          `A server is using this folder (process ${server.pid}), and what is being uploaded to it must not be removed.`,
          'Leave a grace of 60 seconds or more, or stop the server first.'
        )
      return new GarbageCollection(this.#parts).run(options)
    })
  }

  backUp(options: BackupOptions): Promise<BackupReport> {
    return this.#alone('backup', () => backUp(this.#parts, options))
  }

  restore(file: string, onProgress?: Progress): Promise<RestoreReport> {
    return this.#alone('restore', () => new Restore(this.#parts).run(file, onProgress))
  }

  rebuild(onAdded?: (sentence: string) => void): Promise<RebuildReport> {
    return this.#alone('rebuild', () => new Rebuild(this.#parts).run(onAdded))
  }

  /** Ends the repair of a catalogue that was found damaged when it was opened; nothing to do after any other start. */
  async finishRecovery(): Promise<void> {
    await this.#parts.recovery?.finish(() => this.rebuild())
  }

  async #alone<T>(what: string, job: () => Promise<T>): Promise<T> {
    const lock = takeUpkeepLock(this.#parts.dataDir, what)
    try {
      return await job()
    } finally {
      lock.release()
    }
  }
}
