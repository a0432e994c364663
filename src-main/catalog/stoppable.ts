/** A sender whose next bytes do not come in this time is not waited for. */
const patience = 1000

/**
 * Lets something that receives a stream be stopped with a reason. It ends at the next bytes that come, so that their
 * sender can still be told why; a sender that sends nothing is cut off after a moment.
 */
export class Stoppable {
  readonly #abort = new AbortController()
  #reason: Error | null = null
  #timer: NodeJS.Timeout | undefined

  /** Cuts the stream off. */
  readonly signal: AbortSignal = this.#abort.signal

  get reason(): Error | null {
    return this.#reason
  }

  stop(reason: Error): void {
    if (this.#reason) return
    this.#reason = reason
    this.#timer = setTimeout(() => this.#abort.abort(reason), patience)
  }

  /** Does not let the sender be told. */
  stopAtOnce(reason: Error): void {
    this.#reason ??= reason
    this.#abort.abort(this.#reason)
  }

  /** To be called with each bytes that come: throws the reason. */
  throwIfStopped(): void {
    if (this.#reason) throw this.#reason
  }

  /** To be called when nothing can be stopped any more. */
  leave(): void {
    clearTimeout(this.#timer)
  }
}
