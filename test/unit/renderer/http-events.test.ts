import { describe, expect, it, onTestFinished } from 'vitest'
import type { DeskEvent } from '../../../src-main/contract/desk.ts'
import { httpEvents, type EventSurroundings } from '../../../src-renderer/http-events.ts'

/** A browser's streams, which a test makes speak and break. */
function streams() {
  const open: Stream[] = []
  class Stream {
    onmessage: ((message: MessageEvent<string>) => void) | null = null
    onopen: ((event: Event) => void) | null = null
    onerror: ((event: Event) => void) | null = null
    readyState = 0
    constructor() {
      open.push(this)
      queueMicrotask(() => this.onopen?.(new Event('open')))
    }
    close(): void {
      this.readyState = 2
      open.splice(open.indexOf(this), 1)
    }
    say(event: DeskEvent): void {
      this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(event) }))
    }
  }
  return { open, EventSource: Stream }
}

/** As browsers have them: one holder at a time, the others in line. */
function locks(): NonNullable<NonNullable<EventSurroundings['navigator']>['locks']> {
  let held = false
  const line: (() => void)[] = []
  const hold = async (callback: (lock: Lock | null) => Promise<void>): Promise<void> => {
    held = true
    await callback({ name: 'lock', mode: 'exclusive' })
    held = false
    line.shift()?.()
  }
  const request = async (
    _name: string,
    options: LockOptions,
    callback: (lock: Lock | null) => Promise<void>
  ): Promise<void> => {
    if (!held) return hold(callback)
    if (options.ifAvailable) return callback(null)
    await new Promise<void>((resolve, reject) => {
      line.push(resolve)
      options.signal?.addEventListener('abort', () => {
        line.splice(line.indexOf(resolve), 1)
        reject(new DOMException('', 'AbortError'))
      })
    })
    return hold(callback)
  }
  return { request } as never
}

const go = (to: string): DeskEvent => ({ name: 'go', data: { to } })
const signedIn = Promise.resolve()

/** Channels bring their messages with turns of the event loop: looks until something is so. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate)
}

function page(browser: EventSurroundings) {
  const heard: DeskEvent[] = []
  const page = { heard, lost: 0, end: (): void => {} }
  page.end = httpEvents(
    browser,
    { session: signedIn, address: () => '/desk/events' },
    (event) => void heard.push(event),
    () => (page.lost += 1)
  )
  onTestFinished(() => page.end())
  return page
}

describe('pages of one browser', () => {
  const world = () => {
    const { open, EventSource } = streams()
    const browser: EventSurroundings = { EventSource, BroadcastChannel, navigator: { locks: locks() } }
    return { open, browser }
  }

  it('share one stream', async () => {
    const { open, browser } = world()
    const pages = [page(browser), page(browser), page(browser)]
    await until(() => open.length === 1)
    open[0]?.say(go('/1'))
    await until(() => pages.every(({ heard }) => heard.length === 1))
    expect(open).toHaveLength(1)
    // Once, when it opened: what was read before may be another by then.
    expect(pages.map(({ lost }) => lost)).toEqual([1, 1, 1])
  })

  it('are all told when the one that has it goes, and have another', async () => {
    const { open, browser } = world()
    const [first, second, third] = [page(browser), page(browser), page(browser)]
    await until(() => open.length === 1)
    first.end()
    await until(() => open.length === 1 && second.lost === 2 && third.lost === 2)
    open[0]?.say(go('/2'))
    await until(() => second.heard.length === 1 && third.heard.length === 1)
    expect(first.heard).toEqual([])
  })

  it('that go while others have the stream leave nothing behind', async () => {
    const { open, browser } = world()
    const [first, second] = [page(browser), page(browser)]
    await until(() => open.length === 1)
    second.end()
    first.end()
    await until(() => open.length === 0)
  })
})

describe('a page by itself', () => {
  it('has a stream of its own, and is told when it is another', async () => {
    const { open, EventSource } = streams()
    const alone = page({ EventSource })
    await until(() => open.length === 1)
    open[0]?.onopen?.(new Event('open'))
    expect(alone.lost).toBe(2)
    open[0]?.say(go('/1'))
    expect(alone.heard).toEqual([go('/1')])
    alone.end()
    expect(open).toEqual([])
  })
})
