import type { ServerResponse } from 'node:http'
import type { DeskEvent } from '../contract/desk.ts'
import type { Hub } from '../desk/hub.ts'
import type { WebLimits } from './limits.ts'

/** The event streams of open pages. */
export class EventStreams {
  readonly #hub: Hub
  readonly #limits: WebLimits
  readonly #open = new Set<ServerResponse>()

  constructor(hub: Hub, limits: WebLimits) {
    this.#hub = hub
    this.#limits = limits
  }

  get full(): boolean {
    return this.#open.size >= this.#limits.streams
  }

  /** Keeps a response open and writes events to it until its page goes. */
  add(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    const write = (text: string): void => {
      // A page that takes nothing is cut off rather than waited for: when it is back, it reads everything again.
      if (response.writableLength > this.#limits.streamBytes) response.destroy()
      else response.write(text)
    }
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' })
    write('retry: 1000\n\n')
    const end = this.#hub.subscribe((event: DeskEvent) => write(`data: ${JSON.stringify(event)}\n\n`))
    const beat = setInterval(() => write(':\n\n'), this.#limits.heartbeat)
    this.#open.add(response)
    response.once('close', () => {
      end()
      clearInterval(beat)
      this.#open.delete(response)
    })
    response.on('error', () => {})
  }

  close(): void {
    for (const response of this.#open) response.destroy()
  }
}
