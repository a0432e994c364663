/** So large, a disk that is handed one piece after another is as quick as it can be. */
export const pieceSize = 1024 * 1024
const mostSpare = 4
/** Pieces nobody uses at the moment: making one costs more than filling it. */
const spare: Uint8Array[] = []

export const takePiece = (): Uint8Array => spare.pop() ?? new Uint8Array(alignedMemory(pieceSize))

/** Memory that begins where a page does. Buffers that could grow are made so, and no others. */
export function alignedMemory(size: number): ArrayBuffer {
  const Growing = ArrayBuffer as new (size: number, options: { maxByteLength: number }) => ArrayBuffer
  return new Growing(size, { maxByteLength: size })
}

/** Nobody may look at it any more. */
export function returnPiece(piece: Uint8Array): void {
  if (spare.length < mostSpare) spare.push(piece)
}
