import type { BlobDriver, Staged } from '../../../blobs/driver.ts'
import type { Synced, WholeRef } from '../../../catalog/synced.ts'
import { wholeImageInWords } from '../../../contract/sentences.ts'
import { strongest } from '../../../domain/checksum.ts'
import type { Caller, ChecksumType } from '../../../domain/model.ts'
import { Problem } from '../../../domain/problem.ts'
import type { ImageName } from '../../../domain/sync/snapshot.ts'
import type { BytesToPut, PutOptions, Tag } from '../../end.ts'
import { othersAreThere } from '../../failure.ts'
import { StagedReceive, type Incoming, type ReceivingMemo } from '../staged-receive.ts'
import { refTo } from './deeds.ts'

interface Needs {
  readonly blobs: BlobDriver
  readonly synced: Synced
  readonly checksumOf: (sha256: string, type: ChecksumType) => Promise<string>
}

/** One putting of bytes, with all that goes with it. */
interface Job extends Incoming {
  readonly caller: Caller
  readonly ref: WholeRef
}

/** Brings the bytes of an image into the store. Nothing is visible before all of it was checked. */
export class Receiving {
  readonly #synced: Synced
  readonly #checksumOf: Needs['checksumOf']
  readonly #staged: StagedReceive

  constructor({ blobs, synced, checksumOf }: Needs) {
    this.#synced = synced
    this.#checksumOf = checksumOf
    this.#staged = new StagedReceive(blobs, { isOwnStore: true })
  }

  async put(
    caller: Caller,
    tag: Tag,
    image: ImageName,
    bytes: BytesToPut,
    options: PutOptions
  ): Promise<void> {
    const { signal, memo } = options
    signal.throwIfAborted()
    const ref = refTo(tag, image)
    const what = wholeImageInWords(tag, image)
    const job: Job = { caller, ref, what, bytes, options }
    const kept = this.#staged.kept(memo)
    const isThere = await this.#isThere(job)
    if (!isThere) this.#refuseOthers(job)
    const there = isThere ? null : await this.#inStore(job, kept)
    if (there) await this.#synced.attach(caller, ref, there, bytes.checksums)
    if (there !== null || (await this.#isThere(job))) return this.#over(job, kept)
    await this.#receiveAll(job, kept)
  }

  /** Whether the image is made of these bytes already. */
  async #isThere({ caller, ref, bytes }: Job): Promise<boolean> {
    const { image } = this.#synced.find(caller, ref)
    if (this.#synced.isMadeOf(image, bytes.checksums)) return true
    const known = strongest(bytes.checksums)
    if (image.blob === null || !known || known.type === 'sha256' || !this.#synced.isSound(image.blob))
      return false
    if (bytes.size !== null && bytes.size !== image.size) return false
    return (await this.#checksumOf(image.blob, known.type)) === known.value
  }

  /** Bytes that are damaged are no loss. */
  #refuseOthers({ caller, ref, what, bytes }: Job): void {
    const { blob } = this.#synced.find(caller, ref).image
    if (blob !== null && bytes.replaces !== true && this.#synced.isSound(blob)) throw othersAreThere(what)
  }

  /** The bytes, when they have come before: for another image, or in an attempt that was cut off at the very end. */
  async #inStore({ bytes }: Job, kept: ReceivingMemo | null): Promise<Staged | null> {
    const { sha256 } = bytes.checksums
    const stored = sha256 === undefined ? null : await this.#synced.stored(sha256)
    if (stored) return this.#renewed(stored)
    const arrived = await this.#staged.arrived(kept, bytes)
    return arrived && this.#renewed(arrived)
  }

  /** Nobody collects what has been committed a moment ago. */
  async #renewed(staged: Staged): Promise<Staged | null> {
    try {
      await this.#synced.commit(staged)
      return staged
    } catch (error) {
      if (error instanceof Problem && error.kind === 'missing') return null
      throw error
    }
  }

  async #receiveAll(job: Job, kept: ReceivingMemo | null): Promise<void> {
    const { caller, ref, bytes, options } = job
    const staged = await this.#staged.receive(job, kept)
    await this.#synced.commit(staged)
    // It may have taken hours.
    if (!(await this.#isThere(job))) this.#refuseOthers(job)
    await this.#synced.attach(caller, ref, staged, bytes.checksums)
    options.memo.write(null, null)
  }

  #over(job: Job, kept: ReceivingMemo | null): Promise<void> {
    return this.#staged.over(job, kept)
  }
}
