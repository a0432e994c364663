import type { DeskEvent } from '../contract/desk.ts'
import type { Log } from '../log.ts'

type Listener = (event: DeskEvent) => void

/** Passes events on to every window and page that listens. */
export class Hub {
  readonly #listeners = new Set<Listener>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** Returns what ends the listening. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0
  }

  emit(event: DeskEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#log.error(`a listener to ${event.name} failed`, error)
      }
    }
  }
}
