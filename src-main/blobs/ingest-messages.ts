import type { ChecksumType } from '../domain/model.ts'
import type { Digest } from './driver.ts'

/** A digest of bytes, with the name they get in the store. */
export type NamedDigest = Digest & { readonly sha256: string }

/** What the main thread asks of the ingest thread. Files are handed over open, by their number. */
export type Ask =
  | {
      readonly kind: 'receive'
      readonly checksums: readonly ChecksumType[]
      readonly to: number
      /** So many bytes are there already, and are read before the first chunk. */
      readonly continueFrom: number
    }
  /** The chunks' memory goes with them. */
  | { readonly kind: 'chunks'; readonly chunks: readonly Uint8Array<ArrayBuffer>[] }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'read'
      readonly checksums: readonly ChecksumType[]
      readonly from: number
      /** Where a copy goes, if one is wanted. */
      readonly to: number | null
    }
  | { readonly kind: 'abort' }

/** What it answers. A job ends with one 'done' or 'failed', after which its files are no longer touched. */
export type Answer =
  /** What was there already has been read: chunks may come. */
  | { readonly kind: 'ready' }
  /** So many bytes more are done with; the pool's memory comes back. */
  | { readonly kind: 'progress'; readonly bytes: number; readonly memory?: readonly ArrayBuffer[] }
  | { readonly kind: 'done'; readonly digest: NamedDigest }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | undefined }

export interface ToIngest {
  readonly job: number
  readonly ask: Ask
}

export interface FromIngest {
  readonly job: number
  readonly answer: Answer
}
