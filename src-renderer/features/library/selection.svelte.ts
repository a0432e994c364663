import type { LibraryRange } from '../../../src-main/contract/library.ts'

/** Boxes the person chose, by id, with the bytes of each; rows that were never read are among them after a range. */
export class Selection {
  #sizes = new Map<number, number>()
  /** What was chosen before the range that is being drawn. */
  #before: ReadonlyMap<number, number> | null = null
  #bytes = 0
  #version = $state(0)

  get count(): number {
    void this.#version
    return this.#sizes.size
  }

  get bytes(): number {
    void this.#version
    return this.#bytes
  }

  get ids(): number[] {
    void this.#version
    return [...this.#sizes.keys()]
  }

  has(id: number): boolean {
    void this.#version
    return this.#sizes.has(id)
  }

  clear(): void {
    this.#set(new Map())
    this.#before = null
  }

  /** Chosen alone, whatever was chosen before. */
  only(id: number, size: number): void {
    this.#set(new Map([[id, size]]))
    this.#before = null
  }

  toggle(id: number, size: number): void {
    if (this.#sizes.delete(id)) this.#bytes -= size
    else {
      this.#sizes.set(id, size)
      this.#bytes += size
    }
    this.#before = null
    this.#version += 1
  }

  /** The range that begins at the anchor; one drawn farther takes the place of the one before. */
  extend({ ids, sizes }: LibraryRange): void {
    this.#before ??= new Map(this.#sizes)
    const next = new Map(this.#before)
    for (const [place, id] of ids.entries()) next.set(id, sizes[place] ?? 0)
    this.#set(next)
  }

  #set(sizes: Map<number, number>): void {
    this.#sizes = sizes
    this.#bytes = 0
    for (const size of sizes.values()) this.#bytes += size
    this.#version += 1
  }
}
