import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { TooManyBytes } from '../../../blobs/arrival.ts'
import type { BlobDriver, Staged } from '../../../blobs/driver.ts'
import type { Synced, WholeRef } from '../../../catalog/synced.ts'
import { sizeText } from '../../../contract/size-text.ts'
import { strongestOf } from '../../../domain/checksum.ts'
import { checksumTypes, type Caller, type ChecksumType } from '../../../domain/model.ts'
import { Problem } from '../../../domain/problem.ts'
import type { Checksums, ImageName } from '../../../domain/sync/snapshot.ts'
import type { BytesToPut, OpenedBytes, PutOptions, Tag } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'
import { refTo } from './deeds.ts'

interface Needs {
  readonly blobs: BlobDriver
  readonly synced: Synced
  readonly checksumOf: (sha256: string, type: ChecksumType) => Promise<string>
}

const checksums = z.partialRecord(z.enum(checksumTypes), z.string())

/** What is kept with a step, so that it goes on after whatever ended the program. */
const memoSchema = z.object({
  stagedId: z.uuid(),
  /** Of the bytes that were wanted then: of others, nothing can be used. */
  wanted: z.object({ size: z.number().nullable(), checksums }),
  /** Once all of it was here and checked. */
  arrived: z.object({ sha256: z.string(), size: z.number(), checksums, facts: z.looseObject({}) }).nullable()
})
type ReceivingMemo = z.infer<typeof memoSchema>

/** One putting of bytes, with all that goes with it. */
interface Job {
  readonly caller: Caller
  readonly ref: WholeRef
  readonly what: string
  readonly bytes: BytesToPut
  readonly options: PutOptions
}

/**
 * Brings the bytes of an image into the store. They are staged under an id that is kept with the step, so that a later
 * attempt reads once what is there and asks for the rest alone. Nothing is visible before all of it was checked.
 */
export class Receiving {
  readonly #blobs: BlobDriver
  readonly #synced: Synced
  readonly #checksumOf: Needs['checksumOf']

  constructor({ blobs, synced, checksumOf }: Needs) {
    this.#blobs = blobs
    this.#synced = synced
    this.#checksumOf = checksumOf
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
    const what = `${tag.organization}/${tag.name} ${image.version} for ${image.provider} on ${image.architecture}`
    const job: Job = { caller, ref, what, bytes, options }
    const kept = memoSchema.safeParse(memo.read()).data ?? null
    const there = (await this.#isThere(job)) ? null : await this.#inStore(job, kept)
    if (there) await this.#synced.attach(caller, ref, there, bytes.checksums)
    if (there !== null || (await this.#isThere(job))) return this.#over(job, kept)
    await this.#receiveAll(job, kept)
  }

  /** Whether the image is made of these bytes already. */
  async #isThere({ caller, ref, bytes }: Job): Promise<boolean> {
    const { image } = this.#synced.find(caller, ref)
    if (this.#synced.isMadeOf(image, bytes.checksums)) return true
    const type = strongestOf(bytes.checksums)
    if (image.blob === null || type === null || type === 'sha256' || !this.#synced.isSound(image.blob))
      return false
    if (bytes.size !== null && bytes.size !== image.size) return false
    return (await this.#checksumOf(image.blob, type)) === bytes.checksums[type]
  }

  /** The bytes, when they have come before: for another image, or in an attempt that was cut off at the very end. */
  async #inStore({ bytes }: Job, kept: ReceivingMemo | null): Promise<Staged | null> {
    const { sha256 } = bytes.checksums
    const stored = sha256 === undefined ? null : await this.#synced.stored(sha256)
    if (stored) return this.#renewed(stored)
    if (!kept?.arrived || !isWanted(kept, bytes)) return null
    const { facts, ...arrived } = kept.arrived
    if ((await this.#blobs.size(arrived.sha256)) !== arrived.size) return null
    return this.#renewed({ id: kept.stagedId, ...arrived, facts: facts as unknown as Staged['facts'] })
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
    const { memo } = options
    const { stagedId, from } = await this.#begin(job, kept)
    const wanted = { size: bytes.size, checksums: bytes.checksums }
    memo.write({ stagedId, wanted, arrived: null } satisfies ReceivingMemo, stagedId)
    options.onProgress(from)
    const staged = await this.#receive(job, stagedId, from)
    options.onVerifying()
    const fault = faultOf(job, staged)
    if (fault) {
      await this.#blobs.discard(staged)
      memo.write(null, null)
      throw fault
    }
    const { sha256, size } = staged
    const arrived = { sha256, size, checksums: staged.checksums, facts: { ...staged.facts } }
    memo.write({ stagedId, wanted, arrived } satisfies ReceivingMemo, stagedId)
    await this.#synced.commit(staged)
    await this.#synced.attach(caller, ref, staged, bytes.checksums)
    memo.write(null, null)
  }

  /** Where to stage, and how much of it is there. Without a checksum nobody could tell whether both parts belong together. */
  async #begin({ bytes }: Job, kept: ReceivingMemo | null): Promise<{ stagedId: string; from: number }> {
    if (!kept) return { stagedId: randomUUID(), from: 0 }
    const { stagedId } = kept
    const there = (await this.#blobs.stagedSize(stagedId)) ?? 0
    const usable =
      isWanted(kept, bytes) &&
      strongestOf(bytes.checksums) !== null &&
      (bytes.size === null || there <= bytes.size)
    return { stagedId, from: usable ? there : 0 }
  }

  async #receive(job: Job, stagedId: string, from: number): Promise<Staged> {
    const { bytes, options } = job
    let opened: OpenedBytes | null = null
    let broken: { error: unknown } | null = null
    let arrived = from
    const open = async (): Promise<Readable> => {
      if (bytes.size === from && from > 0) return Readable.from([])
      opened ??= await bytes.open(from, options.signal)
      opened.body.once('error', (error) => (broken = { error }))
      if (opened.from !== from) throw new FromTheBeginning()
      return opened.body
    }
    const receive = (continueFrom: number): Promise<Staged> =>
      this.#blobs.receive(open, {
        ...{ id: stagedId, keepPartial: true, continueFrom, length: bytes.size, signal: options.signal },
        checksums: checksumTypes.filter((type) => bytes.checksums[type] !== undefined),
        onProgress: (total) => options.onProgress((arrived = total))
      })
    try {
      return await receive(from).catch((error: unknown) => {
        if (!(error instanceof FromTheBeginning) || opened?.from !== 0) throw error
        arrived = from = 0
        options.onProgress(0)
        return receive(0)
      })
    } catch (error) {
      ;(opened as OpenedBytes | null)?.body.destroy()
      throw await this.#explain(job, { error, broken, stagedId, arrived })
    }
  }

  /** In the words of remotes: what the other side did is its failure, what this disk did is a Problem. */
  async #explain(
    { what, options }: Job,
    failed: { error: unknown; broken: { error: unknown } | null; stagedId: string; arrived: number }
  ): Promise<unknown> {
    const { error, broken, stagedId, arrived } = failed
    if (options.signal.aborted) return options.signal.reason
    const cause = broken?.error ?? error
    if (cause instanceof RemoteFailure) return cause
    if (error instanceof FromTheBeginning)
      return new RemoteFailure('odd', [
        `Asked for the rest of the file of ${what}, the remote sent another part of it.`
      ])
    if (error instanceof TooManyBytes) {
      await this.#blobs.dropStaged(stagedId)
      options.memo.write(null, null)
      return new RemoteFailure('damaged', [
        `More came of the file of ${what} than it should have. Nothing of it was kept.`
      ])
    }
    if (!broken && !(error instanceof Problem && error.kind === 'invalid')) return error
    return new RemoteFailure('offline', [`The file of ${what} broke off after ${sizeText(arrived)}.`], {
      cause
    })
  }

  #over({ bytes, options: { memo, onProgress } }: Job, kept: ReceivingMemo | null): Promise<void> {
    if (bytes.size !== null) onProgress(bytes.size)
    if (kept) memo.write(null, null)
    return kept ? this.#blobs.dropStaged(kept.stagedId) : Promise.resolve()
  }
}

/** The other side does not know how to go on in the middle. */
class FromTheBeginning extends Error {}

const isWanted = ({ wanted }: ReceivingMemo, { size, checksums }: BytesToPut): boolean =>
  isDeepStrictEqual(wanted, { size, checksums: { ...checksums } })

function faultOf({ what, bytes }: Job, staged: Staged): RemoteFailure | null {
  if (bytes.size !== null && staged.size !== bytes.size)
    return new RemoteFailure('damaged', [
      `The file of ${what} came with ${staged.size} bytes, and should have ${bytes.size}. Nothing of it was kept.`
    ])
  for (const type of checksumTypes) {
    const wanted: Checksums[ChecksumType] = bytes.checksums[type]
    if (wanted !== undefined && wanted !== staged.checksums[type])
      return new RemoteFailure('damaged', [
        `The file of ${what} arrived with other bytes than it should have: its ${type} checksum is ${staged.checksums[type]}, and ${wanted} was expected.`,
        'Nothing of it was kept.'
      ])
  }
  return null
}
