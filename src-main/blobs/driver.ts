import type { Readable, Writable } from 'node:stream'
import type { ChecksumType } from '../domain/model.ts'

/** What a box file says of itself. */
export interface BoxFacts {
  readonly format: 'tar.gz' | 'tar' | 'other'
  readonly provider: string | null
  readonly architecture: string | null
  /** Of the disk inside, as metadata.json names it: qcow2, raw … */
  readonly diskFormat: string | null
  readonly hasVagrantfile: boolean
  /** A sentence for people when something about the file is odd. */
  readonly note: string | null
}

/** Lower-case hexadecimal digits, by the type they are of. */
export type Checksums = Readonly<Partial<Record<ChecksumType, string>>>

/** What one read of some bytes tells. */
export interface Digest {
  readonly size: number
  /** The sha256, and the types that were asked for. */
  readonly checksums: Checksums
  readonly facts: BoxFacts
}

/** Bytes that have arrived whole and are known by their digests, but are not in the store yet. */
export interface Staged extends Digest {
  readonly id: string
  readonly sha256: string
}

/** What is known of bytes before they arrive, and who wants to hear of them. */
export interface ReceiveOptions {
  /** Under which the bytes are staged: a UUID nobody has used, for who has to know it before the bytes are here. */
  readonly id?: string
  /** Digested besides sha256, in the same pass. */
  readonly checksums?: readonly ChecksumType[]
  /** How many bytes will come; fewer or more are refused. Null or absent when nobody knows. */
  readonly length?: number | null
  /** Ends the work: the body is destroyed, nothing is left, and the signal's reason is thrown. */
  readonly signal?: AbortSignal
  /** Called now and then with the number of bytes that have arrived. */
  readonly onProgress?: (bytes: number) => void
  /**
   * What has arrived stays staged under the id when the rest does not come, so that a later receive goes on from there.
   * It may not last through a power cut: whoever goes on has to know a checksum of the whole.
   */
  readonly keepPartial?: boolean
  /**
   * So many bytes are staged under the id already, of an earlier receive that kept them. They are read once more for the
   * digests, what lies behind them is cut off, and the body is what comes after them.
   */
  readonly continueFrom?: number
}

/** A stream, or what opens it once it is wanted: after bytes that were there before have been read. */
export type Body = Readable | (() => Promise<Readable>)

/** How a local file is taken in. */
export interface TakeOptions extends Omit<ReceiveOptions, 'length' | 'keepPartial' | 'continueFrom'> {
  /** The file is given away: no copy is made where both names can be of the same file, and nobody may write to it again. */
  readonly givenAway?: boolean
}

/** The first and the last byte of a part, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Who may stop a download, and who wants to hear that its end is near. */
export interface CopyOptions {
  readonly signal?: AbortSignal
  /** Called just before the last bytes are handed on: what it throws keeps them back. */
  readonly beforeLast?: () => void
}

/** A file of the store or of the staging area. */
export interface StoredFile {
  readonly size: number
  readonly modifiedAt: number
}

/**
 * A store of immutable files named by their sha256.
 *
 * Bytes are staged first and committed once somebody has agreed to them. A staged file belongs to whoever staged it,
 * who commits or discards it; what is left behind by a crash is found by `staging`.
 */
export interface BlobDriver {
  /**
   * Stages a stream. On any failure nothing is left, unless it is asked for, and the failure is thrown: Problem 'no-room' when the disk is full
   * or would be. The body is left undestroyed then, so that its sender can still be answered.
   * Chunks of an HTTP request are taken over: nobody else may keep them.
   */
  receive(body: Body, options?: ReceiveOptions): Promise<Staged>
  /** How many bytes are staged under an id, whole or not; null when there are none. */
  stagedSize(id: string): Promise<number | null>
  /**
   * Stages a local file in one read, without its bytes passing through the main thread. The file itself stays as it is,
   * and where it is; whoever gave it away removes it once the bytes are committed.
   */
  takeFile(path: string, options?: TakeOptions): Promise<Staged>
  /** Makes staged bytes last through a power cut, for who commits them much later. */
  keep(staged: Staged): Promise<void>
  /**
   * Durable once resolved. When the same bytes are there already those are kept, and count as new for garbage collection.
   * A commit may be made again, as after one that nobody heard the end of. Problem 'missing' when the bytes are gone.
   */
  commit(staged: Staged): Promise<void>
  discard(staged: Staged): Promise<void>
  size(sha256: string): Promise<number | null>
  /** Writes a blob, or a part of it, at the pace of the target, and does not end the target. Problem 'missing' without a blob. */
  copyTo(sha256: string, target: Writable, range?: ByteRange, options?: CopyOptions): Promise<void>
  /** A blob from a byte on, in large pieces, for who wants to be handed them. Problem 'missing' without a blob. */
  read(sha256: string, from: number): Promise<Readable>
  /** Reads a blob again, off the main thread; null when there is none. */
  digest(
    sha256: string,
    types: readonly ChecksumType[],
    onProgress?: (bytes: number) => void
  ): Promise<Digest | null>
  /** Removes the blob and its sidecar, if they are there. */
  remove(sha256: string): Promise<void>
  /**
   * Removes a blob and its sidecar unless somebody has stored the same bytes since `list` told `modifiedAt`
   * (which renews the file's time); tells whether it did. Nobody who commits those bytes meanwhile loses them.
   */
  removeIfUnchanged(sha256: string, modifiedAt: number): Promise<boolean>
  /** Moves a blob and its sidecar aside, for people to look at. */
  quarantine(sha256: string): Promise<void>
  list(): AsyncIterable<StoredFile & { readonly sha256: string }>
  /** Keeps some JSON beside a blob; without the blob it is dropped. Replaced in one step, never seen half written. */
  writeSidecar(sha256: string, content: unknown): Promise<void>
  /** Null when there is none, or none that can be read. */
  readSidecar(sha256: string): Promise<unknown>
  freeBytes(): Promise<number>
  staging(): AsyncIterable<StoredFile & { readonly id: string }>
  dropStaged(id: string): Promise<void>
  close(): Promise<void>
}
