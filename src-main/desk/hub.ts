import type { DeskEvent } from '../contract/desk.ts'
import type { Log } from '../log.ts'

type Listener = (event: DeskEvent) => void

/** Passes events on to every window and page that listens. */
export class Hub {
  readonly #listeners = new Set<Listener>()
  readonly #sources: { readonly start: () => () => void; stop: (() => void) | null }[] = []
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** Returns what ends the listening. */
  subscribe(listener: Listener): () => void {
    // One listener may come twice, and each time is ended by itself.
    const mine: Listener = (event) => listener(event)
    this.#listeners.add(mine)
    if (this.#listeners.size === 1) for (const source of this.#sources) source.stop ??= source.start()
    return () => {
      if (!this.#listeners.delete(mine) || this.hasListeners) return
      for (const source of this.#sources) {
        source.stop?.()
        source.stop = null
      }
    }
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0
  }

  /** What has to look for events itself does so only while somebody listens; `start` returns what ends it. */
  whileListening(start: () => () => void): void {
    this.#sources.push({ start, stop: this.hasListeners ? start() : null })
  }

  emit(event: DeskEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event)
      } catch (error) {
        this.#log.error(`a listener to ${event.name} failed`, error)
      }
    }
  }
}
