import type { ChecksumType, VersionStatus } from '../model.ts'

/** Lower-case hexadecimal digits, by the type they are of. */
export type Checksums = Readonly<Partial<Record<ChecksumType, string>>>

/** What an image is made of. */
export type Content =
  /** A file that place keeps. No checksum at all is possible: some registries compute none. */
  | { readonly kind: 'bytes'; readonly size: number | null; readonly checksums: Checksums }
  /** An address elsewhere. */
  | { readonly kind: 'url'; readonly url: string; readonly checksums: Checksums }
  /** In a mirrored box: the remote keeps the file, and it is not here. Stands for those bytes wherever sides are compared. */
  | { readonly kind: 'known'; readonly size: number | null; readonly checksums: Checksums }
  /** Neither yet. */
  | { readonly kind: 'empty' }

export interface ImageSnapshot {
  readonly provider: string
  readonly architecture: string
  readonly isDefault: boolean
  readonly content: Content
}

export interface VersionSnapshot {
  readonly number: string
  readonly status: VersionStatus
  readonly description: string
  readonly images: readonly ImageSnapshot[]
}

/** The texts and the visibility of a box. */
export interface BoxTexts {
  readonly shortDescription: string
  readonly description: string
  readonly private: boolean
}

/**
 * A box as two places can agree on it: without ids, times and counts, which every place has of its own. Versions and
 * images come in no order that means anything.
 */
export interface BoxSnapshot extends BoxTexts {
  readonly versions: readonly VersionSnapshot[]
}

/** Names an image of a box. */
export interface ImageName {
  readonly version: string
  readonly provider: string
  readonly architecture: string
}

/** An image both sides agreed on. Its checksums are those either side knew, so that either can be compared with it. */
export interface AgreedImage extends Pick<ImageSnapshot, 'provider' | 'architecture' | 'content'> {
  readonly isDefault?: boolean
}

/** A version both sides had; without what they never agreed on of it. */
export interface AgreedVersion {
  readonly number: string
  readonly status?: VersionStatus
  readonly description?: string
  readonly images: readonly AgreedImage[]
  /** What it is called at the side it was sent from: that side never had it under this number. */
  readonly sentFrom?: string
}

/** What two places last agreed on of a box; every whole box is one. */
export interface AgreedBox extends Partial<BoxTexts> {
  readonly versions: readonly AgreedVersion[]
  /** Keys of conflicts in which the person chose to leave both sides as they are. */
  readonly kept?: readonly string[]
}
