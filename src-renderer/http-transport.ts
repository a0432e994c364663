import type { DeskMethod, Refusal, Reply, Transport } from '../src-main/contract/desk.ts'
import { httpEvents, type EventSurroundings } from './http-events.ts'

/** What of the browser this needs. */
export interface Surroundings extends EventSurroundings {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>
  readonly location: Pick<Location, 'hash' | 'pathname'>
  readonly history: Pick<History, 'replaceState'>
  readonly localStorage: Pick<Storage, 'getItem' | 'setItem'>
}

/** Where all pages of this address, and no others, find the key of the session. */
const keyName = 'session-key'
const keyIn = ({ localStorage }: Surroundings): string => localStorage.getItem(keyName) ?? ''

const refused = (kind: Refusal['kind'], sentence: string): Reply => ({
  ok: false,
  refusal: { kind, sentences: [sentence] }
})
const unreachable = refused(
  'unavailable',
  'Boxyard does not answer. Start it again; what was saved is still there.'
)
const noSession = refused(
  'unauthorized',
  'This page is not signed in any more. Open the address that Boxyard printed when it started.'
)

/** Browsers open six connections to one server in all; calls and events need theirs. */
const filesAtOnce = 3

/** The interface in a browser: calls and events over HTTP, with the cookie that the launch token was exchanged for. */
export function httpTransport(browser: Surroundings = window): Transport {
  const session = exchangeToken(browser)
  const request = async (path: string, init: RequestInit): Promise<Reply> => {
    try {
      await session
      // As a method of its window: browsers refuse it otherwise.
      const headers = { ...(init.headers as Record<string, string>), 'x-boxyard-key': keyIn(browser) }
      const response = await browser.fetch(path, { ...init, headers })
      if (response.status === 401) return noSession
      return (await response.json()) as Reply
    } catch (error) {
      if (init.signal?.aborted) throw error
      return unreachable
    }
  }
  const inTurn = turns(filesAtOnce)
  return {
    invoke: (method: DeskMethod, payload: unknown) => {
      const body = JSON.stringify(payload) ?? 'null'
      return request(`/desk/call/${encodeURIComponent(method)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        // What a page remembers as it goes has to outlive it; browsers let only little do so.
        keepalive: (method === 'preferences.write' || method === 'arrivals.change') && body.length < 16_000
      })
    },
    subscribe: (listener, onLost) => {
      const address = (): string => `/desk/events?${new URLSearchParams({ key: keyIn(browser) })}`
      return httpEvents(browser, { session, address }, listener, onLost)
    },
    sendFile: (file, { id, draft, signal }) =>
      inTurn(async () => {
        signal.throwIfAborted()
        const query = new URLSearchParams({ name: file.name, draft: JSON.stringify(draft ?? {}) })
        const reply = await request(`/desk/arrivals/${id}?${query}`, { method: 'PUT', body: file, signal })
        return reply as Reply<'arrivals.retry'>
      }),
    pathOf: null
  }
}

/** The token is in the fragment, which is never sent, and leaves the address bar and the history at once. */
async function exchangeToken(browser: Surroundings): Promise<void> {
  const [, token] = /^#token=([\w-]+)/.exec(browser.location.hash) ?? []
  if (token === undefined) return
  browser.history.replaceState(null, '', browser.location.pathname)
  try {
    const response = await browser.fetch('/desk/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token })
    })
    if (response.ok)
      browser.localStorage.setItem(keyName, ((await response.json()) as { readonly key: string }).key)
  } catch {
    // What is asked next says that nobody answers.
  }
}

/** Lets some pieces of work run at a time; the others wait for their turn. */
function turns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
