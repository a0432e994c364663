import type { Browser } from '@playwright/test'
import { serve } from '../product.ts'
import { environment } from './folders.ts'
import type { StartFace } from './test-app.ts'

/** `boxyard serve --ui` in a process of its own, and a page of a browser that has nothing to do with other tests. */
export const startInBrowser =
  (browser: Browser, context: NonNullable<Parameters<Browser['newContext']>[0]>): StartFace =>
  async (folders, port, log) => {
    const served = await serve(folders.data, ['--ui', '--port', String(port)], environment(folders), (line) =>
      log.push(`main: ${line}`)
    )
    if (served.ui === undefined) throw new Error('The server told no address of its interface.')
    const opened = await browser.newContext({
      ...context,
      permissions: ['clipboard-read', 'clipboard-write']
    })
    const page = await opened.newPage()
    await page.goto(served.ui)
    return {
      page,
      electron: null,
      async quit() {
        await opened.close()
        const code = await served.stop()
        if (code !== 0) throw new Error(`The server ended with ${code}.`)
      }
    }
  }
