import { statfs } from 'node:fs/promises'
import type { StorageSummary } from '../contract/storage.ts'
import { catalogueBackups } from '../store/backups.ts'
import { databaseBytes } from '../store/snapshot.ts'
import type { DiskUsage } from './usage.ts'

/** What there is on the disk, in figures. */
export class Storage {
  readonly #dataDir: string
  readonly #usage: Pick<DiskUsage, 'totals'>

  constructor({ dataDir, usage }: { dataDir: string; usage: Pick<DiskUsage, 'totals'> }) {
    this.#dataDir = dataDir
    this.#usage = usage
  }

  async summary(): Promise<StorageSummary> {
    const [totals, disk] = await Promise.all([this.#usage.totals(), statfs(this.#dataDir)])
    return {
      ...totals,
      dataFolder: this.#dataDir,
      diskFree: disk.bavail * disk.bsize,
      diskTotal: disk.blocks * disk.bsize,
      databaseBytes: databaseBytes(this.#dataDir),
      catalogueBackups: [
        ...catalogueBackups(this.#dataDir, 'automatic'),
        ...catalogueBackups(this.#dataDir, 'before-restore')
      ].sort((a, b) => b.at - a.at)
    }
  }
}
