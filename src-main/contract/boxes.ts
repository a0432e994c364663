import { z } from 'zod'
import { checksumTypes, name, text, type ChecksumType, type VersionStatus } from './words.ts'

/** One provider and architecture of a version. */
export interface ImageDetails {
  readonly provider: string
  readonly architecture: string
  readonly isDefault: boolean
  /** here: bytes on this disk. external: at a url. empty: neither yet. damaged: the bytes were found rotten or gone. known: of a mirrored box, at the remote alone. */
  readonly state: 'here' | 'external' | 'empty' | 'damaged' | 'known'
  readonly url: string | null
  readonly checksum: string | null
  readonly checksumType: ChecksumType | null
  readonly size: number | null
  /** When the bytes were last read and found sound. */
  readonly verifiedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface VersionDetails {
  readonly number: string
  readonly status: VersionStatus
  readonly description: string
  /** Sanitised. */
  readonly descriptionHtml: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly images: readonly ImageDetails[]
}

/** A box with everything a person can see of it, newest version first. */
export interface BoxDetails {
  /** Stays the same when the box is renamed. */
  readonly id: number
  readonly organization: string
  readonly name: string
  readonly shortDescription: string
  readonly description: string
  /** Sanitised. */
  readonly descriptionHtml: string
  readonly private: boolean
  readonly downloads: number
  readonly currentVersion: string | null
  /** What a next version would usually be numbered. */
  readonly nextVersion: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly versions: readonly VersionDetails[]
}

/** Absent leaves what is there; "" clears a text. */
export const boxChanges = z.strictObject({
  name: name.optional(),
  shortDescription: text.optional(),
  description: text.optional(),
  private: z.boolean().optional()
})

export const versionChanges = z.strictObject({ number: name.optional(), description: text.optional() })

/** With a url the file lies elsewhere; without one, bytes are expected here. */
export const imageChanges = z.strictObject({
  provider: name.optional(),
  architecture: name.optional(),
  url: z.string().max(8192).optional(),
  checksum: name.optional(),
  checksumType: z.enum(checksumTypes).optional(),
  isDefault: z.boolean().optional()
})

/** How often a box was downloaded on one day, "2026-01-31" (UTC). */
export interface DownloadsOfDay {
  readonly day: string
  readonly count: number
}

/** What was deleted, and how to have it back. */
export interface Removed {
  readonly trashId: number
  /** "acme/base", "acme/base 1.2.0", "acme/base 1.2.0 for virtualbox on amd64", "12 boxes" */
  readonly what: string
}

/** Something deleted that can still be restored. */
export interface TrashEntry {
  readonly id: number
  readonly what: string
  readonly bytes: number
  readonly deletedAt: number
}
