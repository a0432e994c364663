import { request, type ClientRequest } from 'node:http'
import type { Surroundings } from '../../src-renderer/http-transport.ts'

/** As much of a browser as the interface's transport needs: cookies, storage, fetch and event streams. */
export interface FakeBrowser extends Surroundings {
  /** The connections that event streams run over. */
  readonly streams: ReadonlySet<ClientRequest>
  readonly addressBar: string[]
  readonly origin: string
}

/** A browser whose one page was opened at an address. */
export function browserAt(address: string): FakeBrowser {
  const { origin, hash, pathname } = new URL(address)
  let cookie = ''
  const storage = new Map<string, string>()
  const streams = new Set<ClientRequest>()
  const addressBar: string[] = []

  /** Comes back by itself when its connection breaks, and ends for good on an answer it cannot use, as browsers' do. */
  class Stream {
    onmessage: ((message: MessageEvent<string>) => void) | null = null
    onopen: ((event: Event) => void) | null = null
    onerror: ((event: Event) => void) | null = null
    readyState = 0
    readonly #url: string
    #request: ClientRequest | null = null

    constructor(path: string) {
      this.#url = origin + path
      this.#connect()
    }

    close(): void {
      this.readyState = 2
      this.#request?.destroy()
    }

    #connect(): void {
      const outgoing = request(this.#url, {
        headers: { cookie, accept: 'text/event-stream' },
        agent: false
      })
      this.#request = outgoing
      outgoing.on('response', (response) => {
        if (response.statusCode !== 200) return this.#fail()
        streams.add(outgoing)
        this.readyState = 1
        this.onopen?.(new Event('open'))
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
          const blocks = text.split('\n\n')
          text = blocks.pop() ?? ''
          for (const block of blocks)
            if (block.startsWith('data: '))
              this.onmessage?.(new MessageEvent('message', { data: block.slice('data: '.length) }))
        })
        response.on('error', () => {})
      })
      outgoing.on('error', () => {})
      outgoing.on('close', () => {
        streams.delete(outgoing)
        if (this.readyState === 2) return
        this.readyState = 0
        this.onerror?.(new Event('error'))
        setTimeout(() => this.readyState === 0 && this.#connect(), 10)
      })
      outgoing.end()
    }

    #fail(): void {
      this.readyState = 2
      this.#request?.destroy()
      this.onerror?.(new Event('error'))
    }
  }

  return {
    streams,
    addressBar,
    origin,
    EventSource: Stream,
    location: { hash, pathname },
    localStorage: {
      getItem: (name) => storage.get(name) ?? null,
      setItem: (name, value) => void storage.set(name, value)
    },
    history: { replaceState: (_state, _title, url) => void addressBar.push(String(url)) },
    async fetch(path, init) {
      const response = await fetch(origin + path, {
        ...init,
        ...(init.body instanceof Blob && { duplex: 'half' }),
        headers: { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) }
      })
      const [set] = response.headers.getSetCookie()
      if (set) cookie = set.split(';', 1)[0] ?? ''
      return response
    }
  }
}
