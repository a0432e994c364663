import { randomUUID } from 'node:crypto'
import type { ClientUpload } from '../contract/arrivals.ts'
import { Problem } from '../domain/problem.ts'
import { TransferSpeed } from '../domain/transfer-speed.ts'
import type { Events } from './events.ts'
import { Stoppable } from './stoppable.ts'

/** What is known of an upload when it begins. */
export type BegunUpload = Pick<ClientUpload, 'what' | 'box' | 'size'>

/** An upload that is running, as its receiver sees it. */
export interface RunningUpload {
  /** Aborted when it is to end and its client cannot be told. */
  readonly signal: AbortSignal
  /** Notes how many bytes have come; throws when it is to end. */
  progress(bytes: number): void
  end(): void
}

interface Entry {
  readonly upload: BegunUpload & Pick<ClientUpload, 'id' | 'startedAt'>
  readonly speed: TransferSpeed
  readonly stoppable: Stoppable
  bytes: number
}

/** The files that clients are sending just now. Nothing of it is kept. */
export class ClientUploads {
  readonly #events: Events
  readonly #now: () => number
  readonly #running = new Map<string, Entry>()

  constructor({ events, now = Date.now }: { events: Events; now?: () => number }) {
    this.#events = events
    this.#now = now
  }

  begin(upload: BegunUpload): RunningUpload {
    const id = randomUUID()
    const startedAt = this.#now()
    const stoppable = new Stoppable()
    const entry: Entry = {
      upload: { id, startedAt, ...upload },
      speed: new TransferSpeed(startedAt),
      stoppable,
      bytes: 0
    }
    this.#running.set(id, entry)
    this.#tell(id)
    return {
      signal: stoppable.signal,
      progress: (bytes) => {
        stoppable.throwIfStopped()
        entry.bytes = bytes
        entry.speed.note(bytes, this.#now())
        this.#tell(id)
      },
      end: () => {
        stoppable.leave()
        this.#running.delete(id)
        this.#tell(id)
      }
    }
  }

  /** The newest first. */
  list(): ClientUpload[] {
    return [...this.#running.values()].map((entry) => this.#shown(entry)).reverse()
  }

  find(id: string): ClientUpload | null {
    const entry = this.#running.get(id)
    return entry ? this.#shown(entry) : null
  }

  /** Its client is refused, and nothing of what it sent is kept. */
  cancel(id: string): void {
    const entry = this.#running.get(id)
    if (!entry) throw new Problem('missing', 'This upload has ended already.')
    entry.stoppable.stop(
      new Problem('conflict', 'The upload was cancelled at the registry, and nothing was changed.')
    )
  }

  #shown({ upload, speed, bytes }: Entry): ClientUpload {
    return { ...upload, bytesRead: bytes, bytesPerSecond: speed.at(this.#now()) }
  }

  #tell(id: string): void {
    this.#events.emit('client-upload-changed', { id })
  }
}
