/** Pieces of memory of one size that are used again and again: making one costs more than filling it. */
class BufferPool {
  readonly size: number
  readonly #mostSpare: number
  /** Those nobody uses at the moment. */
  readonly #spare: Buffer[] = []

  constructor(size: number, mostSpare: number) {
    this.size = size
    this.#mostSpare = mostSpare
  }

  take(): Buffer {
    return this.#spare.pop() ?? Buffer.from(alignedMemory(this.size))
  }

  /** Nobody may look at them any more. */
  giveBack(...buffers: readonly Buffer[]): void {
    for (const buffer of buffers) if (this.#spare.length < this.#mostSpare) this.#spare.push(buffer)
  }
}

/** What is read and sent at once: larger pieces are hardly quicker, smaller ones cost more than their bytes. */
export const readBuffers = new BufferPool(512 * 1024, 16)

/** So large, a disk that is handed one piece after another is as quick as it can be. */
export const writeBuffers = new BufferPool(1024 * 1024, 8)

/** Memory that begins where a page does, as direct-file.ts needs. Buffers that could grow are made so, and no others. */
function alignedMemory(size: number): ArrayBuffer {
  const Growing = ArrayBuffer as new (size: number, options: { maxByteLength: number }) => ArrayBuffer
  return new Growing(size, { maxByteLength: size })
}

/** Whether it was made here, be it by another thread's pool. */
export const isPooled = (memory: ArrayBufferLike): memory is ArrayBuffer =>
  (memory as { readonly resizable?: boolean }).resizable === true
