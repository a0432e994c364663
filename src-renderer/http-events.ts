import type { DeskEvent } from '../src-main/contract/desk.ts'

/** What of the browser events need. Without locks and channels, each page has a stream of its own. */
export interface EventSurroundings {
  readonly EventSource: new (url: string) => Stream
  readonly navigator?: { readonly locks?: Pick<LockManager, 'request'> }
  readonly BroadcastChannel?: typeof BroadcastChannel
}

interface Stream {
  onmessage: ((message: MessageEvent<string>) => void) | null
  onopen: ((event: Event) => void) | null
  onerror: ((event: Event) => void) | null
  readonly readyState: number
  close(): void
}

/** What the page that has the stream tells the others: an event as it came, or that some may have been missed. */
type Passed = { readonly event: string } | { readonly lost: true }

const closed = 2
const shared = 'boxyard-events'
const firstPause = 1_000
const longestPause = 15_000

/** Where events come from. */
interface Sender {
  /** Nothing is to be asked before. */
  readonly session: Promise<void>
  /** Asked for each stream anew: another launch has another. */
  readonly address: () => string
}

/**
 * Listens to the product's events; returns what ends it. A browser opens six connections to one server for all its pages
 * together, and a stream takes one for good, so one page has the stream and passes on to the others what comes. When it
 * goes, another takes its place.
 */
export function httpEvents(
  browser: EventSurroundings,
  { session, address }: Sender,
  listener: (event: DeskEvent) => void,
  onLost: () => void = () => {}
): () => void {
  const ended = new AbortController()
  const take = (passed: Passed): void =>
    'lost' in passed ? onLost() : listener(JSON.parse(passed.event) as DeskEvent)
  const { BroadcastChannel, navigator } = browser
  if (!BroadcastChannel || !navigator?.locks) {
    void session.then(() => stream(browser, address, take, ended.signal))
    return () => ended.abort()
  }
  const channel = new BroadcastChannel(shared)
  channel.onmessage = (message: MessageEvent<Passed>) => take(message.data)
  const passOn = (passed: Passed): void => {
    channel.postMessage(passed)
    take(passed)
  }
  const holdStream = async (lock: Lock | null): Promise<void> => {
    if (lock) return stream(browser, address, passOn, ended.signal)
    await navigator.locks?.request(shared, { signal: ended.signal }, holdStream)
  }
  void session.then(() => navigator.locks?.request(shared, { ifAvailable: true }, holdStream)).catch(() => {})
  ended.signal.addEventListener('abort', () => channel.close())
  return () => ended.abort()
}

/**
 * Keeps a stream open until it is ended. Each may have missed something, the first one too: what was read while it was
 * being opened may be another by now.
 */
function stream(
  browser: EventSurroundings,
  address: () => string,
  pass: (passed: Passed) => void,
  ended: AbortSignal
): Promise<void> {
  return new Promise((resolve) => {
    let pause = firstPause
    let source: Stream | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const open = (): void => {
      if (ended.aborted) return
      const current = new browser.EventSource(address())
      source = current
      current.onmessage = ({ data }) => pass({ event: data })
      current.onopen = () => {
        pause = firstPause
        pass({ lost: true })
      }
      // It tries again by itself after a broken connection, but not after an answer it cannot use.
      current.onerror = () => {
        if (current.readyState !== closed) return
        timer = setTimeout(open, pause)
        pause = Math.min(pause * 2, longestPause)
      }
    }
    ended.addEventListener('abort', () => {
      source?.close()
      clearTimeout(timer)
      resolve()
    })
    open()
  })
}
