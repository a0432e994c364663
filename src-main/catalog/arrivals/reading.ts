import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BlobDriver, Staged } from '../../blobs/driver.ts'
import { Problem } from '../../domain/problem.ts'
import type { Log } from '../../log.ts'
import type { StoredArrival } from '../../store/arrivals.ts'
import { Stoppable } from '../stoppable.ts'
import type { Drafting } from './drafting.ts'
import { sentencesOf } from './found-files.ts'
import type { Ledger } from './ledger.ts'
import { Stopped } from './queue.ts'

interface Parts {
  readonly ledger: Ledger
  readonly drafting: Drafting
  readonly blobs: BlobDriver
  readonly log: Log
}

/** How a reading ended that did not bring the bytes. */
type Ending = Pick<StoredArrival, 'state' | 'problem'>

/** Brings the bytes of arrivals into the staging area, and notes how that ended. */
export class ArrivalReading {
  readonly #parts: Parts
  readonly #streams = new Map<string, { readonly stoppable: Stoppable; readonly done: Promise<unknown> }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Reads a file of this machine that waits; never fails. */
  async path(id: string, signal: AbortSignal): Promise<void> {
    const { ledger, blobs } = this.#parts
    const arrival = ledger.update(id, ({ state }) =>
      state === 'waiting' ? { state: 'reading', stagedId: randomUUID(), problem: null } : null
    )
    if (!arrival?.stagedId) return
    const { stagedId, origin } = arrival
    await this.#read(
      arrival,
      (options) => blobs.takeFile(origin, { ...options, id: stagedId, signal }),
      (error) => {
        if (!signal.aborted) return { state: 'failed', problem: this.#sentences(arrival, error) }
        const { reason } = signal as { reason: unknown }
        const closing = reason instanceof Stopped && reason.why === 'closing'
        return { state: closing ? 'waiting' : 'cancelled', problem: null }
      },
      () => signal.throwIfAborted()
    ).catch(() => {}) // it is noted
  }

  /** Takes the bytes of one that is sent; whatever is thrown is noted as well. */
  async stream(
    arrival: StoredArrival & { readonly stagedId: string },
    body: Readable,
    { length, signal }: { readonly length: number | null; readonly signal: AbortSignal | undefined }
  ): Promise<void> {
    const { id, stagedId } = arrival
    const stoppable = new Stoppable()
    const signals = AbortSignal.any([stoppable.signal, ...(signal ? [signal] : [])])
    const done = this.#read(
      arrival,
      ({ checksums, onProgress }) =>
        this.#parts.blobs.receive(body, {
          ...{ id: stagedId, length, checksums, signal: signals },
          onProgress(bytes) {
            stoppable.throwIfStopped()
            onProgress(bytes)
          }
        }),
      (error, bytes) => {
        const { reason } = stoppable
        if (reason instanceof Stopped && reason.why === 'closing')
          return { state: 'failed', problem: [notWhole] }
        if (reason) return { state: 'cancelled', problem: null }
        return {
          state: 'failed',
          problem: signal?.aborted
            ? [`The file broke off after ${bytes} bytes; drop it again.`]
            : this.#sentences(arrival, error)
        }
      },
      () => stoppable.throwIfStopped()
    )
    this.#streams.set(id, { stoppable, done })
    try {
      await done
    } finally {
      stoppable.leave()
      this.#streams.delete(id)
    }
  }

  /** Resolves once it is no longer received, with whether it was. */
  async stopStream(id: string): Promise<boolean> {
    const stream = this.#streams.get(id)
    if (!stream) return false
    stream.stoppable.stop(new Problem('conflict', 'The file was cancelled, and nothing of it was kept.'))
    await stream.done.catch(() => {})
    return true
  }

  async close(): Promise<void> {
    const streams = [...this.#streams.values()]
    for (const { stoppable } of streams) stoppable.stopAtOnce(new Stopped('closing'))
    await Promise.all(streams.map(({ done }) => done.catch(() => {})))
  }

  /** Throws what kept the bytes from being read, once that is noted and nothing of them is left. */
  async #read(
    { id, draft }: StoredArrival,
    take: (options: {
      checksums: ReturnType<Drafting['typesNeeded']>
      onProgress: (bytes: number) => void
    }) => Promise<Staged>,
    endingOf: (error: unknown, bytes: number) => Ending,
    throwIfStopped: () => void
  ): Promise<void> {
    const { ledger, drafting, blobs } = this.#parts
    let staged: Staged | null = null
    let bytes = 0
    ledger.begin(id)
    try {
      staged = await take({
        checksums: drafting.typesNeeded(draft),
        onProgress: (arrived) => ledger.progress(id, (bytes = arrived))
      })
      await blobs.keep(staged)
      throwIfStopped()
      ledger.end(id)
      if (!this.#ready(id, staged)) await blobs.discard(staged)
    } catch (error) {
      ledger.end(id)
      // First: on a full disk, that is what makes room for the note.
      if (staged) await blobs.discard(staged)
      const ending = endingOf(error, bytes)
      ledger.note(id, ({ state }) =>
        state === 'reading' ? { ...ending, stagedId: null, digest: null } : null
      )
      throw error
    }
  }

  /** Whether anybody still wanted it. */
  #ready(id: string, { size, sha256, checksums, facts }: Staged): boolean {
    const digest = { size, sha256, checksums, facts: JSON.stringify(facts) }
    const changed = this.#parts.ledger.update(id, (arrival) =>
      arrival.state === 'reading'
        ? {
            state: 'ready',
            size,
            digest,
            problem: null,
            ...this.#parts.drafting.propose({ ...arrival, digest })
          }
        : null
    )
    return changed !== null
  }

  #sentences({ id, fileName, origin, kind }: StoredArrival, error: unknown): readonly string[] {
    if (error instanceof Problem) return error.sentences
    this.#parts.log.error(`the arrival ${id} could not be read`, error)
    return kind === 'path'
      ? sentencesOf(origin, error)
      : [`"${fileName}" could not be kept because of a fault in the program; its log says more.`]
  }
}

/** What became of a file whose sender is gone. */
export const notWhole = 'The file had not arrived whole when the program ended; drop it again.'
