import { alignedMemory } from './aligned-memory.ts'

/** What is read and written at once: larger pieces are hardly quicker, smaller ones cost more than their bytes. */
export const bufferSize = 512 * 1024
const mostSpare = 16
/** Buffers nobody uses at the moment. Making one costs more than filling it. */
const spare: Buffer[] = []

export const takeBuffer = (): Buffer => spare.pop() ?? Buffer.from(alignedMemory(bufferSize))

/** Nobody may look at it any more. */
export function returnBuffers(...buffers: readonly Buffer[]): void {
  for (const buffer of buffers) if (spare.length < mostSpare) spare.push(buffer)
}
