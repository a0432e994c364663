import type { ChecksumType, VersionStatus } from '../contract/words.ts'

export { checksumTypes, roles, type ChecksumType, type Role, type VersionStatus } from '../contract/words.ts'

/** The things the registry keeps, as its services hand them out. Times are milliseconds since 1970, UTC. */

/** One provider and architecture of a version: the box file itself, or the address of one elsewhere. */
export interface Image {
  readonly id: number
  readonly provider: string
  readonly architecture: string
  /** Served to clients that know no architectures. Exactly one image of a provider name has it. */
  readonly isDefault: boolean
  /** Where the file lies when it is not here; null for an image whose bytes this registry keeps. */
  readonly url: string | null
  /** Of the bytes served; for an external address, as it was given. Null when there are neither. */
  readonly checksum: string | null
  readonly checksumType: ChecksumType | null
  /** The sha256 that names the bytes in the blob store, once they have arrived whole. */
  readonly blob: string | null
  readonly size: number | null
  /** Of a mirrored box, when the remote alone has the bytes; `size` is theirs then. */
  readonly known: { readonly checksums: Readonly<Partial<Record<ChecksumType, string>>> } | null
  /** Id of the upload that brought the bytes. */
  readonly hostedToken: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Version {
  readonly id: number
  readonly number: string
  readonly status: VersionStatus
  readonly description: string
  readonly descriptionHtml: string
  readonly createdAt: number
  readonly updatedAt: number
  /** In the order they were made. */
  readonly images: readonly Image[]
}

export interface Box {
  readonly id: number
  readonly organization: string
  readonly name: string
  readonly shortDescription: string
  readonly description: string
  readonly descriptionHtml: string
  readonly private: boolean
  readonly downloads: number
  /** Grows with every change to the box or anything in it. */
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
  /** The highest released stable version, else the highest released prerelease, else null. */
  readonly currentVersion: Version | null
}

/** A box with those of its versions the caller may see, newest number first. */
export interface BoxWithVersions extends Box {
  readonly versions: readonly Version[]
}

/** On whose behalf something is done: nobody known, an account, or the person at this machine's own command line. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'user'; readonly id: number; readonly name: string }
  | {
      readonly kind: 'operator'
      /** Brings boxes in line with those of a remote: the mirrors of it, and no others, may then be changed. */
      readonly mirrorOf?: number
    }

export const anonymous: Caller = { kind: 'anonymous' }
export const operator: Caller = { kind: 'operator' }
export const mirroring = (remoteId: number): Caller => ({ kind: 'operator', mirrorOf: remoteId })

/** Whether clients may be told of an image: those whose bytes a remote alone has are not for them. */
export const isForClients = ({ known }: Pick<Image, 'known'>): boolean => known === null

/** The same of a version: one of which nothing but such images is here is not for them either. */
export const isVersionForClients = ({ images }: Pick<Version, 'images'>): boolean =>
  images.length === 0 || images.some(isForClients)

/** Whether there is something to hand out to whoever asks for the file. */
export const canBeServed = ({ url, blob }: Pick<Image, 'url' | 'blob'>): boolean =>
  url !== null || blob !== null
