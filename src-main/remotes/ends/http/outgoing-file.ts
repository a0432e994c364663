import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ChecksumType } from '../../../domain/model.ts'
import type { BytesToPut } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'
import { strongest } from './deeds.ts'

/** A file that is about to be sent. */
interface Sized {
  readonly size: number | null
  readonly open: () => Promise<Readable>
  readonly close: () => void
}

/** The length has to be known before the first byte is sent; where nobody noted it, the source is asked. */
export async function sized(bytes: BytesToPut, signal: AbortSignal): Promise<Sized> {
  const openAll = async () => {
    const opened = await bytes.open(0, signal)
    if (opened.from === 0) return opened
    opened.body.destroy()
    throw new Error('a source that was asked for all of its bytes left some out')
  }
  if (bytes.size !== null)
    return { size: bytes.size, open: async () => (await openAll()).body, close: () => {} }
  const { body, size } = await openAll()
  body.on('error', () => {})
  return { size, open: async () => body, close: () => void body.destroy() }
}

/** Checks what goes out against what is known of it, for registries that take anything. */
export class Digests {
  readonly #hashes: readonly (readonly [ChecksumType, string, Hash])[]

  constructor(checksums: BytesToPut['checksums']) {
    const one = strongest(checksums)
    this.#hashes = one ? [[one.type, one.value, createHash(one.type)]] : []
  }

  take(piece: Buffer): void {
    for (const [, , hash] of this.#hashes) hash.update(piece)
  }

  check(): void {
    for (const [type, expected, hash] of this.#hashes)
      if (hash.digest('hex') !== expected)
        throw new RemoteFailure('damaged', [
          `The file does not have the ${type} checksum that is known of it, so it was not handed over. Verify it where it comes from.`
        ])
  }
}
