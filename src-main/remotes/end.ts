import type { Readable } from 'node:stream'
import type { Deed, EndTraits } from '../domain/sync/plan-types.ts'
import type { BoxSnapshot, Checksums, ImageName } from '../domain/sync/snapshot.ts'

/** Names a box at an end, as that end spells it. */
export interface Tag {
  readonly organization: string
  readonly name: string
}

/** A box in a listing. */
export interface Listed extends Tag {
  /** Another text whenever anything of the box has changed; null where the end tells nothing of that kind. */
  readonly stamp: string | null
}

/** What a listing gives. */
export interface Listing {
  /** Nothing changed since the cursor; then there are no boxes to walk. */
  readonly unchanged: boolean
  /** Some at a time, so that a listing need not fit in memory. Throws a RemoteFailure when it breaks off. */
  readonly boxes: AsyncIterable<readonly Listed[]>
  /** To be given with the next listing, once this one was walked to its end; null where the end knows none. */
  readonly cursor: () => string | null
}

/** A box as it is at an end now. */
export interface Seen {
  readonly snapshot: BoxSnapshot
  readonly stamp: string | null
}

/** Where a step left off, kept with its row so that it goes on after a crash. */
export interface Memo {
  read(): unknown
  /** Durable once it returns. `stagedId` names staged bytes that belong to the step, or takes that back with null. */
  write(value: unknown, stagedId?: string | null): void
}

/** Bytes on their way into an end. */
export interface BytesToPut {
  readonly size: number | null
  /** Those known of them; all of these must hold for what arrived. */
  readonly checksums: Checksums
  /** Whether others that are there now may give way to them. Absent, whoever put those there is not overwritten. */
  readonly replaces?: boolean
  /** Opens them at the source from a byte on; may be called again. */
  readonly open: (from: number, signal: AbortSignal) => Promise<OpenedBytes>
}

/** Bytes being read. */
export interface OpenedBytes {
  readonly body: Readable
  /** The first byte that comes: 0 when the end does not know how to go on in the middle. */
  readonly from: number
  /** Of the whole file; null when the end does not say. */
  readonly size: number | null
}

/** Who follows the bytes, and may stop them. */
export interface PutOptions {
  readonly signal: AbortSignal
  readonly memo: Memo
  /** Called with the number of bytes of the file that are over, those of earlier attempts included. */
  readonly onProgress: (bytes: number) => void
  /** Called once all are over and are being checked. */
  readonly onVerifying: () => void
}

/**
 * A place that keeps boxes and can be read and written box by box: the catalogue here, a registry over HTTP, a folder.
 * All pass one contract suite. What goes wrong is thrown as a RemoteFailure, or, of the catalogue here, as a Problem.
 */
export interface End {
  readonly traits: EndTraits
  /** Null when there is no such box, or not for these eyes. */
  read(tag: Tag, signal: AbortSignal): Promise<Seen | null>
  /** Carries out all but put-bytes. What is so already is done; it looks before it writes, and never undoes. */
  carryOut(tag: Tag, deed: Exclude<Deed, { kind: 'put-bytes' }>, signal: AbortSignal): Promise<void>
  /**
   * Makes bytes the file of an image that is there. Until they have arrived whole and were checked, what was there before
   * stays. Goes on where an earlier attempt left off, as far as the end can.
   */
  put(tag: Tag, image: ImageName, bytes: BytesToPut, options: PutOptions): Promise<void>
  open(tag: Tag, image: ImageName, from: number, signal: AbortSignal): Promise<OpenedBytes>
  /** The boxes of an organization; null for all that can be listed. */
  list(organization: string | null, cursor: string | null, signal: AbortSignal): Promise<Listing>
  close(): Promise<void>
}

/** Who a remote says it is, and for whom it takes us. */
export interface Introduction {
  /** Another text when another registry or folder answers at the same place. */
  readonly identity: string
  readonly what: string
  readonly api: 'v1' | 'v2' | null
  readonly account: string | null
  readonly organizations: readonly string[]
  readonly notes: readonly string[]
}

/** What a remote can most likely do, for as long as it cannot be asked. */
export const likelyTraits = ({ api }: Pick<Introduction, 'api'>): EndTraits => ({
  architectures: api !== 'v1',
  longestShortDescription: 255,
  writable: true
})

/** What is needed to reach a remote. */
export interface Access {
  readonly kind: 'http' | 'folder'
  readonly location: string
  /** Null to find out. */
  readonly api: 'v1' | 'v2' | null
  readonly token: string | null
  readonly allowPlainHttp: boolean
  /** PEM: trusted besides those of the system. */
  readonly certificates: string | null
  /**
   * Makes an empty folder a remote, or only looks at it. Absent of one that is a remote already: there, an empty folder is
   * the place of a disk that is not plugged in.
   */
  readonly setUp?: boolean
}
