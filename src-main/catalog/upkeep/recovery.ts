import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobDriver } from '../../blobs/driver.ts'
import { Problem } from '../../domain/problem.ts'
import type { Log } from '../../log.ts'
import { isDamage } from '../../store/failures.ts'
import type { Db } from '../../store/open.ts'
import { damageBeforeOpening, forgetDamage, openProbed, repairDatabase } from '../../store/repair.ts'
import type { RebuildReport } from './rebuild.ts'

/** A catalogue that had to be repaired before it could be opened; `finish` is still to be called on it. */
export interface Recovery {
  /** Puts back what lies beside the images, tells the log what was done, and keeps that beside the damaged files. */
  finish(rebuild: () => Promise<RebuildReport>): Promise<void>
}

interface OpenOptions {
  readonly dataDir: string
  readonly blobs: BlobDriver
  readonly log: Log
  readonly onSlow?: (sql: string, ms: number) => void
  /** Whether a damaged database may be replaced: only by the process that holds the serve lock. */
  readonly repair: boolean
}

/** Opens the catalogue. A damaged one is moved aside and replaced by the best there is, or refused. */
export async function openCatalogueOrRecover(
  options: OpenOptions
): Promise<{ db: Db; recovery: Recovery | null }> {
  const { dataDir, blobs, log, onSlow, repair } = options
  const opened = openSound(dataDir, await hasBlobs(blobs), onSlow)
  if (typeof opened !== 'string') return { db: opened, recovery: null }
  if (!repair)
    throw new Problem(
      'unavailable',
      `The catalogue's database is damaged: ${opened.replace(/\.$/, '')}.`,
      'Stop the server, or quit the program, if it runs, and start it again: it repairs the database and says what it did.'
    )
  log.error(`the catalogue's database is damaged (${opened}); repairing it`)
  const { folder, sentences } = repairDatabase(dataDir, opened)
  for (const sentence of sentences) log.warn(sentence)
  const db = openProbed(dataDir, onSlow)
  return {
    db,
    recovery: {
      async finish(rebuild) {
        const report = await rebuild()
        const all = [...sentences, sentenceOf(report), ...report.skipped]
        log.warn(sentenceOf(report))
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(
          join(folder, 'report.json'),
          JSON.stringify({ at: Date.now(), sentences: all }, null, 2)
        )
        // Last, so that a start that was cut off is followed by one that does it again.
        forgetDamage(dataDir)
      }
    }
  }
}

/** The open database, or why it cannot be used. */
function openSound(dataDir: string, inUse: boolean, onSlow: OpenOptions['onSlow']): Db | string {
  const before = damageBeforeOpening(dataDir, inUse)
  if (before !== null) return before
  try {
    return openProbed(dataDir, onSlow)
  } catch (error) {
    if (isDamage(error) && error instanceof Error) return error.message
    throw error
  }
}

async function hasBlobs(blobs: BlobDriver): Promise<boolean> {
  for await (const _ of blobs.list()) return true
  return false
}

const sentenceOf = ({ organizations, boxes, versions, images }: RebuildReport): string =>
  `From what lies beside the images, ${organizations} organizations, ${boxes} boxes, ${versions} versions ` +
  `and ${images} images were put back.`
