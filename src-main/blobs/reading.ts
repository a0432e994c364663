import { createHash, type Hash } from 'node:crypto'
import type { ChecksumType } from '../domain/model.ts'
import type { NamedDigest } from './ingest-messages.ts'
import { BoxInspector } from './inspect.ts'

/** One pass over some bytes: every digest wanted, and the look inside, at once. */
export class Reading {
  readonly #hashes: ReadonlyMap<ChecksumType, Hash>
  readonly #inspector = new BoxInspector()
  #size = 0

  constructor(types: readonly ChecksumType[]) {
    this.#hashes = new Map(
      [...new Set<ChecksumType>(['sha256', ...types])].map((type) => [type, createHash(type)])
    )
  }

  get size(): number {
    return this.#size
  }

  /** Resolves once `chunk` is no longer read from; null when that is so already. Calls may overlap. */
  update(chunk: Uint8Array): Promise<void> | null {
    this.#size += chunk.length
    // Started first: unpacking goes on in a thread of its own while this one hashes.
    const inspected = this.#inspector.write(chunk)
    for (const hash of this.#hashes.values()) hash.update(chunk)
    return inspected
  }

  async finish(): Promise<NamedDigest> {
    const checksums: Partial<Record<ChecksumType, string>> = {}
    for (const [type, hash] of this.#hashes) checksums[type] = hash.digest('hex')
    const { sha256 = '' } = checksums
    return { size: this.#size, sha256, checksums, facts: await this.#inspector.finish() }
  }
}
