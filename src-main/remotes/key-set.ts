/** How full the table may be before it grows. */
const fullest = 0.5
const slotLength = 2

/**
 * Remembers which texts it was given, in sixteen bytes or so for each, however long they are: a listing may name more
 * boxes than anybody wants to keep in memory. Two texts are taken for one with a chance of one in 2^64.
 */
export class KeySet {
  #slots = new Uint32Array(1024 * slotLength)
  #size = 0

  get size(): number {
    return this.#size
  }

  add(key: string): void {
    if (this.#size >= (this.#slots.length / slotLength) * fullest) this.#grow()
    const print = fingerprint(key)
    if (this.#put(print[0], print[1])) this.#size += 1
  }

  has(key: string): boolean {
    const [high, low] = fingerprint(key)
    const at = this.#find(high, low)
    return this.#slots[at] !== 0 || this.#slots[at + 1] !== 0
  }

  #put(high: number, low: number): boolean {
    const at = this.#find(high, low)
    if (this.#slots[at] !== 0 || this.#slots[at + 1] !== 0) return false
    this.#slots[at] = high
    this.#slots[at + 1] = low
    return true
  }

  /** The slot that holds it, or the empty one where it belongs. */
  #find(high: number, low: number): number {
    const slots = this.#slots
    const mask = slots.length / slotLength - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = slot * slotLength
      if (slots[at] === high && slots[at + 1] === low) return at
      if (slots[at] === 0 && slots[at + 1] === 0) return at
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(old.length * 2)
    for (let at = 0; at < old.length; at += slotLength) {
      const [high = 0, low = 0] = [old[at], old[at + 1]]
      if (high !== 0 || low !== 0) this.#put(high, low)
    }
  }
}

/** Two hashes of 32 bits, never both zero. */
function fingerprint(key: string): readonly [number, number] {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return [a >>> 0, (b | 1) >>> 0]
}
