import type { DeskEvent, DeskMethod, Reply, Transport } from '../src-main/contract/desk.ts'

const unreachable: Reply = {
  ok: false,
  refusal: {
    kind: 'unavailable',
    sentences: ['Boxyard does not answer. Start it again; what was saved is still there.']
  }
}
const noSession: Reply = {
  ok: false,
  refusal: {
    kind: 'unauthorized',
    sentences: ['This page is not signed in any more. Open the address that Boxyard printed when it started.']
  }
}

/** The interface in a browser: calls and events over HTTP, with the cookie that the launch token was exchanged for. */
export function httpTransport(): Transport {
  const session = exchangeToken()
  const request = async (path: string, init: RequestInit): Promise<Reply> => {
    try {
      await session
      const response = await fetch(path, init)
      if (response.status === 401) return noSession
      return (await response.json()) as Reply
    } catch (error) {
      if (init.signal?.aborted) throw error
      return unreachable
    }
  }
  return {
    invoke: (method: DeskMethod, payload: unknown) =>
      request(`/desk/call/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload)
      }),
    subscribe(listener, onLost) {
      let source: EventSource | null = null
      let opened = false
      let ended = false
      void session.then(() => {
        if (ended) return
        source = new EventSource('/desk/events')
        source.onmessage = (message: MessageEvent<string>) => listener(JSON.parse(message.data) as DeskEvent)
        source.onopen = () => {
          if (opened) onLost?.()
          opened = true
        }
      })
      return () => {
        ended = true
        source?.close()
      }
    },
    sendFile: async (file, { id, draft, signal }) => {
      const query = new URLSearchParams({ name: file.name, draft: JSON.stringify(draft ?? {}) })
      const reply = await request(`/desk/arrivals/${id}?${query}`, { method: 'PUT', body: file, signal })
      return reply as Reply<'arrivals.retry'>
    },
    pathOf: null
  }
}

/** The token is in the fragment, which is never sent, and leaves the address bar and the history at once. */
async function exchangeToken(): Promise<void> {
  const [, token] = /^#token=([\w-]+)/.exec(location.hash) ?? []
  if (token === undefined) return
  history.replaceState(null, '', location.pathname)
  await fetch('/desk/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token })
  })
}
