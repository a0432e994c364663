/** Waking another thread costs as much as digesting some ten KiB. */
const batchSize = 1024 * 1024
/** Less is not handed over, even to a thread that has nothing else to do. */
const leastBatch = 64 * 1024
/** What small chunks are copied into; most bodies of small chunks are no larger. */
const copySize = 256 * 1024
/** Smaller chunks are cheaper to copy than to hand over one by one. */
const worthHandingOver = 16 * 1024

/**
 * Gathers the chunks of a stream into batches whose memory can be moved to another thread. Chunks are copied, except
 * those of a request: they come from the socket, in memory of their own, and nobody else holds them.
 */
export class ChunkBatch {
  readonly #takeOver: boolean
  readonly #send: (chunks: readonly Uint8Array<ArrayBuffer>[]) => void
  #chunks: Uint8Array<ArrayBuffer>[] = []
  #size = 0
  #copies: Uint8Array<ArrayBuffer> | null = null
  #copied = 0

  constructor(takeOver: boolean, send: (chunks: readonly Uint8Array<ArrayBuffer>[]) => void) {
    this.#takeOver = takeOver
    this.#send = send
  }

  add(chunk: Uint8Array): void {
    if (this.#takeOver && chunk.length >= worthHandingOver && ownsItsMemory(chunk)) {
      this.#closeCopies()
      this.#chunks.push(chunk)
      this.#size += chunk.length
    } else {
      this.#copy(chunk)
    }
    if (this.#size >= batchSize) this.flush()
  }

  /** To be called when whoever is handed the chunks waits for them. */
  flushWhatIsWorthIt(): void {
    if (this.#size >= leastBatch) this.flush()
  }

  flush(): void {
    this.#closeCopies()
    if (this.#chunks.length > 0) this.#send(this.#chunks)
    this.#chunks = []
    this.#size = 0
  }

  #copy(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      this.#copies ??= new Uint8Array(copySize)
      const part = chunk.subarray(at, at + this.#copies.length - this.#copied)
      this.#copies.set(part, this.#copied)
      this.#copied += part.length
      this.#size += part.length
      at += part.length
      if (this.#copied === this.#copies.length) this.#closeCopies()
    }
  }

  #closeCopies(): void {
    if (this.#copies) this.#chunks.push(this.#copies.subarray(0, this.#copied))
    this.#copies = null
    this.#copied = 0
  }
}

function ownsItsMemory(chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> {
  return (
    chunk.buffer instanceof ArrayBuffer &&
    chunk.byteOffset === 0 &&
    chunk.byteLength === chunk.buffer.byteLength
  )
}
