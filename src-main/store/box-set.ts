/**
 * A set of the box ids of one chunk, as it lies in the database: a bitmap when it is dense,
 * else a sorted list of two-byte offsets (little-endian, as every machine this runs on).
 * For its reader it is always bits, so that a query is nothing but OR and AND over words.
 */
export const chunkSize = 65_536
const bitmapBytes = chunkSize / 8
const bitmapWords = bitmapBytes / 4

export const chunkOf = (boxId: number): number => Math.floor(boxId / chunkSize)
export const offsetOf = (boxId: number): number => boxId % chunkSize

/** The ids of one chunk as bits, for calculating. */
export type Bits = Uint32Array

export const noBits = (chunks = 1): Bits => new Uint32Array(chunks * bitmapWords)
export const chunkBits = (all: Bits, chunk: number): Bits =>
  all.subarray(chunk * bitmapWords, (chunk + 1) * bitmapWords)

export const hasBit = (bits: Bits, i: number): boolean => (((bits[i >>> 5] ?? 0) >>> (i & 31)) & 1) === 1
const setBit = (bits: Bits, i: number): void => void (bits[i >>> 5] = (bits[i >>> 5] ?? 0) | (1 << (i & 31)))

export function isEmpty(bits: Bits): boolean {
  for (let i = 0; i < bits.length; i++) if (bits[i] !== 0) return false
  return true
}

export function countBits(bits: Bits): number {
  let count = 0
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i] as number
    if (word === 0) continue
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    count += (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
  }
  return count
}

/** The numbers of the set bits, ascending. */
export function listBits(bits: Bits): number[] {
  const list: number[] = []
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i] as number; word !== 0; word &= word - 1)
      list.push(i * 32 + 31 - Math.clz32(word & -word))
  }
  return list
}

export function andBits(bits: Bits, other: Bits): void {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) & (other[i] as number)
}

export function orBits(bits: Bits, other: Bits): void {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) | (other[i] as number)
}

/** Adds a stored set to the bits. */
export function orStored(bits: Bits, stored: Buffer): void {
  if (stored.length === bitmapBytes) return orBits(bits, bitmapOf(stored))
  for (const offset of offsetsOf(stored)) setBit(bits, offset)
}

/** Keeps of the bits what is in a stored set. */
export function andStored(bits: Bits, stored: Buffer): void {
  if (stored.length === bitmapBytes) return andBits(bits, bitmapOf(stored))
  const kept = offsetsOf(stored).filter((offset) => hasBit(bits, offset))
  bits.fill(0)
  for (const offset of kept) setBit(bits, offset)
}

/** A stored set with other offsets (ascending) added or taken away; null when nothing is left. */
export function changeStored(
  stored: Buffer | null,
  added: readonly number[],
  removed: readonly number[] = []
): Buffer | null {
  if (stored === null && removed.length === 0 && added.length * 2 < bitmapBytes)
    return pack(Uint16Array.from(added))
  const bits = noBits()
  if (stored) orStored(bits, stored)
  for (const offset of removed) bits[offset >>> 5] = (bits[offset >>> 5] ?? 0) & ~(1 << (offset & 31))
  for (const offset of added) setBit(bits, offset)
  const count = countBits(bits)
  if (count === 0) return null
  return count * 2 < bitmapBytes ? pack(Uint16Array.from(listBits(bits))) : pack(bits)
}

const pack = (array: Uint16Array | Uint32Array): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength)

const bitmapOf = (stored: Buffer): Uint32Array => {
  const bytes = stored.byteOffset % 4 === 0 ? stored : Buffer.from(new Uint8Array(stored).buffer)
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bitmapWords)
}

const offsetsOf = (stored: Buffer): Uint16Array => {
  const bytes = stored.byteOffset % 2 === 0 ? stored : Buffer.from(new Uint8Array(stored).buffer)
  return new Uint16Array(bytes.buffer, bytes.byteOffset, stored.length / 2)
}
