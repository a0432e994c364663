import { z } from 'zod'
import type { RemoteTransfer } from './transfers.ts'
import { checksumTypes, name, text } from './words.ts'

/** What a person says of a file on its way in; everything can be corrected until it is published. */
export const arrivalDraft = z.strictObject({
  organization: name,
  name: name,
  version: name,
  provider: name,
  architecture: name,
  /** Of a box that has to be made; one that is there stays as it is. */
  private: z.boolean(),
  shortDescription: text,
  versionDescription: text,
  /** Of a file that stays at its url. */
  checksum: name,
  checksumType: z.enum(checksumTypes),
  release: z.boolean(),
  isDefault: z.boolean(),
  /** Ids of remotes it is published to as well, once it is published here. */
  remotes: z.array(z.number().int().min(1)).max(100)
})
export type ArrivalDraft = z.infer<typeof arrivalDraft>

export const arrivalId = z.strictObject({ id: name })

/**
 * waiting: others go first. reading: bytes are being copied, hashed and looked into. ready: waits for the person to
 * publish it. publishing … cancelled: as they say.
 */
export type ArrivalState =
  'waiting' | 'reading' | 'ready' | 'publishing' | 'published' | 'failed' | 'cancelled'

/** A box file that was dropped, chosen or named by a url, from that moment until it is published. */
export interface Arrival {
  readonly id: string
  /** path: a file of this machine. stream: bytes sent by a browser. url: a file that stays where it is. */
  readonly kind: 'path' | 'stream' | 'url'
  readonly fileName: string
  /** The path or url, as the person gave it; '' for a stream. */
  readonly origin: string
  readonly state: ArrivalState
  /** Those that wait are read in this order, the lowest first. */
  readonly position: number
  /** Null for a url. */
  readonly size: number | null
  readonly bytesRead: number
  /** Smoothed; null when it is not reading, or for less than a moment. */
  readonly bytesPerSecond: number | null
  /** Publish it as soon as it is ready. */
  readonly confirmed: boolean
  readonly draft: ArrivalDraft
  /** What the file says of itself, once it was read. */
  readonly found: {
    readonly format: string
    readonly provider: string | null
    readonly architecture: string | null
    readonly sha256: string
  } | null
  /** What the person should know of the file. */
  readonly note: string | null
  /** Why it failed, or why one that is ready could not be published, in sentences. */
  readonly problem: readonly string[] | null
  /** A retry starts from the beginning; a stream that is gone has to be dropped again. */
  readonly canRetry: boolean
  readonly createdAt: number
  readonly finishedAt: number | null
}

/** One thing that would be done, as a sentence. */
export interface PlanStep {
  readonly kind: 'create-box' | 'create-version' | 'create-image' | 'replace-image' | 'release' | 'nothing'
  readonly sentence: string
}

/** What publishing an arrival would do now. With problems it would be refused. */
export interface ArrivalPlan {
  readonly steps: readonly PlanStep[]
  readonly problems: readonly string[]
}

/** What became of names the person gave: folders give every box file in them. */
export interface Added {
  readonly arrivals: readonly Arrival[]
  readonly refused: readonly { readonly origin: string; readonly sentences: readonly string[] }[]
}

/** A client (vagrant, packer, curl) that is sending a file to this registry just now. */
export interface ClientUpload {
  readonly id: string
  /** "acme/base 1.2.0 for virtualbox on amd64" */
  readonly what: string
  readonly box: { readonly organization: string; readonly name: string }
  readonly size: number | null
  readonly bytesRead: number
  readonly bytesPerSecond: number | null
  readonly startedAt: number
}

/** Everything on its way in, or to and from remotes, the newest first. */
export interface Transfers {
  readonly arrivals: readonly Arrival[]
  readonly clientUploads: readonly ClientUpload[]
  readonly remoteTransfers: readonly RemoteTransfer[]
  /** Whether everything to and from remotes is held by the person. */
  readonly held: boolean
}
