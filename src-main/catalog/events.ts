import type { Log } from '../log.ts'

/** What listeners are told. Events say that something changed, after it was saved; they never carry out work. */
export interface CatalogEvents {
  'box-changed': { readonly organization: string; readonly box: string }
  /** Deleted, or no longer known by this name. */
  'box-removed': { readonly organization: string; readonly box: string }
  /** Added, another one now, further on with its bytes, or gone. */
  'arrival-changed': { readonly id: string }
  'client-upload-changed': { readonly id: string }
  'transfer-changed': { readonly id: string }
  /** Added, another one now, or gone; or how it does, or what is out of step, is another. */
  'remote-changed': { readonly id: number }
}

type Name = keyof CatalogEvents
type Listener<N extends Name> = (event: CatalogEvents[N]) => void

export class Events {
  readonly #listeners: { [N in Name]: Set<Listener<N>> } = {
    'box-changed': new Set(),
    'box-removed': new Set(),
    'arrival-changed': new Set(),
    'client-upload-changed': new Set(),
    'transfer-changed': new Set(),
    'remote-changed': new Set()
  }
  readonly #log: Log

  constructor({ log }: { log: Log }) {
    this.#log = log
  }

  /** Returns what ends the listening. */
  on<N extends Name>(name: N, listener: Listener<N>): () => void {
    this.#listeners[name].add(listener)
    return () => void this.#listeners[name].delete(listener)
  }

  /** A listener that fails is its own problem: what it was told of has happened. */
  emit<N extends Name>(name: N, event: CatalogEvents[N]): void {
    for (const listener of this.#listeners[name]) {
      try {
        listener(event)
      } catch (error) {
        this.#log.error(`a listener to ${name} failed`, error)
      }
    }
  }
}
