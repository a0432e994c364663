import { join } from 'node:path'

/*
 * What lies where below the data folder, as far as bytes go. Nothing else makes these paths.
 *
 *   blobs/
 *     sha256/
 *       ab/
 *         ab12…ef            the bytes whose sha256 is ab12…ef (64 digits); never changed once it is here
 *         ab12…ef.json       its sidecar: which box, version, provider and architecture used it
 *   uploads/
 *     <uuid>                 bytes on their way in, or a sidecar being written; swept when they are old
 *   lent/
 *     ab12…ef/
 *       acme-base-1.2.0.box  a second name of those bytes, for another program that was given the file; gone at the next start
 *   quarantine/
 *     ab12…ef.<ms>           bytes found to be damaged at that time
 *     ab12…ef.<ms>.json      and what their sidecar said
 */

const sha256Pattern = /^[0-9a-f]{64}$/
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isSha256 = (name: string): boolean => sha256Pattern.test(name)
export const isStagingId = (name: string): boolean => idPattern.test(name)

const longestName = 200

/** The paths of one data folder. What does not have the form of a name never becomes part of one. */
export class BlobPaths {
  readonly root: string
  readonly uploads: string
  readonly blobs: string
  readonly #quarantine: string

  constructor(dataDir: string) {
    this.root = dataDir
    this.uploads = join(dataDir, 'uploads')
    this.blobs = join(dataDir, 'blobs', 'sha256')
    this.#quarantine = join(dataDir, 'quarantine')
  }

  /** The folder that holds a blob and its sidecar. */
  shelf(sha256: string): string {
    if (!isSha256(sha256)) throw new TypeError(`not a sha256: ${sha256}`)
    return join(this.blobs, sha256.slice(0, 2))
  }

  blob(sha256: string): string {
    return join(this.shelf(sha256), sha256)
  }

  sidecar(sha256: string): string {
    return join(this.shelf(sha256), `${sha256}.json`)
  }

  staged(id: string): string {
    if (!isStagingId(id)) throw new TypeError(`not the id of a staged file: ${id}`)
    return join(this.uploads, id)
  }

  /** Holds what is lent. */
  get lent(): string {
    return join(this.root, 'lent')
  }

  /** A blob under a name that people know it by; whatever is in the name, it names a file in its own folder. */
  lentAs(sha256: string, name: string): { folder: string; file: string } {
    if (!isSha256(sha256)) throw new TypeError(`not a sha256: ${sha256}`)
    const folder = join(this.lent, sha256)
    const tame = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, '')
    // Names of organization, box, version, provider and architecture together are more than file systems take.
    const short = tame.length > longestName ? `${tame.slice(0, longestName - 4)}.box` : tame
    return { folder, file: join(folder, short || 'image.box') }
  }

  quarantined(sha256: string, at: number): { folder: string; blob: string; sidecar: string } {
    if (!isSha256(sha256)) throw new TypeError(`not a sha256: ${sha256}`)
    const blob = join(this.#quarantine, `${sha256}.${at}`)
    return { folder: this.#quarantine, blob, sidecar: `${blob}.json` }
  }
}
