import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { ChecksumType } from '../domain/model.ts'
import { workerFile } from '../worker-file.ts'
import { writeBuffers } from './buffer-pool.ts'
import { ChunkBatch } from './chunk-batch.ts'
import type { Body } from './driver.ts'
import type { Answer, Ask, FromIngest, NamedDigest, ToIngest } from './ingest-messages.ts'

/** What both kinds of work have in common. */
export interface IngestOptions {
  readonly checksums: readonly ChecksumType[]
  /** Called with the number of bytes so far. A stream waits for it; what it throws ends the work. */
  readonly onBytes?: ((bytes: number) => Promise<void> | undefined | void) | undefined
}

/** How a stream goes on. */
export interface StreamOptions extends IngestOptions {
  /** So many bytes are in the file already: they are read first, and counted. */
  readonly continueFrom?: number
  /** Whether what has come is written to its end when the rest does not come. */
  readonly keepPartial?: boolean
  /** Ends the reading of those. */
  readonly signal?: AbortSignal | undefined
}

/** What the thread makes is garbage at once; the engine would let some ten MiB of it pile up. */
const resourceLimits = { maxYoungGenerationSizeMb: 3 }

/** So many bytes of one stream may be on their way through the thread. */
const window = 2 * 1024 * 1024

/**
 * The main thread's end of the ingest thread: hands it bytes and open files, and hears what they digest to.
 * The thread is started by the first job, keeps the process alive only while it has one, and is started again after a
 * crash, in which the jobs it had fail.
 */
export class Ingest {
  readonly #jobs = new Map<number, Job>()
  #worker: Worker | null = null
  #lastJob = 0
  #closed = false

  /** Digests what arrives and writes it to the open file `to`. The body is left undestroyed when something else fails. */
  async stream(
    body: Body,
    to: number,
    { checksums, onBytes, continueFrom = 0, keepPartial = false, signal }: StreamOptions
  ): Promise<NamedDigest> {
    const job = this.#begin()
    let batch: ChunkBatch | null = null
    try {
      job.post({ kind: 'receive', checksums, to, continueFrom })
      if (continueFrom > 0) await job.readyUnlessStopped(signal)
      const stream = typeof body === 'function' ? await body() : body
      batch = new ChunkBatch(givesItsChunksAway(stream), (chunks) => job.hand(chunks))
      let size = continueFrom
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
        const bytes: Buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        size += bytes.length
        batch.add(bytes)
        if (job.underway === 0) batch.flushWhatIsWorthIt()
        const pause = onBytes?.(size)
        if (pause) await pause
        if (job.underway > window) await job.drained(window / 2)
        job.throwIfFailed()
      }
      batch.flush()
      job.post({ kind: 'end' })
      return await job.result
    } catch (error) {
      if (keepPartial) batch?.flush()
      await job.abandon(keepPartial)
      throw error
    }
  }

  /** Digests the open file `from`, and copies it to the open file `to` in the same read when there is one. */
  async file(
    from: number,
    to: number | null,
    { checksums, onBytes }: IngestOptions,
    signal?: AbortSignal
  ): Promise<NamedDigest> {
    signal?.throwIfAborted()
    const job = this.#begin()
    const stop = (): void => job.post({ kind: 'abort' })
    signal?.addEventListener('abort', stop, { once: true })
    let refusal: { error: unknown } | null = null
    job.onProgress = (bytes) => {
      try {
        onBytes?.(bytes)
      } catch (error) {
        refusal ??= { error }
        stop()
      }
    }
    try {
      job.post({ kind: 'read', checksums, from, to })
      const digest = await job.result
      if (refusal) throw (refusal as { error: unknown }).error
      return digest
    } catch (error) {
      signal?.throwIfAborted()
      throw refusal ? (refusal as { error: unknown }).error : error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#worker?.terminate()
  }

  #begin(): Job {
    const worker = this.#running()
    const id = (this.#lastJob += 1)
    const job = new Job(id, worker, () => {
      this.#jobs.delete(id)
      if (this.#jobs.size === 0) worker.unref()
    })
    this.#jobs.set(id, job)
    worker.ref()
    return job
  }

  #running(): Worker {
    if (this.#closed) throw new Error('the blob store is closed')
    if (this.#worker) return this.#worker
    const worker = new Worker(workerFile('blobs/ingest-worker.ts'), { resourceLimits })
    worker.on('message', ({ job, answer }: FromIngest) => this.#jobs.get(job)?.hear(answer))
    let crash: unknown = new Error('the ingest thread ended')
    worker.on('error', (error) => (crash = error))
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null
      for (const job of this.#jobs.values()) job.fail(crash)
    })
    worker.unref()
    this.#worker = worker
    return worker
  }
}

/** Whether nobody else holds what such a stream hands out, so that its memory may be moved to the thread. */
const givesItsChunksAway = (stream: Readable & { readonly givesAway?: true }): boolean =>
  stream instanceof IncomingMessage || stream.givesAway === true

/** One piece of work, as the main thread sees it. */
class Job {
  readonly result: Promise<NamedDigest>
  onProgress: (bytes: number) => void = () => {}
  /** Bytes handed over and not yet done with. */
  underway = 0
  readonly #id: number
  readonly #worker: Worker
  #done = 0
  #failure: { error: unknown } | null = null
  #settle: { resolve: (digest: NamedDigest) => void; reject: (error: unknown) => void } | null = null
  #ready: (() => void) | null = null
  readonly #isReady: Promise<void>
  #waiting: { below: number; resolve: () => void } | null = null

  constructor(id: number, worker: Worker, ended: () => void) {
    this.#id = id
    this.#worker = worker
    this.result = new Promise<NamedDigest>((resolve, reject) => (this.#settle = { resolve, reject })).finally(
      ended
    )
    this.#isReady = new Promise((resolve) => (this.#ready = resolve))
    this.result.catch(() => {}) // heard by whoever awaits it, sooner or later
  }

  post(ask: Ask, transfer: ArrayBuffer[] = []): void {
    const message: ToIngest = { job: this.#id, ask }
    this.#worker.postMessage(message, transfer)
  }

  hand(chunks: readonly Uint8Array<ArrayBuffer>[]): void {
    for (const { length } of chunks) this.underway += length
    this.post(
      { kind: 'chunks', chunks },
      chunks.map(({ buffer }) => buffer)
    )
  }

  hear(answer: Answer): void {
    if (answer.kind === 'ready') this.#ready?.()
    else if (answer.kind === 'done') this.#settle?.resolve(answer.digest)
    else if (answer.kind === 'failed')
      this.fail(Object.assign(new Error(answer.message), { code: answer.code }))
    else {
      for (const memory of answer.memory ?? []) writeBuffers.giveBack(Buffer.from(memory))
      this.underway -= answer.bytes
      this.#done += answer.bytes
      this.onProgress(this.#done)
      if (this.#waiting && this.underway <= this.#waiting.below) this.#wake()
    }
  }

  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#settle?.reject(error)
    this.#ready?.()
    this.#wake()
  }

  /** Resolves once what was in the file before has been read. */
  async readyUnlessStopped(signal: AbortSignal | undefined): Promise<void> {
    const stop = (): void => this.post({ kind: 'abort' })
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
    await this.#isReady
    signal?.removeEventListener('abort', stop)
    signal?.throwIfAborted()
    this.throwIfFailed()
  }

  /** Resolves once not more than so many bytes are under way, or the job has failed. */
  async drained(below: number): Promise<void> {
    if (this.underway > below && !this.#failure)
      await new Promise<void>((resolve) => (this.#waiting = { below, resolve }))
  }

  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error
  }

  /** Resolves once the thread no longer touches the job's files; what it was handed is still written if it is to be kept. */
  async abandon(keepPartial: boolean): Promise<void> {
    if (!keepPartial) this.post({ kind: 'abort' })
    this.post({ kind: 'end' })
    await this.result.catch(() => {})
  }

  #wake(): void {
    this.#waiting?.resolve()
    this.#waiting = null
  }
}
