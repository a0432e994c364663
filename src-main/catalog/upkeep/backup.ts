import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { open, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobDriver } from '../../blobs/driver.ts'
import { sizeText } from '../../contract/size-text.ts'
import { Problem } from '../../domain/problem.ts'
import { blobUpkeep, type BlobFacts } from '../../store/blob-upkeep.ts'
import { databaseFiles } from '../../store/open.ts'
import { copyDatabase, openCopy } from '../../store/snapshot.ts'
import { programVersion } from '../../version.ts'
import { ArchiveWriter } from './archive.ts'
import { blobName, databaseName, manifestName, newManifest } from './backup-format.ts'
import type { Progress } from './progress.ts'

/** What was put into a backup. */
export interface BackupReport {
  readonly file: string
  readonly size: number
  readonly blobs: number
  /** Images whose bytes are known to be damaged or missing; only the catalogue's word of them is in the backup. */
  readonly left: number
}

/** Where the backup goes and what is in it. */
export interface BackupOptions {
  readonly file: string
  readonly catalogueOnly: boolean
  /** Whether a file that is there already may be replaced. */
  readonly force: boolean
  readonly onProgress?: Progress
  /** Ends it with the signal's reason; nothing is left of the file. */
  readonly signal?: AbortSignal
}

/**
 * Writes everything into one file that another machine can restore: one moment of the catalogue, and the bytes of
 * every image it names. The caller holds the upkeep lock, so none of those bytes is collected meanwhile. The key that
 * seals two-factor secrets is not in it.
 */
export async function backUp(
  { dataDir, blobs }: { dataDir: string; blobs: BlobDriver },
  options: BackupOptions
): Promise<BackupReport> {
  const file = resolve(options.file)
  if (existsSync(file) && !options.force)
    throw new Problem(
      'conflict',
      `${file} is there already. Choose another name, or allow it to be replaced.`
    )
  const { catalogue, temporary } = databaseFiles(dataDir)
  const part = `${file}.part`
  const { signal } = options
  try {
    await copyDatabase(catalogue, temporary)
    signal?.throwIfAborted()
    const db = openCopy(temporary)
    try {
      const rows = blobUpkeep(db)
      const totals = options.catalogueOnly ? { count: 0, bytes: 0 } : rows.totalOfImages()
      const databaseSize = (await stat(temporary)).size
      await assertRoom(dirname(file), databaseSize + totals.bytes)
      const images = options.catalogueOnly ? [] : rows.ofImages()
      const size = await writeArchive(part, { images, totals, temporary, databaseSize })
      await rename(part, file)
      await syncFolder(dirname(file))
      return { file, size, blobs: totals.count, left: rows.totalOfDamaged() }
    } finally {
      db.close()
    }
  } finally {
    await rm(part, { force: true })
    await rm(temporary, { force: true })
  }

  async function writeArchive(
    target: string,
    content: {
      images: Iterable<BlobFacts>
      totals: { count: number; bytes: number }
      temporary: string
      databaseSize: number
    }
  ): Promise<number> {
    const { images, totals, temporary, databaseSize } = content
    // Never through what lies there already: in a folder of many, it may be somebody else's link.
    await rm(target, { force: true })
    const handle = await open(target, 'wx', 0o600)
    try {
      const now = Date.now()
      const archive = new ArchiveWriter(handle, now)
      const manifest = JSON.stringify(
        newManifest({
          program: programVersion,
          createdAt: new Date(now).toISOString(),
          blobs: totals.count,
          bytes: totals.bytes,
          catalogueOnly: options.catalogueOnly
        })
      )
      await archive.add(
        manifestName,
        Buffer.byteLength(manifest),
        async (entry) => void entry.write(manifest)
      )
      await archive.add(databaseName, databaseSize, (entry) =>
        pipeline(createReadStream(temporary, { highWaterMark: 1024 * 1024 }), entry, { end: false, signal })
      )
      let done = 0
      for (const { sha256, size } of images) {
        signal?.throwIfAborted()
        if ((await blobs.size(sha256)) !== size) throw damaged(sha256)
        const hash = createHash('sha256')
        await archive.add(
          blobName(sha256),
          size,
          async (entry) => blobs.copyTo(sha256, entry, undefined, { signal }),
          (chunk) => {
            hash.update(chunk)
            done += chunk.length
            options.onProgress?.(done, totals.bytes)
          }
        )
        if (hash.digest('hex') !== sha256) throw damaged(sha256)
      }
      return await archive.finish()
    } finally {
      await handle.close()
    }
  }
}

const damaged = (sha256: string): Problem =>
  new Problem(
    'unavailable',
    `The file ${sha256} is damaged or missing, so the backup was not made.`,
    'Verify what is kept, which tells what it belongs to and moves it aside, then try again.'
  )

async function assertRoom(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  // The headers and the description are small beside this.
  if (free < needed * 1.01 + 1024 * 1024)
    throw new Problem(
      'no-room',
      `The backup needs ${sizeText(needed)} in ${folder}, where ${sizeText(free)} are free.`
    )
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
