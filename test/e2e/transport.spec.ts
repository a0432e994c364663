import type { Page } from '@playwright/test'
import type { DeskEvent, DeskMethod, Reply, Transport } from '../../src-main/contract/desk.ts'
import { transportCases, type Rig } from '../contract/desk-transport.ts'
import { onlyOn, test } from './fixtures.ts'

// The suite that every transport passes, through the real window: its bridge, Electron's messages, and back. The one
// over HTTP is not a part of the page that could be reached from outside, and passes it against the real server.
onlyOn('electron')

interface Window {
  readonly boxyard: Transport
  readonly heard: (id: number, event: DeskEvent) => void
  ends?: Record<number, () => void>
}

/** The window's transport, seen from here. */
async function rigOf(page: Page): Promise<Rig> {
  const listeners = new Map<number, (event: DeskEvent) => void>()
  let last = 0
  await page.exposeFunction('heard', (id: number, event: DeskEvent) => listeners.get(id)?.(event))
  return {
    transport: {
      invoke: (method: DeskMethod, payload: unknown) =>
        page.evaluate(([method, payload]) => (window as unknown as Window).boxyard.invoke(method, payload), [
          method,
          payload
        ] as const) as Promise<Reply>,
      subscribe(listener) {
        const id = (last += 1)
        listeners.set(id, listener)
        void page.evaluate((id) => {
          const here = window as unknown as Window
          here.ends = {
            ...here.ends,
            [id]: here.boxyard.subscribe((event) => here.heard(id, event))
          }
        }, id)
        return () => {
          listeners.delete(id)
          void page.evaluate((id) => (window as unknown as Window).ends?.[id]?.(), id)
        }
      }
    }
  }
}

test('the window asks and is told as over every other transport', async ({ page }) => {
  const rig = await rigOf(page)
  for (const { name, run } of transportCases.filter(({ needs }) => needs === undefined))
    await test.step(name, () => run(rig))
})
