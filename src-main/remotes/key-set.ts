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
  #high = 0
  #low = 0

  get size(): number {
    return this.#size
  }

  add(key: string): void {
    if (this.#size >= (this.#slots.length / slotLength) * fullest) this.#grow()
    this.#print(key)
    const at = this.#find(this.#high, this.#low)
    if (!isEmpty(this.#slots, at)) return
    this.#slots[at] = this.#high
    this.#slots[at + 1] = this.#low
    this.#size += 1
  }

  has(key: string): boolean {
    this.#print(key)
    return !isEmpty(this.#slots, this.#find(this.#high, this.#low))
  }

  /** The slot that holds it, or the empty one where it belongs. */
  #find(high: number, low: number): number {
    const slots = this.#slots
    const mask = slots.length / slotLength - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = slot * slotLength
      if (slots[at] === high && slots[at + 1] === low) return at
      if (isEmpty(slots, at)) return at
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(old.length * 2)
    for (let from = 0; from < old.length; from += slotLength) {
      if (isEmpty(old, from)) continue
      const high = old[from] as number
      const low = old[from + 1] as number
      const to = this.#find(high, low)
      this.#slots[to] = high
      this.#slots[to + 1] = low
    }
  }

  /** Two hashes of 32 bits, never both zero. Left in fields: a pair for each key would be most of what a look throws away. */
  #print(key: string): void {
    let a = 0xdeadbeef
    let b = 0x41c6ce57
    for (let i = 0; i < key.length; i++) {
      const code = key.charCodeAt(i)
      a = Math.imul(a ^ code, 2654435761)
      b = Math.imul(b ^ code, 1597334677)
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
    this.#high = a >>> 0
    this.#low = (b | 1) >>> 0
  }
}

const isEmpty = (slots: Uint32Array, at: number): boolean => slots[at] === 0 && slots[at + 1] === 0
