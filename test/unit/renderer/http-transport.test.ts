import { describe, expect, it, onTestFinished } from 'vitest'
import type { DeskEvent } from '../../../src-main/contract/desk.ts'
import { silentLog } from '../../../src-main/log.ts'
import type { Receive } from '../../../src-main/web/arrivals.ts'
import { WebServer } from '../../../src-main/web/server.ts'
import { httpTransport, type Surroundings } from '../../../src-renderer/http-transport.ts'
import { browserAt } from '../../support/browser.ts'
import { openCore } from '../../support/desk.ts'

async function start(receive?: Receive) {
  const core = await openCore()
  const parts = {
    desk: core.desk,
    bundle: { get: () => null },
    receive: receive ?? ((...file) => core.app.arrivals.receive(...file)),
    log: silentLog
  } satisfies ConstructorParameters<typeof WebServer>[0]
  const open = (): WebServer => {
    const web = new WebServer(parts)
    onTestFinished(() => web.close())
    return web
  }
  const web = open()
  const address = await web.start()
  return { core, web, address, open, browser: browserAt(address) }
}

const nobody = 'http://127.0.0.1:9'
const file = (bytes: number): File => new File([new Uint8Array(bytes)], 'base.box')
const never = new AbortController().signal

describe('signing in', () => {
  it('takes the token out of the address bar before anything is asked', async () => {
    const { browser } = await start()
    const transport = httpTransport(browser)
    expect(browser.addressBar).toEqual(['/'])
    expect(await transport.invoke('about', {})).toMatchObject({ ok: true })
  })

  it('is said to be missing by a page that was opened without', async () => {
    const { address } = await start()
    const transport = httpTransport(browserAt(new URL(address).origin))
    expect(await transport.invoke('about', {})).toMatchObject({
      ok: false,
      refusal: { kind: 'unauthorized' }
    })
  })
})

describe('a product that does not answer', () => {
  it.each([
    ['at all', () => browserAt(`${nobody}/#token=x`)],
    [
      'as itself',
      (): Surroundings => ({
        ...browserAt(`${nobody}/`),
        fetch: () => Promise.resolve(new Response('<html>', { status: 502 }))
      })
    ]
  ])('%s is said to be unavailable, call by call', async (_how, browser) => {
    const transport = httpTransport(browser())
    for (let at = 0; at < 2; at += 1)
      expect(await transport.invoke('about', {})).toMatchObject({
        ok: false,
        refusal: { kind: 'unavailable', sentences: [expect.stringContaining('does not answer')] }
      })
  })

  it('is found again, with its events, once it is there', async () => {
    const { core, web, browser, open } = await start()
    const transport = httpTransport(browser)
    let hear = (_event: DeskEvent): void => {}
    let lost = 0
    const told = (): Promise<DeskEvent> => new Promise((resolve) => (hear = resolve))
    onTestFinished(
      transport.subscribe(
        (event) => hear(event),
        () => (lost += 1)
      )
    )
    const begun = told()
    await transport.invoke('settings.change', { graceHours: 3 })
    await begun
    await web.close()
    expect(await transport.invoke('about', {})).toMatchObject({ refusal: { kind: 'unavailable' } })

    // Another launch on the same port has another token: the page is told so, and its events wait for a sign-in.
    const again = open()
    const { port } = new URL(browser.origin)
    const { hash } = new URL(await again.start(Number(port)))
    expect(await transport.invoke('about', {})).toMatchObject({ refusal: { kind: 'unauthorized' } })
    // Another page, in the same browser.
    const { key } = (await (
      await browser.fetch('/desk/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: hash.slice('#token='.length) })
      })
    ).json()) as { key: string }
    browser.localStorage.setItem('session-key', key)
    expect(await transport.invoke('about', {})).toMatchObject({ ok: true })
    const next = told()
    while (!core.desk.hub.hasListeners) await new Promise(setImmediate)
    await transport.invoke('settings.change', { graceHours: 4 })
    await next
    expect(lost, 'when it opened, and when it was another').toBe(2)
  })
})

describe('sending files', () => {
  it('sends a few at a time, so that calls still come through', async () => {
    const arrived: string[] = []
    const waiting: (() => void)[] = []
    let tell = (): void => {}
    const { browser } = await start(async (id, _name, bytes) => {
      bytes.resume()
      arrived.push(id)
      tell()
      await new Promise<void>((resolve) => waiting.push(resolve))
      return { id } as never
    })
    const transport = httpTransport(browser)
    const reached = (count: number): Promise<void> =>
      new Promise((resolve) => {
        tell = () => arrived.length >= count && resolve()
        tell()
      })
    const ids = Array.from({ length: 5 }, (_, at) => `00000000-0000-4000-8000-00000000000${at}`)
    const sent = ids.map((id) => transport.sendFile?.(file(1000), { id, signal: never }))
    await reached(3)
    expect(await transport.invoke('about', {})).toMatchObject({ ok: true })
    expect(arrived).toHaveLength(3)
    waiting.shift()?.()
    await reached(4)
    waiting.splice(0).forEach((release) => release())
    await reached(5)
    waiting.splice(0).forEach((release) => release())
    const replies = await Promise.all(sent)
    expect(replies).toEqual(ids.map((id) => ({ ok: true, value: { id } })))
  })

  it('ends when it is cancelled, before its turn as well as during it', async () => {
    const { browser } = await start((_id, _name, bytes, { signal }) => {
      bytes.resume()
      bytes.on('error', () => {})
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))))
    })
    const transport = httpTransport(browser)
    const stop = new AbortController()
    const sent = Array.from({ length: 4 }, (_, at) =>
      transport.sendFile?.(file(5_000_000), {
        id: `00000000-0000-4000-8000-00000000000${at}`,
        signal: stop.signal
      })
    )
    stop.abort()
    const ends = await Promise.allSettled(sent)
    expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  })

  it('arrives as what it is', async () => {
    const { core, browser } = await start()
    const transport = httpTransport(browser)
    const id = '0b6c2ec5-8f5a-4f2e-9a43-2a1f6ba6a1c3'
    const draft = { name: 'b<i>', version: '2.0.0' }
    const reply = await transport.sendFile?.(file(5000), { id, draft, signal: never })
    expect(reply).toMatchObject({ ok: true, value: { id, fileName: 'base.box', kind: 'stream', size: 5000 } })
    expect(core.app.arrivals.list()).toMatchObject([{ id, draft }])
  })
})
