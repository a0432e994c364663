import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { strongest } from '../../../domain/checksum.ts'
import type { BytesToPut } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'

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
export class Check {
  readonly #known: ReturnType<typeof strongest>
  readonly #hash: Hash | null

  constructor(checksums: BytesToPut['checksums']) {
    this.#known = strongest(checksums)
    this.#hash = this.#known && createHash(this.#known.type)
  }

  take(piece: Buffer): void {
    this.#hash?.update(piece)
  }

  /** To be called once, when all pieces were taken. */
  pass(): void {
    if (this.#hash?.digest('hex') === this.#known?.value) return
    throw new RemoteFailure('damaged', [
      `The file does not have the ${this.#known?.type} checksum that is known of it, so it was not handed over. Verify it where it comes from.`
    ])
  }
}
