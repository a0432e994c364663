import { randomUUID } from 'node:crypto'
import { Readable, type Writable } from 'node:stream'
import type { ChecksumType } from '../domain/model.ts'
import { missing } from '../domain/problem.ts'
import { Arrival } from './arrival.ts'
import type {
  BlobDriver,
  Body,
  ByteRange,
  CopyOptions,
  Digest,
  ReceiveOptions,
  Staged,
  StoredFile,
  TakeOptions
} from './driver.ts'
import { bytesGone } from './gone.ts'
import { handTo, watchReader } from './reader.ts'
import { Reading } from './reading.ts'
import { openSource } from './source.ts'

interface Kept {
  readonly bytes: Buffer
  modifiedAt: number
}

/** Blobs in memory, gone with the process: for tests that are about something else. */
export const memoryDriver = (): BlobDriver => new MemoryDriver()

const piece = 64 * 1024

class MemoryDriver implements BlobDriver {
  readonly #staged = new Map<string, Kept>()
  readonly #blobs = new Map<string, Kept>()
  readonly #sidecars = new Map<string, string>()

  async receive(body: Body, options: ReceiveOptions = {}): Promise<Staged> {
    const { id = randomUUID(), keepPartial = false, continueFrom = 0 } = options
    const arrival = new Arrival(body, options)
    const reading = new Reading(options.checksums ?? [])
    const chunks: Buffer[] = []
    const keep = (): void =>
      void this.#staged.set(id, { bytes: Buffer.concat(chunks), modifiedAt: Date.now() })
    try {
      if (continueFrom > 0) {
        const kept = this.#staged.get(id)?.bytes
        if (!kept || kept.length < continueFrom)
          throw new Error('fewer bytes are staged than there should be')
        chunks.push(kept.subarray(0, continueFrom))
        await reading.update(kept.subarray(0, continueFrom))
      }
      const stream = await arrival.open()
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
        const bytes = Buffer.from(chunk) // a copy: the sender may use its own again
        await reading.update(bytes)
        arrival.arrived(reading.size)
        chunks.push(bytes)
      }
      arrival.checkComplete()
    } catch (error) {
      if (keepPartial) keep()
      else this.#staged.delete(id)
      throw arrival.explain(error)
    } finally {
      arrival.leave()
    }
    const digest = await reading.finish()
    keep()
    return { id, ...digest }
  }

  async stagedSize(id: string): Promise<number | null> {
    return this.#staged.get(id)?.bytes.length ?? null
  }

  async takeFile(path: string, options: TakeOptions = {}): Promise<Staged> {
    const { handle, size, checkUnchanged } = await openSource(path)
    try {
      const body = handle.createReadStream({ autoClose: false })
      const staged = await this.receive(body, { length: size, ...options })
      await checkUnchanged()
      return staged
    } finally {
      await handle.close()
    }
  }

  async keep(): Promise<void> {}

  async commit({ id, sha256 }: Staged): Promise<void> {
    const bytes = this.#blobs.get(sha256)?.bytes ?? this.#staged.get(id)?.bytes
    if (!bytes) throw bytesGone()
    this.#blobs.set(sha256, { bytes, modifiedAt: Date.now() })
    this.#staged.delete(id)
  }

  async discard({ id }: Staged): Promise<void> {
    this.#staged.delete(id)
  }

  async size(sha256: string): Promise<number | null> {
    return this.#blobs.get(sha256)?.bytes.length ?? null
  }

  async copyTo(
    sha256: string,
    target: Writable,
    range?: ByteRange,
    { signal, beforeLast }: CopyOptions = {}
  ): Promise<void> {
    const blob = this.#blobs.get(sha256)
    if (!blob) throw missing()
    const part = range ? blob.bytes.subarray(range.start, range.end + 1) : blob.bytes
    const reader = watchReader(target, signal)
    try {
      if (part.length === 0) beforeLast?.()
      for (let at = 0; at < part.length; at += piece) {
        if (at + piece >= part.length) beforeLast?.()
        await reader.unlessGone(handTo(target, part.subarray(at, at + piece)))
      }
    } finally {
      reader.leave()
    }
  }

  async read(sha256: string, from: number): Promise<Readable> {
    const blob = this.#blobs.get(sha256)
    if (!blob) throw missing()
    return Readable.from(piecesOf(blob.bytes, from), { objectMode: false })
  }

  async digest(
    sha256: string,
    types: readonly ChecksumType[],
    onProgress?: (bytes: number) => void
  ): Promise<Digest | null> {
    const blob = this.#blobs.get(sha256)
    if (!blob) return null
    const reading = new Reading(types)
    await reading.update(blob.bytes)
    onProgress?.(blob.bytes.length)
    return reading.finish()
  }

  async remove(sha256: string): Promise<void> {
    this.#blobs.delete(sha256)
    this.#sidecars.delete(sha256)
  }

  async removeIfUnchanged(sha256: string, modifiedAt: number): Promise<boolean> {
    if (this.#blobs.get(sha256)?.modifiedAt !== modifiedAt) return false
    await this.remove(sha256)
    return true
  }

  async quarantine(sha256: string): Promise<void> {
    await this.remove(sha256)
  }

  async *list(): AsyncGenerator<StoredFile & { readonly sha256: string }> {
    for (const [sha256, { bytes, modifiedAt }] of this.#blobs)
      yield { sha256, size: bytes.length, modifiedAt }
  }

  async writeSidecar(sha256: string, content: unknown): Promise<void> {
    if (this.#blobs.has(sha256)) this.#sidecars.set(sha256, JSON.stringify(content))
  }

  async readSidecar(sha256: string): Promise<unknown> {
    const text = this.#sidecars.get(sha256)
    return text === undefined ? null : JSON.parse(text)
  }

  async freeBytes(): Promise<number> {
    return Infinity
  }

  async *staging(): AsyncGenerator<StoredFile & { readonly id: string }> {
    for (const [id, { bytes, modifiedAt }] of this.#staged) yield { id, size: bytes.length, modifiedAt }
  }

  async dropStaged(id: string): Promise<void> {
    this.#staged.delete(id)
  }

  async close(): Promise<void> {
    this.#staged.clear()
    this.#blobs.clear()
    this.#sidecars.clear()
  }
}

function* piecesOf(bytes: Buffer, from: number): Generator<Buffer> {
  for (let at = from; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
}
