import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import { entriesOf, readEntry, broken, type ArchiveEntry } from './archive.ts'

/** The files of a backup, in this order: what it is, the database, and each image's bytes by their sha256. */
export const manifestName = 'boxyard-backup.json'
export const databaseName = 'catalogue.sqlite'
export const blobName = (sha256: string): string => `blobs/sha256/${sha256.slice(0, 2)}/${sha256}`

const newestFormat = 1
const longestManifest = 64 * 1024

const manifestSchema = z.object({
  format: z.literal('boxyard-backup'),
  version: z.number().int(),
  program: z.string().max(100),
  createdAt: z.iso.datetime(),
  /** How many images' bytes follow the database, and their size together. */
  blobs: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  catalogueOnly: z.boolean()
})

/** What a backup says of itself. */
export type BackupManifest = z.infer<typeof manifestSchema>

export const newManifest = (facts: Omit<BackupManifest, 'format' | 'version'>): BackupManifest => ({
  format: 'boxyard-backup',
  version: newestFormat,
  ...facts
})

/** A backup whose outside has been checked: the right files, in the right order, as many as it says, all there. */
export interface BackupContents {
  readonly manifest: BackupManifest
  readonly database: ArchiveEntry
}

/** Reads all headers of a backup and its manifest, so that most of what may be wrong is found before anything is done. */
export async function readContents(file: FileHandle): Promise<BackupContents> {
  const entries = entriesOf(file)
  const first = (await entries.next()).value
  if (!first || first.name !== manifestName) throw broken('another program made it')
  const manifest = await readManifest(file, first)
  const database = (await entries.next()).value
  if (!database || database.name !== databaseName) throw broken('it has no database')
  let blobs = 0
  let bytes = 0
  for await (const { size } of blobEntries(entries)) {
    blobs += 1
    bytes += size
  }
  if (blobs !== manifest.blobs || bytes !== manifest.bytes) throw broken('some of its images are not in it')
  return { manifest, database }
}

/** The images in a backup that has been checked. */
export async function* imagesOf(file: FileHandle): AsyncGenerator<ArchiveEntry & { sha256: string }> {
  const entries = entriesOf(file)
  await entries.next()
  await entries.next()
  yield* blobEntries(entries)
}

async function* blobEntries(
  entries: AsyncIterable<ArchiveEntry>
): AsyncGenerator<ArchiveEntry & { sha256: string }> {
  let last = ''
  for await (const entry of entries) {
    const sha256 = /^blobs\/sha256\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(entry.name)?.[1]
    // Ascending, so that none can be in it twice.
    if (sha256 === undefined || entry.name !== blobName(sha256) || sha256 <= last)
      throw broken(`it holds a file that does not belong there, ${JSON.stringify(entry.name)}`)
    last = sha256
    yield { ...entry, sha256 }
  }
}

async function readManifest(file: FileHandle, entry: ArchiveEntry): Promise<BackupManifest> {
  if (entry.size > longestManifest) throw broken('its description is too long')
  const chunks: Buffer[] = []
  for await (const chunk of readEntry(file, entry)) chunks.push(chunk as Buffer)
  const content = parseJson(Buffer.concat(chunks).toString('utf8'))
  const head = z.object({ format: z.literal('boxyard-backup'), version: z.number() }).safeParse(content)
  if (head.success && head.data.version > newestFormat)
    throw broken('a newer Boxyard made it; install that program to restore it')
  const manifest = manifestSchema.safeParse(content)
  if (!manifest.success) throw broken('its description cannot be read')
  return manifest.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
