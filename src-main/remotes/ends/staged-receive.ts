import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { TooManyBytes } from '../../blobs/arrival.ts'
import type { BlobDriver, Staged } from '../../blobs/driver.ts'
import { sizeText } from '../../contract/size-text.ts'
import { strongest } from '../../domain/checksum.ts'
import { checksumTypes, type ChecksumType } from '../../domain/model.ts'
import { Problem } from '../../domain/problem.ts'
import type { Checksums } from '../../domain/sync/snapshot.ts'
import type { BytesToPut, Memo, OpenedBytes, PutOptions } from '../end.ts'
import { RemoteFailure } from '../failure.ts'

const checksums = z.partialRecord(z.enum(checksumTypes), z.string())

/** What is kept with a step, so that it goes on after whatever ended the program. */
const memoSchema = z.object({
  stagedId: z.uuid(),
  /** Of the bytes that were wanted then: of others, nothing can be used. */
  wanted: z.object({ size: z.number().nullable(), checksums }),
  /** Once all of it was here and checked. */
  arrived: z.object({ sha256: z.string(), size: z.number(), checksums, facts: z.looseObject({}) }).nullable()
})
export type ReceivingMemo = z.infer<typeof memoSchema>

/** Bytes on their way in, with all that goes with them. */
export interface Incoming {
  /** How people know the image. */
  readonly what: string
  readonly bytes: BytesToPut
  readonly options: PutOptions
}

/**
 * Brings bytes into a store. They are staged under an id that is kept with the step, so that a later attempt reads once
 * what is there and asks for the rest alone. What is handed out was checked.
 */
export class StagedReceive {
  readonly #blobs: BlobDriver
  readonly #isOwnStore: boolean

  /** Only of the store of the catalogue do others have to know which staged bytes belong to a step. */
  constructor(blobs: BlobDriver, { isOwnStore }: { readonly isOwnStore: boolean }) {
    this.#blobs = blobs
    this.#isOwnStore = isOwnStore
  }

  /** What an earlier attempt left; null when there was none. */
  kept(memo: Memo): ReceivingMemo | null {
    return memoSchema.safeParse(memo.read()).data ?? null
  }

  /** The bytes, when an earlier attempt brought them and was cut off at the very end. */
  async arrived(kept: ReceivingMemo | null, bytes: BytesToPut): Promise<Staged | null> {
    if (!kept?.arrived || !isWanted(kept, bytes)) return null
    const { facts, ...arrived } = kept.arrived
    if ((await this.#blobs.size(arrived.sha256)) !== arrived.size) return null
    return { id: kept.stagedId, ...arrived, facts: facts as unknown as Staged['facts'] }
  }

  /** To be committed by the caller, who then says that it is over. */
  async receive(job: Incoming, kept: ReceivingMemo | null): Promise<Staged> {
    const { bytes, options } = job
    const { stagedId, from } = await this.#begin(job, kept)
    const wanted = { size: bytes.size, checksums: bytes.checksums }
    this.#note(options.memo, { stagedId, wanted, arrived: null })
    options.onProgress(from)
    const staged = await this.#stream(job, stagedId, from)
    options.onVerifying()
    const fault = faultOf(job, staged)
    if (fault) {
      await this.#blobs.discard(staged)
      this.#forget(options.memo)
      throw fault
    }
    const { sha256, size, checksums, facts } = staged
    this.#note(options.memo, { stagedId, wanted, arrived: { sha256, size, checksums, facts: { ...facts } } })
    return staged
  }

  /** Nothing has to be kept with the step any more. */
  async over({ bytes, options: { memo, onProgress } }: Incoming, kept: ReceivingMemo | null): Promise<void> {
    if (bytes.size !== null) onProgress(bytes.size)
    this.#forget(memo)
    if (kept) await this.#blobs.dropStaged(kept.stagedId)
  }

  #note(memo: Memo, value: ReceivingMemo): void {
    if (this.#isOwnStore) memo.write(value, value.stagedId)
    else memo.write(value)
  }

  #forget(memo: Memo): void {
    if (this.#isOwnStore) memo.write(null, null)
    else memo.write(null)
  }

  /** Where to stage, and how much of it is there. Without a checksum nobody could tell whether both parts belong together. */
  async #begin({ bytes }: Incoming, kept: ReceivingMemo | null): Promise<{ stagedId: string; from: number }> {
    if (!kept) return { stagedId: randomUUID(), from: 0 }
    const { stagedId } = kept
    const there = (await this.#blobs.stagedSize(stagedId)) ?? 0
    const usable =
      isWanted(kept, bytes) &&
      strongest(bytes.checksums) !== null &&
      (bytes.size === null || there <= bytes.size)
    return { stagedId, from: usable ? there : 0 }
  }

  async #stream(job: Incoming, stagedId: string, from: number): Promise<Staged> {
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
    { what, options }: Incoming,
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
      this.#forget(options.memo)
      return new RemoteFailure('damaged', [
        `More came of the file of ${what} than it should have. Nothing of it was kept.`
      ])
    }
    if (!broken && !(error instanceof Problem && error.kind === 'invalid')) return error
    return new RemoteFailure('offline', [`The file of ${what} broke off after ${sizeText(arrived)}.`], {
      cause
    })
  }
}

/** The other side does not know how to go on in the middle. */
class FromTheBeginning extends Error {}

const isWanted = ({ wanted }: ReceivingMemo, { size, checksums }: BytesToPut): boolean =>
  isDeepStrictEqual(wanted, { size, checksums: { ...checksums } })

function faultOf({ what, bytes }: Incoming, staged: Staged): RemoteFailure | null {
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
