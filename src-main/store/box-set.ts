/**
 * A set of the box ids of one chunk, as it lies in the database: a bitmap when it is dense,
 * else a sorted list of two-byte offsets (little-endian, as every machine this runs on).
 * For its reader it is always bits, so that a query is nothing but OR and AND over words.
 */
export const chunkSize = 65_536
const bitmapBytes = chunkSize / 8
/** Longer lists would still be shorter than a bitmap, but slower to read. */
const longestList = 2048
const bitmapWords = bitmapBytes / 4

export const chunkOf = (boxId: number): number => Math.floor(boxId / chunkSize)
export const offsetOf = (boxId: number): number => boxId % chunkSize

/** Ids as bits, for calculating; in signed words, which the machine's own integers can hold. */
export type Bits = Int32Array

export const noBits = (chunks = 1): Bits => new Int32Array(chunks * bitmapWords)
export const chunkBits = (all: Bits, chunk: number): Bits =>
  all.subarray(chunk * bitmapWords, (chunk + 1) * bitmapWords)

export const hasBit = (bits: Bits, i: number): boolean => ((bits[i >>> 5] as number) & (1 << i)) !== 0

/** The first place from `start` on at which a list has an id that is in the set; the list's length when there is none. */
export function nextMember(bits: Bits, ids: Uint32Array, start: number): number {
  let i = start
  while (i < ids.length) {
    const id = ids[i] as number
    if ((bits[id >>> 5] as number) & (1 << id)) break // the shift takes the lowest five bits of the id
    i++
  }
  return i
}

/** Writes those of a list that are in the set into another list from `place` on; returns the place after the last one. */
export function takeMembers(bits: Bits, ids: Uint32Array, into: Uint32Array, place: number): number {
  for (let i = nextMember(bits, ids, 0); i < ids.length; i = nextMember(bits, ids, i + 1))
    into[place++] = ids[i] as number
  return place
}

/** Takes ids out of the set. */
export function removeMembers(bits: Bits, ids: Uint32Array): void {
  for (let i = 0; i < ids.length; i++) clearBit(bits, ids[i] as number)
}

export const clearBit = (bits: Bits, i: number): void =>
  void (bits[i >>> 5] = (bits[i >>> 5] ?? 0) & ~(1 << (i & 31)))

export const setBit = (bits: Bits, i: number): void =>
  void (bits[i >>> 5] = (bits[i >>> 5] ?? 0) | (1 << (i & 31)))

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

/** Keeps what both have; false when nothing is left. (Four words a turn: three times as fast as one.) */
export function andBits(bits: Bits, other: Bits): boolean {
  let left = 0
  for (let i = 0; i < bits.length; i += 4) {
    const a = (bits[i] as number) & (other[i] as number)
    const b = (bits[i + 1] as number) & (other[i + 1] as number)
    const c = (bits[i + 2] as number) & (other[i + 2] as number)
    const d = (bits[i + 3] as number) & (other[i + 3] as number)
    bits[i] = a
    bits[i + 1] = b
    bits[i + 2] = c
    bits[i + 3] = d
    left |= a | b | c | d
  }
  return left !== 0
}

/** What the first has and the second has not. */
export const difference = (bits: Bits, other: Bits): Bits =>
  bits.map((word, i) => word & ~(other[i] as number))

export function orBits(bits: Bits, other: Bits): void {
  for (let i = 0; i < bits.length; i += 4) {
    bits[i] = (bits[i] as number) | (other[i] as number)
    bits[i + 1] = (bits[i + 1] as number) | (other[i + 1] as number)
    bits[i + 2] = (bits[i + 2] as number) | (other[i + 2] as number)
    bits[i + 3] = (bits[i + 3] as number) | (other[i + 3] as number)
  }
}

/** A set as it lies in the database: bits, or a list of offsets. */
export type StoredSet = Bits | Uint16Array

export const storedSet = (stored: Buffer): StoredSet =>
  stored.length === bitmapBytes ? bitmapOf(stored) : offsetsOf(stored)

/** Adds a stored set to the bits. */
export function orStored(bits: Bits, stored: StoredSet): void {
  if (stored instanceof Uint16Array) setAll(bits, stored)
  else orBits(bits, stored)
}

const scratch = noBits()

/** Keeps of the bits what is in a stored set; false when nothing is left. */
export function andStored(bits: Bits, stored: StoredSet): boolean {
  if (!(stored instanceof Uint16Array)) return andBits(bits, stored)
  scratch.fill(0)
  setAll(scratch, stored)
  return andBits(bits, scratch)
}

function setAll(bits: Bits, offsets: Uint16Array): void {
  for (let i = 0; i < offsets.length; i++) setBit(bits, offsets[i] as number)
}

/** A stored set with other offsets (ascending) added or taken away; null when nothing is left. */
export function changeStored(
  stored: Buffer | null,
  added: readonly number[],
  removed: readonly number[] = []
): Buffer | null {
  const appended = removed.length === 0 ? append(stored, added) : null
  if (appended) return appended
  const bits = noBits()
  if (stored) orStored(bits, storedSet(stored))
  for (const offset of removed) clearBit(bits, offset)
  for (const offset of added) setBit(bits, offset)
  const count = countBits(bits)
  if (count === 0) return null
  return count <= longestList ? pack(Uint16Array.from(listBits(bits))) : pack(bits)
}

/** The usual case where many new boxes come: it is a list, and stays one, with higher offsets at its end. */
function append(stored: Buffer | null, added: readonly number[]): Buffer | null {
  const before = stored ? stored.length / 2 : 0
  if (before + added.length > longestList || added.length === 0) return null
  if (stored && (offsetsOf(stored).at(-1) as number) >= (added[0] as number)) return null
  const list = new Uint16Array(before + added.length)
  if (stored) list.set(offsetsOf(stored))
  list.set(added, before)
  return pack(list)
}

const pack = (array: Uint16Array | Int32Array): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength)

const bitmapOf = (stored: Buffer): Int32Array => {
  const bytes = stored.byteOffset % 4 === 0 ? stored : Buffer.from(new Uint8Array(stored).buffer)
  return new Int32Array(bytes.buffer, bytes.byteOffset, bitmapWords)
}

const offsetsOf = (stored: Buffer): Uint16Array => {
  const bytes = stored.byteOffset % 2 === 0 ? stored : Buffer.from(new Uint8Array(stored).buffer)
  return new Uint16Array(bytes.buffer, bytes.byteOffset, stored.length / 2)
}
