/**
 * End-to-end tests: the built product as a person has it in front of them, on both of its faces.
 *
 *     import { expect, test } from './fixtures.ts'
 *
 *     test('finds a box by its name', async ({ app, page }) => {
 *       await app.cli(['demo', '--boxes', '20'])
 *       await page.getByRole('searchbox').fill('base')
 *       await expect(page.getByRole('row')).toHaveCount(3)
 *     })
 *
 * Every spec runs twice: in the desktop window (project "electron") and in Chromium over `serve --ui` ("browser"). One
 * that is about a single face begins with `onlyOn('electron')`.
 *
 * Each test has a product of its own: data folder, settings, port, window. What it can use:
 *
 * - `page`             the window's page. After `app.restart()` there is a new one: `app.page`.
 * - `app.face`         'electron' or 'browser'
 * - `app.registryUrl`  the registry's HTTP API, for fetch() as clients would
 * - `app.dataDir`      its data folder; `app.folders` has the others
 * - `app.cli(args)`    runs `boxyard …` on the same folder, beside the running product
 * - `app.ask(m, p)`    calls the product as the interface does: to arrange, and to see what became of it
 * - `app.boxFile({…})` writes a real .box file: { provider, architecture, size, name }; 300 MB cost nothing
 * - `app.drop(paths)`  drags files or folders in from outside, really: { over: locator } says onto what.
 *                      `const drag = await app.dragOver(paths)`, then `drag.letGo()` or `drag.leave()`, to look in between
 * - `app.choose(paths, () => button.click())`  answers the file dialog that a click opens, on either face
 * - `app.restart()`    quits and starts again on the same folders and port; `app.quit()`, `app.start()` are its halves;
 *                      the desktop with more arguments: `app.restart([file])`
 * - `registry()`       another registry in a process of its own, to be a remote
 * - `app.electron`     Playwright's ElectronApplication, to look into the main process
 *
 * A test fails when its page throws or breaks its content security policy; `test.use({ pageMayFail: true })` is for those
 * that mean it. What program and page said is printed when a test fails. Wait on conditions, never on time; motion is off.
 *
 *     npm run test:e2e                                      everything, with all it needs
 *     npm run test:e2e -- library --project=browser         one file on one face
 *     BOXYARD_OUT=out.mine npm run test:e2e -- library      a build of one's own (electron-vite build --outDir out.mine)
 */
import { expect, test as base, type Browser } from '@playwright/test'
import { startInBrowser } from '../support/e2e/browser-face.ts'
import { startInElectron } from '../support/e2e/electron-face.ts'
import { makeFolders } from '../support/e2e/folders.ts'
import { SecondRegistry } from '../support/e2e/second-registry.ts'
import { TestApp, type FaceName } from '../support/e2e/test-app.ts'

export { expect } from '@playwright/test'
export type { TestApp } from '../support/e2e/test-app.ts'

/** What projects and specs may set. */
export interface FaceOptions {
  readonly face: FaceName
  /** Whether the page may throw without failing the test. */
  readonly pageMayFail: boolean
}

interface Fixtures {
  readonly app: TestApp
  /** Starts other registries in processes of their own, to be remotes. */
  readonly registry: () => Promise<SecondRegistry>
}

interface WorkerFixtures {
  /** Started when the first test asks for it: those of the desktop need none. */
  readonly sharedBrowser: () => Promise<Browser>
}

export const test = base.extend<Fixtures & FaceOptions, WorkerFixtures>({
  face: ['browser', { option: true }],
  pageMayFail: [false, { option: true }],

  sharedBrowser: [
    async ({ playwright, launchOptions }, use) => {
      let browser: Promise<Browser> | null = null
      await use(() => (browser ??= playwright.chromium.launch(launchOptions)))
      await ((await browser) as Browser | null)?.close()
    },
    { scope: 'worker' }
  ],

  app: async ({ face, pageMayFail, sharedBrowser, viewport, contextOptions }, use, testInfo) => {
    const folders = makeFolders()
    const start =
      face === 'electron'
        ? startInElectron
        : startInBrowser(await sharedBrowser(), { ...contextOptions, viewport })
    const app = new TestApp(face, folders, start)
    let broken = false
    const hasFailed = (): boolean =>
      broken || testInfo.errors.length > 0 || testInfo.status !== testInfo.expectedStatus
    try {
      await app.start()
      await use(app)
      if (!pageMayFail) expect(app.pageErrors, 'what went wrong in the page').toEqual([])
    } catch (error) {
      broken = true
      throw error
    } finally {
      if (hasFailed()) await keepPicture(app, testInfo.outputPath('page.png'))
      await app.quit().catch((error: unknown) => app.log.push(`it did not end well: ${error}`))
      if (hasFailed()) await testInfo.attach('log', { body: app.log.join('\n'), contentType: 'text/plain' })
      folders.remove()
    }
  },

  registry: async ({ face: _ }, use) => {
    const started: SecondRegistry[] = []
    await use(async () => {
      const registry = await SecondRegistry.start()
      started.push(registry)
      return registry
    })
    for (const registry of started) await registry.remove()
  },

  page: async ({ app }, use) => use(app.page)
})

/** For specs about what one face alone can do. */
export const onlyOn = (face: FaceName): void =>
  test.skip(({ face: here }) => here !== face, `only on ${face}`)

async function keepPicture(app: TestApp, path: string): Promise<void> {
  try {
    await app.page.screenshot({ path, timeout: 5_000 })
    await test.info().attach('picture', { path })
  } catch {
    app.log.push('no picture of the page could be taken')
  }
}
