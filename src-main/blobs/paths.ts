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
 *   quarantine/
 *     ab12…ef.<ms>           bytes found to be damaged at that time
 *     ab12…ef.<ms>.json      and what their sidecar said
 */

const sha256Pattern = /^[0-9a-f]{64}$/
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isSha256 = (name: string): boolean => sha256Pattern.test(name)
export const isStagingId = (name: string): boolean => idPattern.test(name)

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

  quarantined(sha256: string, at: number): { folder: string; blob: string; sidecar: string } {
    if (!isSha256(sha256)) throw new TypeError(`not a sha256: ${sha256}`)
    const blob = join(this.#quarantine, `${sha256}.${at}`)
    return { folder: this.#quarantine, blob, sidecar: `${blob}.json` }
  }
}
