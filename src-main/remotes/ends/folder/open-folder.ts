import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access as mayUse, opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../../blobs/durable.ts'
import { fsDriver } from '../../../blobs/fs-driver.ts'
import { NoSuchFile, readSmall } from '../../../blobs/regular-file.ts'
import { counted } from '../../../contract/counted.ts'
import { programVersion } from '../../../version.ts'
import type { Access, End, Introduction } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'
import { BlobUses } from './blob-uses.ts'
import { FolderEnd } from './folder-end.ts'
import { FolderListings } from './listing.ts'
import { FolderPaths } from './paths.ts'
import { DocumentStore } from './store.ts'
import { explained, notPluggedIn, notThere } from './trouble.ts'
import { checkWithin } from './within.ts'

const newestSchema = 1
const largestMarker = 64 * 1024
const markerSchema = z.object({ schema: z.literal(newestSchema), id: z.uuid(), createdAt: z.number() })
type Marker = z.infer<typeof markerSchema>

/** Names systems put into every folder or disk; one that holds nothing else is empty. */
const ofSystems = /^(\.|System Volume Information$|\$RECYCLE\.BIN$|lost\+found$|desktop\.ini$|Thumbs\.db$)/i

/** Bytes that no transfer has gone on with for so long are given up. */
const abandonedAfter = 14 * 24 * 60 * 60 * 1000

/** What an empty folder says it is. Whoever adds it as a remote sets it up, and then it says another thing. */
const emptyIdentity = 'folder:empty'

/** Opens a folder as a remote; what becomes of an empty one, `access.setUp` says. */
export async function openFolder(
  access: Pick<Access, 'location' | 'setUp'>,
  signal: AbortSignal
): Promise<{ readonly end: End; readonly introduction: Introduction }> {
  signal.throwIfAborted()
  const paths = new FolderPaths(access.location)
  try {
    await checkFolder(paths.root)
    const writable = await mayUse(paths.root, constants.W_OK).then(
      () => true,
      () => false
    )
    let marker = await readMarker(paths)
    if (marker) await checkWithin(paths.root)
    if (!marker) {
      await checkEmpty(paths.root)
      if (access.setUp === undefined) throw notPluggedIn(paths.root)
      if (!writable)
        throw new RemoteFailure('forbidden', [
          `The folder ${paths.root} is empty, and nothing may be written there.`,
          'Change what may be done with it, or choose another folder.'
        ])
      if (access.setUp) marker = await setUp(paths)
    }
    signal.throwIfAborted()
    const end = makeEnd(paths, writable, marker)
    return { end, introduction: await introductionOf(paths, writable, marker) }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw explained(paths.root, error)
  }
}

function makeEnd(paths: FolderPaths, writable: boolean, marker: Marker | null): FolderEnd {
  const blobs = fsDriver(paths.root)
  const store = new DocumentStore(paths, Date.now)
  void dropAbandoned(blobs).catch(() => {}) // the next one tries again
  return new FolderEnd({
    ...{ paths, blobs, store, writable },
    uses: new BlobUses(paths, blobs),
    listings: new FolderListings(paths, store),
    async checkIsIt() {
      const now = await readMarker(paths)
      if (!now) throw notPluggedIn(paths.root)
      if (now.id !== marker?.id)
        throw new RemoteFailure('another', [`Another disk or folder is in the place of ${paths.root} now.`])
    }
  })
}

async function dropAbandoned(blobs: ReturnType<typeof fsDriver>): Promise<void> {
  for await (const { id, modifiedAt } of blobs.staging())
    if (Date.now() - modifiedAt > abandonedAfter) await blobs.dropStaged(id)
}

async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw isMissing(error) ? notThere(path, error) : error
  })
  if (!found.isDirectory())
    throw new RemoteFailure('odd', [`${path} is a file, not a folder.`, 'Choose a folder.'])
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

async function readMarker({ marker: path }: FolderPaths): Promise<Marker | null> {
  const content = await readSmall(path, largestMarker).catch((error: unknown) => {
    if (isMissing(error)) return null
    if (error instanceof NoSuchFile) return ''
    throw error
  })
  if (content === null) return null
  const parsed = json(content)
  const head = z.object({ schema: z.number() }).safeParse(parsed)
  if (head.success && head.data.schema > newestSchema)
    throw new RemoteFailure('odd', [
      `${path} was written by a newer Boxyard (format ${head.data.schema}, this program knows ${newestSchema}).`,
      'Install the newer program to use this folder.'
    ])
  const whole = markerSchema.safeParse(parsed)
  if (!whole.success)
    throw new RemoteFailure('odd', [
      `The file ${path} is damaged, so nobody can tell whether this is the right folder.`,
      'Put a sound copy in its place. Without one, delete it together with the folders beside it to begin anew.'
    ])
  return whole.data
}

function json(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}

/** Into a folder with files of others nothing is put: most likely another one was meant. */
async function checkEmpty(path: string): Promise<void> {
  for await (const { name } of await opendir(path))
    if (!ofSystems.test(name))
      throw new RemoteFailure('refused', [
        `The folder ${path} holds other files, such as "${name.slice(0, 100)}", and is no folder of Boxyard's.`,
        'Choose an empty folder, or make one there.'
      ])
}

/** Of two who set it up at the same time, one is the first. */
async function setUp(paths: FolderPaths): Promise<Marker> {
  const marker: Marker = { schema: newestSchema, id: randomUUID(), createdAt: Date.now() }
  const staged = join(paths.root, `.${randomUUID()}`)
  try {
    await replaceFile(
      paths.marker,
      `${JSON.stringify({ ...marker, by: `Boxyard ${programVersion}` }, null, 1)}\n`,
      staged
    )
  } finally {
    await rm(staged, { force: true })
  }
  return (await readMarker(paths)) ?? marker
}

async function introductionOf(
  paths: FolderPaths,
  writable: boolean,
  marker: Marker | null
): Promise<Introduction> {
  const common = { api: null, account: null }
  if (!marker)
    return {
      ...common,
      identity: emptyIdentity,
      what: 'an empty folder',
      organizations: [],
      notes: ['The folder is empty; adding it makes it a place for boxes.']
    }
  const organizations = await new FolderListings(paths, new DocumentStore(paths, Date.now)).organizations(
    null
  )
  return {
    ...common,
    identity: `folder:${marker.id}`,
    what: `a folder with boxes of ${counted(organizations.length, 'organization')}`,
    organizations: organizations.slice(0, 1000),
    notes: writable ? [] : ['Nothing may be written to this folder, so boxes can only be taken from it.']
  }
}
