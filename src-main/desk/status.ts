import type { ServerStatus, Settings, Status } from '../contract/settings.ts'
import type { Log } from '../log.ts'

/** The registry's server, as far as the interface has to do with it. */
export interface RegistryServer {
  status(): ServerStatus
  /** Refuses settings that could not take effect, before anything is changed. */
  check(settings: Settings): Promise<void>
  /** Resolves when the server is where the settings say; refused when it cannot be. */
  apply(): Promise<void>
  onChange(listener: () => void): () => void
}

/** What is on its way in, in sums. */
export type TransferSums = Pick<Status, 'running' | 'waiting'>

interface Parts {
  readonly server: RegistryServer
  readonly freeBytes: () => Promise<number>
  readonly transfers: () => TransferSums
  readonly log: Log
}

/** The line at the bottom of the window. */
export class StatusLine {
  readonly #parts: Parts
  readonly #listeners = new Set<(now: Status) => void>()
  #diskFree: number | null = null
  #told = ''

  constructor(parts: Parts) {
    this.#parts = parts
    parts.server.onChange(() => this.refresh())
  }

  async read(): Promise<Status> {
    this.#diskFree = await this.#parts.freeBytes()
    return this.#now(this.#diskFree)
  }

  /** Told when it is another one. Returns what ends it. */
  onChange(listener: (now: Status) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Looks whether it has changed; at the disk only when asked to. */
  refresh({ disk = false } = {}): void {
    if (this.#listeners.size === 0) return
    if (!disk && this.#diskFree !== null) return this.#tell(this.#now(this.#diskFree))
    this.read().then(
      (now) => this.#tell(now),
      (error: unknown) => this.#parts.log.error('the free space of the disk could not be read', error)
    )
  }

  #now(diskFree: number): Status {
    return { server: this.#parts.server.status(), diskFree, ...this.#parts.transfers() }
  }

  #tell(now: Status): void {
    const text = JSON.stringify(now)
    if (text === this.#told) return
    this.#told = text
    for (const listener of this.#listeners) listener(now)
  }
}
