import { Readable } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import type { BlobDriver } from '../../src-main/blobs/driver.ts'
import { memoryDriver } from '../../src-main/blobs/memory-driver.ts'
import { Permissions } from '../../src-main/access/permissions.ts'
import { Boxes } from '../../src-main/catalog/boxes.ts'
import { ClientUploads } from '../../src-main/catalog/client-uploads.ts'
import { Changes } from '../../src-main/catalog/changes.ts'
import { Downloads } from '../../src-main/catalog/downloads.ts'
import { Events } from '../../src-main/catalog/events.ts'
import { Images, type ImageInput } from '../../src-main/catalog/images.ts'
import { Importer } from '../../src-main/catalog/importer.ts'
import type { ImageRef } from '../../src-main/catalog/lookup.ts'
import { Placing } from '../../src-main/catalog/placing.ts'
import { Profiles } from '../../src-main/catalog/profiles.ts'
import { Publishing } from '../../src-main/catalog/publishing.ts'
import { Sidecars } from '../../src-main/catalog/sidecars.ts'
import { Mirrored } from '../../src-main/catalog/mirrored.ts'
import { Synced } from '../../src-main/catalog/synced.ts'
import { Trash } from '../../src-main/catalog/trash.ts'
import { Uploads } from '../../src-main/catalog/uploads.ts'
import { Versions } from '../../src-main/catalog/versions.ts'
import { anonymous, operator, type Caller, type Image, type Role } from '../../src-main/domain/model.ts'
import { Problem, type ProblemKind } from '../../src-main/domain/problem.ts'
import { listingTable } from '../../src-main/store/listings.ts'
import { accessWorld, minutes } from './access.ts'

export const timeToStart = minutes(15)

/**
 * The services of catalog/ on a real database, with a clock of the test's own. The organization acme has a member of
 * each role; the stranger is known, but no member.
 */
export async function catalogWorld(driver?: (dataDir: string) => BlobDriver) {
  const access = accessWorld()
  const { db, log, clock, accounts, dataDir } = access
  const { now } = clock
  accounts.ensureOwner('owner')
  accounts.addOrganization('acme', 'owner')
  const callers: Record<Role | 'stranger', Caller> = {
    viewer: await user('viewer'),
    contributor: await user('contributor'),
    admin: await user('admin'),
    stranger: await user('stranger')
  }
  for (const role of ['viewer', 'contributor', 'admin'] as const) accounts.setMember('acme', role, role)

  async function user(name: string): Promise<Caller> {
    const { id } = await accounts.addUser(name)
    return { kind: 'user', id, name }
  }

  const blobs = driver ? driver(dataDir) : memoryDriver()
  const permissions = new Permissions(db)
  const events = new Events({ log })
  const listings = listingTable(db)
  const sidecars = new Sidecars({ db, blobs, log })
  onTestFinished(async () => {
    await sidecars.close()
    await blobs.close()
  })
  const changes = new Changes({ db, listings, events, sidecars, now })
  const boxes = new Boxes({ db, permissions, changes })
  const versions = new Versions({ db, permissions, changes })
  const images = new Images({ db, permissions, changes, blobs })
  const publishing = new Publishing({ db, changes, blobs, now })
  const clientUploads = new ClientUploads({ events, now })
  const uploads = new Uploads({ db, permissions, blobs, publishing, clientUploads, timeToStart, now })
  const downloads = new Downloads({ db, permissions, listings, now })
  const placing = new Placing({ db, blobs, boxes, versions, images, publishing, changes })
  const importer = new Importer({ accounts, blobs, placing, sidecars })

  const refTo = (over: Partial<ImageRef> = {}): ImageRef => ({
    organization: 'acme',
    box: 'tiny',
    version: '1.0.0',
    provider: 'virtualbox',
    architecture: 'amd64',
    ...over
  })

  const world = {
    ...access,
    ...{
      callers,
      blobs,
      permissions,
      events,
      listings,
      sidecars,
      changes,
      boxes,
      versions,
      images,
      publishing,
      trash: new Trash({ db, permissions, changes }),
      profiles: new Profiles({ db, accounts, sidecars })
    },
    ...{ uploads, clientUploads, placing, downloads, importer, refTo },
    mirrored: new Mirrored({ db, changes }),
    synced: new Synced({
      ...{ db, accounts, permissions, blobs, boxes, versions, images, publishing, changes }
    }),
    /** A remote, as far as boxes can be mirrors of it; its id. */
    addRemote: (name = 'Lab'): number =>
      Number(
        db
          .prepare(
            `INSERT INTO remotes (name, name_key, kind, location, identity, created_at)
             VALUES (?, lower(?), 'folder', '/nowhere', ?, 0)`
          )
          .run(name, name, name).lastInsertRowid
      ),

    addBox: (name = 'tiny', isPrivate = false) =>
      boxes.create(operator, { organization: 'acme', name, private: isPrivate }),
    addVersion: (number = '1.0.0', box = 'tiny') => versions.create(operator, 'acme', box, { number }),
    addImage: (over: Partial<ImageRef> = {}, input: ImageInput = {}): Image => {
      const { provider, architecture, ...ref } = refTo(over)
      return images.create(operator, ref, { provider, architecture, ...input })
    },
    /** A whole upload, as a client does it. */
    async upload(
      bytes: string,
      over: Partial<ImageRef> = {},
      kind: 'simple' | 'direct' = 'simple'
    ): Promise<string> {
      const { id, key } = uploads.issue(operator, refTo(over), kind)
      await uploads.receive(id, key, Readable.from([Buffer.from(bytes)]))
      if (kind === 'direct') await uploads.finish(operator, refTo(over), id)
      return id
    },
    /** A box with one released version of one image. */
    async addReleased(number = '1.0.0', box = 'tiny', bytes = `bytes of ${box} ${number}`): Promise<void> {
      world.addVersion(number, box)
      world.addImage({ version: number, box })
      await world.upload(bytes, { version: number, box })
      versions.release(operator, 'acme', box, number)
    },
    image: (over: Partial<ImageRef> = {}): Image => images.read(operator, refTo(over)),
    box: (name = 'tiny') => boxes.read(operator, 'acme', name),
    organization: () => accounts.findOrganization('acme')!,
    staleSidecars: () => db.prepare('SELECT sha256 FROM stale_sidecars').pluck().all()
  }
  return world
}

export type CatalogWorld = Awaited<ReturnType<typeof catalogWorld>>

export const someoneUnknown: Caller = anonymous

/** Expects a refusal of a kind, and returns what it says. */
export function refusal(kind: ProblemKind, work: () => unknown): readonly string[] {
  try {
    work()
  } catch (error) {
    return sentencesOf(kind, error)
  }
  return expect.fail(`nothing was refused, but it should have been (${kind})`)
}

/** The same for what is refused later. */
export async function laterRefusal(kind: ProblemKind, work: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await work.then(
    () => expect.fail(`nothing was refused, but it should have been (${kind})`),
    (error: unknown) => error
  )
  return sentencesOf(kind, error)
}

function sentencesOf(kind: ProblemKind, error: unknown): readonly string[] {
  if (!(error instanceof Problem)) throw error
  expect(error.kind).toBe(kind)
  return error.sentences
}
