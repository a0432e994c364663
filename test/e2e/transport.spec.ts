import type { DeskEvent, Reply } from '../../src-main/contract/desk.ts'
import { transportCases, type Rig } from '../contract/desk-transport.ts'
import { expect, onlyOn, test, type TestApp } from './fixtures.ts'

/* What every transport has to do alike, asked of the real window: through its bridge, Electron's messages and back. */

onlyOn('electron')

type Bridge = {
  invoke(method: string, payload: unknown): Promise<unknown>
  subscribe(listener: (event: unknown) => void): () => void
}

/** A page's bridge, as if it were here. */
async function rigOf({ page }: TestApp): Promise<Rig> {
  const listeners = new Set<(event: DeskEvent) => void>()
  await page.exposeFunction('hear', (event: DeskEvent) => listeners.forEach((listener) => listener(event)))
  await page.evaluate(() => {
    const { boxyard, hear } = window as unknown as { boxyard: Bridge; hear(event: unknown): Promise<void> }
    // One after the other, in the order they came.
    let last = Promise.resolve()
    boxyard.subscribe((event) => (last = last.then(() => hear(event))))
  })
  return {
    transport: {
      invoke: (method, payload) =>
        page.evaluate(
          ({ method, payload }) => (window as unknown as { boxyard: Bridge }).boxyard.invoke(method, payload),
          { method, payload }
        ) as Promise<Reply>,
      subscribe(listener) {
        const mine = (event: DeskEvent): void => listener(event)
        listeners.add(mine)
        return () => void listeners.delete(mine)
      }
    }
  }
}

test("Electron's messages are a transport like every other", async ({ app }) => {
  test.setTimeout(120_000)
  const rig = await rigOf(app)
  const cases = transportCases.filter(({ needs }) => needs === undefined)
  expect(cases.length).toBeGreaterThan(5)
  for (const { name, run } of cases) await test.step(name, () => run(rig))
})
