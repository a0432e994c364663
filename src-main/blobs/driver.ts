import type { Readable, Writable } from 'node:stream'
import type { ChecksumType } from '../domain/model.ts'

/** What a box file says of itself. */
export interface BoxFacts {
  readonly format: 'tar.gz' | 'tar' | 'other'
  readonly provider: string | null
  readonly architecture: string | null
  readonly diskFormat: string | null
  readonly hasVagrantfile: boolean
  /** A sentence for people when something about the file is odd. */
  readonly note: string | null
}

/** Bytes that have arrived whole and are known by their digests, but are not in the store yet. */
export interface Staged {
  readonly id: string
  readonly sha256: string
  readonly size: number
  /** The sha256, and the types that were asked for. */
  readonly checksums: Readonly<Partial<Record<ChecksumType, string>>>
  readonly facts: BoxFacts
}

export interface ReceiveOptions {
  readonly checksums?: readonly ChecksumType[]
  readonly length?: number | null
  readonly signal?: AbortSignal
  readonly onProgress?: (bytes: number) => void
}

/** A store of immutable files named by their sha256. */
export interface BlobDriver {
  receive(body: Readable, options?: ReceiveOptions): Promise<Staged>
  takeFile(path: string, options?: ReceiveOptions): Promise<Staged>
  commit(staged: Staged): Promise<void>
  discard(staged: Staged): Promise<void>
  size(sha256: string): Promise<number | null>
  copyTo(
    sha256: string,
    target: Writable,
    range?: { readonly start: number; readonly end: number },
    options?: { readonly signal?: AbortSignal; readonly beforeLast?: () => void }
  ): Promise<void>
  digest(
    sha256: string,
    types: readonly ChecksumType[],
    onProgress?: (bytes: number) => void
  ): Promise<{ size: number; checksums: Partial<Record<ChecksumType, string>>; facts: BoxFacts } | null>
  remove(sha256: string): Promise<void>
  /**
   * Removes a blob and its sidecar unless somebody has stored the same bytes since `list` told `modifiedAt`
   * (which renews the file's time); tells whether it did. Nobody who commits those bytes meanwhile loses them.
   */
  removeIfUnchanged(sha256: string, modifiedAt: number): Promise<boolean>
  quarantine(sha256: string): Promise<void>
  list(): AsyncIterable<{ sha256: string; size: number; modifiedAt: number }>
  writeSidecar(sha256: string, content: unknown): Promise<void>
  readSidecar(sha256: string): Promise<unknown>
  freeBytes(): Promise<number>
  staging(): AsyncIterable<{ id: string; size: number; modifiedAt: number }>
  dropStaged(id: string): Promise<void>
  close(): Promise<void>
}
