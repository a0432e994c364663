import { unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Accounts } from '../access/accounts.ts'
import type { BlobDriver, Staged } from '../blobs/driver.ts'
import { unknownArchitecture } from '../domain/architecture.ts'
import { boxNamedBy } from '../domain/file-name.ts'
import { operator, type BoxWithVersions, type Image, type Version } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'
import { nextNumber } from '../domain/version-number.ts'
import { boxTable, type BoxTable } from '../store/boxes.ts'
import type { Db } from '../store/open.ts'
import type { Boxes } from './boxes.ts'
import type { Images } from './images.ts'
import type { Publishing } from './publishing.ts'
import type { Sidecars } from './sidecars.ts'
import type { Versions } from './versions.ts'

/** What the person importing a file says of it; what they do not say is taken from the file. */
export interface ImportOptions {
  readonly organization?: string | undefined
  readonly name?: string | undefined
  readonly version?: string | undefined
  readonly provider?: string | undefined
  readonly architecture?: string | undefined
  readonly release?: boolean | undefined
  /** Of a box that has to be made; otherwise it is private. One that is there stays as it is. */
  readonly public?: boolean | undefined
  /** The file is taken over instead of copied: it is gone from where it was once the import has succeeded. */
  readonly move?: boolean | undefined
  /** Called now and then with the number of bytes read. */
  readonly onProgress?: ((bytes: number) => void) | undefined
}

/** What an import made of a file. */
export interface Imported {
  /** organization/name */
  readonly tag: string
  readonly private: boolean
  readonly version: string
  readonly released: boolean
  readonly provider: string
  readonly architecture: string
  readonly sha256: string
  readonly size: number
  /** What the person should know of the file. */
  readonly note: string | null
}

/** Where a file is to go. */
interface Destination {
  readonly organization: string
  readonly name: string
  /** Null for the next one. */
  readonly version: string | null
  readonly provider: string
  readonly architecture: string
}

const firstNumber = '1.0.0'

interface Parts {
  readonly db: Db
  readonly accounts: Accounts
  readonly blobs: BlobDriver
  readonly boxes: Boxes
  readonly versions: Versions
  readonly images: Images
  readonly publishing: Publishing
  readonly sidecars: Sidecars
}

/** Takes box files that lie on this machine into the catalogue, for the person at its command line. */
export class Importer {
  readonly #parts: Parts
  readonly #boxTable: BoxTable

  constructor(parts: Parts) {
    this.#parts = parts
    this.#boxTable = boxTable(parts.db)
  }

  /** Makes the box, version and image as needed, all of it or nothing; an image that is there gets the file. */
  async importFile(path: string, options: ImportOptions = {}): Promise<Imported> {
    const { blobs, publishing, sidecars } = this.#parts
    const { move = false, onProgress } = options
    const staged = await blobs.takeFile(path, { givenAway: move, ...(onProgress && { onProgress }) })
    let destination: Destination
    try {
      destination = this.#destination(path, staged, options)
      await blobs.commit(staged)
    } catch (error) {
      await blobs.discard(staged)
      throw error
    }
    const bytes = { sha256: staged.sha256, checksums: staged.checksums, hostedToken: null }
    const { box, version } = await publishing.publish(bytes, (put) => {
      publishing.record(staged)
      const made = this.#make(destination, options)
      put(made.image.id)
      return { box: made.box, version: this.#release(made.box, made.version, options) }
    })
    if (move) await unlink(path)
    await sidecars.drain()
    return {
      tag: `${box.organization}/${box.name}`,
      private: box.private,
      version: version.number,
      released: version.status === 'active',
      provider: destination.provider,
      architecture: destination.architecture,
      sha256: staged.sha256,
      size: staged.size,
      note: staged.facts.note
    }
  }

  #destination(path: string, { facts }: Staged, options: ImportOptions): Destination {
    const provider = options.provider ?? facts.provider
    if (provider === null)
      throw new Problem(
        'invalid',
        `${basename(path)} does not say which provider it is for; name it with --provider.`,
        ...(facts.note === null ? [] : [facts.note])
      )
    const named = boxNamedBy(basename(path), [facts.architecture, provider])
    const name = options.name ?? named.name
    if (name === '')
      throw new Problem('invalid', `No box name can be made of ${basename(path)}; give one with --name.`)
    return {
      organization: this.#organization(options.organization),
      name,
      version: options.version ?? named.version,
      provider,
      architecture: options.architecture ?? facts.architecture ?? unknownArchitecture
    }
  }

  #organization(said: string | undefined): string {
    const { accounts } = this.#parts
    const name = said ?? accounts.owner()?.name
    if (name === undefined)
      throw new Problem(
        'invalid',
        'There is no owner yet whose organization the box could go to; start the server once, or name one with --org.'
      )
    if (!accounts.findOrganization(name))
      throw new Problem('missing', `There is no organization ${name}; add it first, or name another.`)
    return name
  }

  #make(
    destination: Destination,
    options: ImportOptions
  ): { box: BoxWithVersions; version: Version; image: Image } {
    const { boxes, versions, images } = this.#parts
    const { organization, name, provider, architecture } = destination
    const there = this.#boxTable.find(organization, name)
    const box = there
      ? boxes.read(operator, organization, name)
      : boxes.create(operator, { organization, name, private: !options.public })
    const highest = box.versions[0]
    const number = destination.version ?? (highest ? nextNumber(highest.number) : firstNumber)
    const version =
      box.versions.find((version) => version.number === number) ??
      versions.create(operator, organization, name, { number })
    const image =
      version.images.find((image) => image.provider === provider && image.architecture === architecture) ??
      images.create(operator, { organization, box: name, version: number }, { provider, architecture })
    return { box, version, image }
  }

  #release(box: BoxWithVersions, { number, status }: Version, { release }: ImportOptions): Version {
    const { versions } = this.#parts
    return release && status !== 'active'
      ? versions.release(operator, box.organization, box.name, number)
      : versions.read(operator, box.organization, box.name, number)
  }
}
