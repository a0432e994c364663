import { read } from 'node:fs'
import { promisify } from 'node:util'
import { parentPort } from 'node:worker_threads'
import type { Answer, FromIngest, ToIngest } from './ingest-messages.ts'
import { isPooled } from './buffer-pool.ts'
import { FileWriter } from './file-writer.ts'
import { Reading } from './reading.ts'

/*
 * The thread all bytes that come to stay pass through: digested and inspected here, written by the thread pool meanwhile.
 */

/** Not larger: a kernel that is handed a megabyte at once looks for a megabyte of fresh memory to cache it in. */
const readSize = 256 * 1024
const readAhead = 6
const tellEvery = 8 * 1024 * 1024

const readFrom = promisify(read)

const port = parentPort
if (!port) throw new Error('this file runs as a worker thread only')
const tell = (job: number, answer: Answer, transfer: ArrayBuffer[] = []): void =>
  port.postMessage({ job, answer } satisfies FromIngest, transfer)

/** Bytes being digested, and copied when there is somewhere to copy them. */
class Job {
  readonly #id: number
  readonly #reading: Reading
  readonly #writer: FileWriter | null
  readonly #running = new Set<Promise<unknown>>()
  aborted = false
  /** While what is in the file already is being read. */
  preparing: Promise<void> = Promise.resolve()

  constructor(
    id: number,
    checksums: ConstructorParameters<typeof Reading>[0],
    to: number | null,
    continueFrom = 0
  ) {
    this.#id = id
    this.#reading = new Reading(checksums)
    this.#writer = to === null ? null : new FileWriter(to, continueFrom)
  }

  get size(): number {
    return this.#reading.size
  }

  get failed(): boolean {
    return this.#writer?.failed ?? false
  }

  /** Resolves once the chunks may be reused. */
  add(chunks: readonly Uint8Array[]): Promise<unknown> {
    return this.#use(chunks, this.#writer?.write(chunks) ?? null)
  }

  /** The same for what is in the file already. */
  addKept(chunk: Uint8Array): Promise<unknown> {
    return this.#use([chunk], null)
  }

  #use(chunks: readonly Uint8Array[], written: Promise<unknown> | null): Promise<unknown> {
    const uses = [written]
    for (const chunk of chunks) uses.push(this.#reading.update(chunk))
    const used = Promise.all(uses).finally(() => this.#running.delete(used))
    this.#running.add(used)
    return used
  }

  /** Tells how it ended, once nothing of it runs any more. */
  async end(error?: unknown): Promise<void> {
    if (!jobs.delete(this.#id)) return
    await this.preparing.catch(() => {})
    await Promise.allSettled(this.#running)
    try {
      const digest = await this.#reading.finish()
      await this.#writer?.close()
      if (error !== undefined) throw error
      if (this.aborted) throw new Error('aborted')
      tell(this.#id, { kind: 'done', digest })
    } catch (failure) {
      const { message, code } = failure as NodeJS.ErrnoException
      tell(this.#id, { kind: 'failed', message, code })
    }
  }
}

const jobs = new Map<number, Job>()

/**
 * What is asked, one in each turn of the event loop: to digest all that came, one after the other, would keep the thread from
 * hearing that a piece is written and from having the next one written meanwhile.
 */
const asked: ToIngest[] = []

port.on('message', (message: ToIngest) => {
  asked.push(message)
  if (asked.length === 1) setImmediate(answerNext)
})

function answerNext(): void {
  const next = asked.shift()
  if (next) answer(next)
  if (asked.length > 0) setImmediate(answerNext)
}

function answer({ job: id, ask }: ToIngest): void {
  switch (ask.kind) {
    case 'receive': {
      const job = new Job(id, ask.checksums, ask.to, ask.continueFrom)
      jobs.set(id, job)
      job.preparing = readPart(ask.to, ask.continueFrom, job, (bytes) => job.addKept(bytes))
      job.preparing.then(
        () => tell(id, { kind: 'ready' }),
        (error: unknown) => job.end(error)
      )
      return
    }
    case 'read': {
      const job = new Job(id, ask.checksums, ask.to)
      jobs.set(id, job)
      readWhole(id, job, ask.from).then(
        () => job.end(),
        (error: unknown) => job.end(error)
      )
      return
    }
    case 'chunks':
      void take(id, jobs.get(id), ask.chunks)
      return
    case 'end':
      void jobs.get(id)?.end()
      return
    case 'abort': {
      const job = jobs.get(id)
      if (job) job.aborted = true
    }
  }
}

async function take(
  id: number,
  job: Job | undefined,
  chunks: readonly Uint8Array<ArrayBuffer>[]
): Promise<void> {
  if (job && !job.aborted && !job.failed) await job.add(chunks)
  if (job?.failed) void job.end() // at once: the sender need not send the rest
  let bytes = 0
  const memory: ArrayBuffer[] = []
  for (const { buffer, length } of chunks) {
    bytes += length
    if (isPooled(buffer)) memory.push(buffer)
    else drop(buffer)
  }
  tell(id, { kind: 'progress', bytes, memory }, memory)
}

async function readWhole(id: number, job: Job, from: number): Promise<void> {
  let told = 0
  await readPart(from, Infinity, job, (bytes) => {
    const used = job.add([bytes])
    if (job.size - told >= tellEvery) {
      tell(id, { kind: 'progress', bytes: job.size - told })
      told = job.size
    }
    return used
  })
  tell(id, { kind: 'progress', bytes: job.size - told })
}

/** Reads the first so many bytes of a file, as far as it goes; `use` resolves once those it was given may be reused. */
async function readPart(
  from: number,
  length: number,
  job: Job,
  use: (bytes: Buffer) => Promise<unknown>
): Promise<void> {
  if (length === 0) return
  const free = Array.from({ length: readAhead }, () => Buffer.allocUnsafeSlow(readSize))
  const inUse: { buffer: Buffer; done: Promise<unknown> }[] = []
  const fetch = async (position: number): Promise<{ buffer: Buffer; bytes: Buffer }> => {
    const oldest = free.length === 0 ? inUse.shift() : undefined
    await oldest?.done
    const buffer = oldest?.buffer ?? free.pop()
    if (!buffer) throw new Error('no buffer is left to read into')
    const most = Math.min(readSize, length - position)
    const { bytesRead } = most > 0 ? await readFrom(from, buffer, 0, most, position) : { bytesRead: 0 }
    return { buffer, bytes: buffer.subarray(0, bytesRead) }
  }
  let next = fetch(0)
  for (;;) {
    const { buffer, bytes } = await next
    if (bytes.length === 0 || job.aborted || job.failed) break
    next = fetch(job.size + bytes.length)
    next.catch(() => {}) // heard when its turn comes
    inUse.push({ buffer, done: use(bytes) })
  }
}

/** Frees memory now that is sure to be unused, where the engine can: its collector would let some hundred MiB pile up. */
function drop(buffer: ArrayBuffer & { transfer?: (length: number) => ArrayBuffer }): void {
  buffer.transfer?.(0)
}
