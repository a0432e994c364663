/** Bytes on their way in or out: what is closed underneath them has to wait until they have cleaned up. */
export class Transfers {
  readonly #running = new Set<Promise<unknown>>()

  /** Gives back `work`, and remembers it while it runs. */
  track<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(forget, forget)
    const running = this.#running.add(settled)
    function forget(): void {
      running.delete(settled)
    }
    return work
  }

  /** Resolves once none of those that run now does any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }
}
