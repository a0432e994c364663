/** Rows a person chose, by what tells them apart, with what is kept of each; rows that were never read are among them after a range. */
export class Selection<Key, Value> {
  readonly #most: number
  #chosen = new Map<Key, Value>()
  /** What was chosen before the range that is being drawn. */
  #before: ReadonlyMap<Key, Value> | null = null

  constructor(most = Infinity) {
    this.#most = most
  }

  get count(): number {
    return this.#chosen.size
  }

  get keys(): Key[] {
    return [...this.#chosen.keys()]
  }

  get values(): Value[] {
    return [...this.#chosen.values()]
  }

  has(key: Key): boolean {
    return this.#chosen.has(key)
  }

  clear(): void {
    this.#chosen = new Map()
    this.#before = null
  }

  toggle(key: Key, value: Value): void {
    this.#before = null
    if (!this.#chosen.delete(key) && this.count < this.#most) this.#chosen.set(key, value)
  }

  /** The range that begins at the anchor; one drawn farther takes the place of the one before. */
  extend(range: Iterable<readonly [Key, Value]>): void {
    this.#before ??= this.#chosen
    this.#chosen = new Map(this.#before)
    for (const [key, value] of range)
      if (this.#chosen.has(key) || this.count < this.#most) this.#chosen.set(key, value)
  }

  /** The next range begins elsewhere, and adds to what is chosen now. */
  endRange(): void {
    this.#before = null
  }

  /** Notes what a chosen row is now; of others nothing is kept. */
  update(key: Key, value: Value): void {
    if (this.#chosen.has(key)) this.#chosen.set(key, value)
  }
}
