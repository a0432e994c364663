import { describe, it, onTestFinished, vi } from 'vitest'
import { carryDesk } from '../../src-main/shell/ipc.ts'
import { createBridge } from '../../src-main/shell/bridge.ts'
import { origin } from '../../src-main/shell/origin.ts'
import { silentLog } from '../../src-main/log.ts'
import { WebServer } from '../../src-main/web/server.ts'
import { httpTransport } from '../../src-renderer/http-transport.ts'
import { browserAt } from '../support/browser.ts'
import { openCore, StubbableDesk } from '../support/desk.ts'
import { transportCases, type Rig } from './desk-transport.ts'

type Listener = (event: unknown, ...args: unknown[]) => void
type Handler = (event: unknown, ...args: unknown[]) => unknown

const electron = vi.hoisted(() => ({ handlers: new Map<string, Handler>() }))
vi.mock('electron', () => ({
  ipcMain: {
    handle: (channel: string, handler: Handler) => void electron.handlers.set(channel, handler),
    removeHandler: (channel: string) => void electron.handlers.delete(channel)
  }
}))

const newDesk = async (): Promise<StubbableDesk> => new StubbableDesk((await openCore()).desk)

async function direct(): Promise<Rig> {
  const desk = await newDesk()
  return {
    stub: (method, handler) => desk.stub(method, handler),
    transport: {
      invoke: (method, payload) => desk.call(method, payload),
      subscribe: (listener) => desk.hub.subscribe(listener)
    }
  }
}

async function overHttp(): Promise<Rig> {
  const core = await openCore()
  const desk = new StubbableDesk(core.desk)
  const web = new WebServer({
    desk,
    bundle: { get: () => null },
    receive: (...file) => core.app.arrivals.receive(...file),
    log: silentLog
  })
  onTestFinished(() => web.close())
  const browser = browserAt(await web.start())
  return {
    transport: httpTransport(browser),
    stub: (method, handler) => desk.stub(method, handler),
    lose: () => browser.streams.forEach((stream) => stream.destroy())
  }
}

/** Electron's messages without Electron: what is sent is copied as it copies, and errors become rejections. */
async function overMessages(): Promise<Rig> {
  const desk = await newDesk()
  const listeners = new Map<string, Set<Listener>>()
  const mainFrame = { origin }
  const contents = {
    mainFrame,
    isDestroyed: () => false,
    send(channel: string, ...args: unknown[]) {
      const copies = structuredClone(args)
      setImmediate(() => listeners.get(channel)?.forEach((listener) => listener({}, ...copies)))
    }
  }
  onTestFinished(carryDesk(desk, () => contents as never))
  const transport = createBridge({
    async invoke(channel, ...args) {
      const copies = structuredClone(args)
      await new Promise(setImmediate)
      const handler = electron.handlers.get(channel)
      if (!handler) throw new Error(`nobody handles ${channel}`)
      return structuredClone(await handler({ sender: contents, senderFrame: mainFrame }, ...copies))
    },
    on: (channel, listener) =>
      void listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener)),
    off: (channel, listener) => void listeners.get(channel)?.delete(listener),
    getPathForFile: () => ''
  })
  return { transport, stub: (method, handler) => desk.stub(method, handler) }
}

describe.each([
  { over: 'no transport at all', open: direct, has: ['stub'] },
  { over: 'HTTP', open: overHttp, has: ['stub', 'lose'] },
  { over: "Electron's messages", open: overMessages, has: ['stub'] }
])('the desk over $over', ({ open, has }) => {
  const cases = transportCases.filter(({ needs }) => needs === undefined || has.includes(needs))
  it.each(cases)('$name', async ({ run }) => run(await open()))
})
