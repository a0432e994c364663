import { unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Accounts } from '../access/accounts.ts'
import type { BlobDriver, Staged } from '../blobs/driver.ts'
import { unknownArchitecture } from '../domain/architecture.ts'
import { boxNamedBy } from '../domain/file-name.ts'
import { Problem } from '../domain/problem.ts'
import type { Place, Placed, Placing } from './placing.ts'
import type { Sidecars } from './sidecars.ts'

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

interface Parts {
  readonly accounts: Accounts
  readonly blobs: BlobDriver
  readonly placing: Placing
  readonly sidecars: Sidecars
}

/** Takes box files that lie on this machine into the catalogue, for the person at its command line. */
export class Importer {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Makes the box, version and image as needed, all of it or nothing; an image that is there gets the file. */
  async importFile(path: string, options: ImportOptions = {}): Promise<Imported> {
    const { blobs, placing, sidecars } = this.#parts
    const { move = false, onProgress } = options
    const staged = await blobs.takeFile(path, { givenAway: move, ...(onProgress && { onProgress }) })
    let placed: Placed
    try {
      placed = await placing.bytes(staged, this.#place(path, staged, options))
    } catch (error) {
      await blobs.discard(staged)
      throw error
    }
    const { box, version, image } = placed
    if (move) await unlink(path)
    await sidecars.drain()
    return {
      tag: `${box.organization}/${box.name}`,
      private: box.private,
      version: version.number,
      released: version.status === 'active',
      provider: image.provider,
      architecture: image.architecture,
      sha256: staged.sha256,
      size: staged.size,
      note: staged.facts.note
    }
  }

  #place(path: string, { facts }: Staged, options: ImportOptions): Place {
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
      architecture: options.architecture ?? facts.architecture ?? unknownArchitecture,
      private: !options.public,
      release: options.release ?? false
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
}
