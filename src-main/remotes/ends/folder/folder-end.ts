import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { BlobDriver, Staged } from '../../../blobs/driver.ts'
import { isSha256 } from '../../../blobs/paths.ts'
import { wholeImageInWords } from '../../../contract/sentences.ts'
import { architectureFault } from '../../../domain/architecture.ts'
import { strongest } from '../../../domain/checksum.ts'
import { imageUrlFault } from '../../../domain/image-url.ts'
import { nameFault } from '../../../domain/names.ts'
import { applyStep, ImpossibleDeed } from '../../../domain/sync/apply.ts'
import { tellContents } from '../../../domain/sync/compare.ts'
import type { Deed } from '../../../domain/sync/plan-types.ts'
import type { BoxSnapshot, Content, ImageName } from '../../../domain/sync/snapshot.ts'
import { descriptionFault, shortDescriptionFault } from '../../../domain/texts.ts'
import { numberFault } from '../../../domain/version-number.ts'
import { endedBy } from '../../aborting.ts'
import type { BytesToPut, End, Listing, OpenedBytes, PutOptions, Seen, Tag } from '../../end.ts'
import { othersAreThere, RemoteFailure } from '../../failure.ts'
import { StagedReceive, type Incoming } from '../staged-receive.ts'
import type { BlobUses } from './blob-uses.ts'
import type { FolderListings } from './listing.ts'
import type { FolderPaths } from './paths.ts'
import type { DocumentStore } from './store.ts'
import { explained } from './trouble.ts'

/** What a folder is made of. */
export interface FolderParts {
  readonly paths: FolderPaths
  readonly blobs: BlobDriver
  readonly store: DocumentStore
  readonly uses: BlobUses
  readonly listings: FolderListings
  readonly writable: boolean
  /** Throws a RemoteFailure when the folder is no longer the one that was opened: another disk may be in its place. */
  readonly checkIsIt: () => Promise<void>
}

/** A folder on a disk that travels, or on a share, as one of the ends boxes go between. */
export class FolderEnd implements End {
  readonly traits
  readonly #parts: FolderParts
  readonly #staged: StagedReceive

  constructor(parts: FolderParts) {
    this.#parts = parts
    this.#staged = new StagedReceive(parts.blobs, { isOwnStore: false })
    this.traits = { architectures: true, longestShortDescription: 255, writable: parts.writable }
  }

  read(tag: Tag, signal: AbortSignal): Promise<Seen | null> {
    return this.#doing(signal, async () => {
      await this.#parts.checkIsIt()
      const found = await this.#parts.store.read(tag)
      return found && { snapshot: found.document.box, stamp: found.stamp }
    })
  }

  carryOut(tag: Tag, deed: Exclude<Deed, { kind: 'put-bytes' }>, signal: AbortSignal): Promise<void> {
    return this.#doing(signal, async () => {
      refuse(faultsOf(tag, deed))
      await this.#parts.checkIsIt()
      await this.#change(tag, signal, (box) => done(box, deed))
    })
  }

  put(tag: Tag, image: ImageName, bytes: BytesToPut, options: PutOptions): Promise<void> {
    const { signal, memo } = options
    return this.#doing(signal, async () => {
      const { store, blobs } = this.#parts
      refuse(faultsOf(tag, null))
      await this.#parts.checkIsIt()
      const box = (await store.read(tag))?.document.box ?? null
      const there = contentAt(box, image)
      const what = wholeImageInWords(tag, image)
      const job = { what, bytes, options }
      const kept = this.#staged.kept(memo)
      if (await this.#isThere(there, bytes)) return this.#staged.over(job, kept)
      await this.#refuseOthers(there, job)
      const arrived = (await this.#staged.arrived(kept, bytes)) ?? (await this.#stored(bytes))
      const staged = arrived ?? (await this.#staged.receive(job, kept))
      signal.throwIfAborted()
      await this.#parts.checkIsIt()
      await blobs.commit(staged)
      // It may have taken hours.
      const now = contentAt((await store.read(tag))?.document.box ?? null, image)
      if (!(await this.#isThere(now, bytes))) await this.#refuseOthers(now, job)
      await this.#attach(tag, image, staged, job, now)
      if (arrived) await this.#staged.over(job, kept)
      else memo.write(null)
    })
  }

  open(tag: Tag, image: ImageName, from: number, signal: AbortSignal): Promise<OpenedBytes> {
    return this.#doing(signal, async () => {
      await this.#parts.checkIsIt()
      const content = contentAt((await this.#parts.store.read(tag))?.document.box ?? null, image)
      const sha256 = content.kind === 'bytes' ? content.checksums.sha256 : undefined
      const size = sha256 === undefined || !isSha256(sha256) ? null : await this.#parts.blobs.size(sha256)
      if (sha256 === undefined || size === null)
        throw new RemoteFailure('missing', [
          `The file of ${wholeImageInWords(tag, image)} is not in the folder.`
        ])
      const body = await this.#parts.blobs.read(sha256, from)
      return { body: endedBy(signal, body), from, size }
    })
  }

  list(organization: string | null, cursor: string | null, signal: AbortSignal): Promise<Listing> {
    return this.#doing(signal, async () => {
      await this.#parts.checkIsIt()
      return this.#parts.listings.list(organization, cursor, signal)
    })
  }

  close(): Promise<void> {
    return this.#parts.blobs.close()
  }

  /** Bytes that are not on the disk any more are no loss. */
  async #refuseOthers(there: Content, { what, bytes }: { what: string; bytes: BytesToPut }): Promise<void> {
    const sha256 = there.kind === 'bytes' && bytes.replaces !== true ? there.checksums.sha256 : undefined
    if (sha256 !== undefined && isSha256(sha256) && (await this.#parts.blobs.size(sha256)) !== null)
      throw othersAreThere(what)
  }

  async #isThere(there: Content, { checksums, size }: BytesToPut): Promise<boolean> {
    if (there.kind !== 'bytes' || strongest(checksums) === null) return false
    if (tellContents(there, { kind: 'bytes', size, checksums }) !== 'same') return false
    const { sha256 } = there.checksums
    return sha256 !== undefined && (await this.#parts.blobs.size(sha256)) === there.size
  }

  /** The same bytes, when another image has them already. */
  async #stored({ checksums: { sha256, ...others }, size }: BytesToPut): Promise<Staged | null> {
    if (sha256 === undefined || !isSha256(sha256)) return null
    const stored = await this.#parts.blobs.size(sha256)
    if (stored === null || (size !== null && stored !== size)) return null
    // A disk that travels may have lost some of it: what is not sound is sent again.
    const types = Object.keys(others) as (keyof typeof others)[]
    const digest = await this.#parts.blobs.digest(sha256, types)
    if (digest?.checksums.sha256 !== sha256) {
      await this.#parts.blobs.quarantine(sha256)
      return null
    }
    const isWanted = types.every((type) => digest.checksums[type] === others[type])
    return isWanted ? { id: randomUUID(), sha256, ...digest } : null
  }

  async #attach(
    tag: Tag,
    image: ImageName,
    { sha256, size, facts, ...staged }: Staged,
    { what, bytes, options: { signal } }: Incoming,
    now: Content
  ): Promise<void> {
    const content: Content = {
      ...{ kind: 'bytes', size },
      checksums: { ...bytes.checksums, ...staged.checksums, sha256 }
    }
    await this.#change(
      tag,
      signal,
      (box) => {
        const then = contentAt(box, image)
        if (isDeepStrictEqual(then, content)) return box
        if (!isDeepStrictEqual(then, now)) throw othersAreThere(what)
        return withContent(box, image, content)
      },
      { sha256, facts }
    )
  }

  /** Files first, then the document that needs them; what it no longer needs goes last. */
  async #change(
    tag: Tag,
    signal: AbortSignal,
    change: (box: BoxSnapshot | null) => BoxSnapshot | null,
    added: Pick<Staged, 'sha256' | 'facts'> | null = null
  ): Promise<void> {
    const { store, uses, blobs } = this.#parts
    let before: BoxSnapshot | null = null
    const keep = (box: BoxSnapshot | null): BoxSnapshot | null => change((before = box))
    const { was, is } = await store.change(tag, signal, keep, async (next) => {
      const isNew = (image: ImageName): boolean => isOtherUse(before, next.box, image)
      await uses.write(next, signal, isNew, added?.facts ?? null)
      // Its last use may have been taken back just before this one was noted.
      if (added && (await blobs.size(added.sha256)) === null)
        throw new RemoteFailure('busy', ['Another program has just removed this file from the folder.'])
    })
    if (was !== null && was !== is) await uses.drop(was, is, signal)
  }

  async #doing<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (error instanceof ImpossibleDeed) throw new RemoteFailure(error.kind, [error.message])
      throw explained(this.#parts.paths.root, error)
    }
  }
}

function done(box: BoxSnapshot | null, deed: Exclude<Deed, { kind: 'put-bytes' }>): BoxSnapshot | null {
  // What is gone already is gone.
  if (box === null && deed.kind === 'remove-box') return null
  const next = applyStep(box, deed, null)
  return isDeepStrictEqual(next, box) ? box : next
}

/** Whether what the sidecar of an image's file says is another thing now. */
function isOtherUse(before: BoxSnapshot | null, next: BoxSnapshot, image: ImageName): boolean {
  const texts = ({ shortDescription, description, private: isPrivate }: BoxSnapshot) =>
    JSON.stringify([shortDescription, description, isPrivate])
  if (!before || texts(before) !== texts(next)) return true
  const find = (box: BoxSnapshot) => box.versions.find(({ number }) => number === image.version)
  return find(before) !== find(next)
}

function imageAt(box: BoxSnapshot | null, { version, provider, architecture }: ImageName) {
  if (!box) throw new ImpossibleDeed('missing', 'There is no such box in the folder.')
  const found = box.versions.find(({ number }) => number === version)
  const image = found?.images.find((one) => one.provider === provider && one.architecture === architecture)
  if (!found || !image)
    throw new ImpossibleDeed('missing', `The folder has no image ${provider}/${architecture} of ${version}.`)
  return { found, image }
}

const contentAt = (box: BoxSnapshot | null, name: ImageName): Content => imageAt(box, name).image.content

function withContent(box: BoxSnapshot | null, name: ImageName, content: Content): BoxSnapshot | null {
  const { found, image } = imageAt(box, name)
  const images = found.images.map((one) => (one === image ? { ...one, content } : one))
  return box && { ...box, versions: box.versions.map((one) => (one === found ? { ...one, images } : one)) }
}

function faultsOf({ organization, name }: Tag, deed: Deed | null): (string | null)[] {
  return [
    nameFault('The organization name', organization),
    nameFault('The box name', name),
    ...(deed ? deedFaults(deed) : [])
  ]
}

/** A folder keeps only what any end could take over from it. */
function deedFaults(deed: Deed): (string | null)[] {
  switch (deed.kind) {
    case 'create-box':
    case 'change-box': {
      const { shortDescription = '', description = '' } = deed.texts
      return [shortDescriptionFault(shortDescription), descriptionFault(description)]
    }
    case 'create-version':
      return [numberFault(deed.version), descriptionFault(deed.description)]
    case 'change-version':
      return [descriptionFault(deed.description)]
    case 'create-image':
      return [
        nameFault('The provider name', deed.provider),
        architectureFault(deed.architecture),
        deed.url === null ? null : imageUrlFault(deed.url),
        deed.known ? 'A folder keeps files itself.' : null
      ]
    case 'change-image':
      return [
        deed.url ? imageUrlFault(deed.url.url) : null,
        deed.known ? 'A folder keeps files itself.' : null
      ]
    default:
      return []
  }
}

function refuse(faults: readonly (string | null)[]): void {
  const sentences = faults.filter((fault) => fault !== null)
  if (sentences.length > 0) throw new RemoteFailure('refused', sentences)
}
