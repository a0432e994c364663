import { join } from 'node:path'
import { runtimes } from '../support/e2e/runtimes.ts'
import { expect, onlyOn, test, type TestApp } from './fixtures.ts'

/* The live window against Electron's security list; the table in SECURITY.md names these tests by item. */

onlyOn('electron')

/** Has what would be opened outside remembered instead; the returned function tells it. */
async function noteOpened({ electron }: TestApp): Promise<() => Promise<readonly string[]>> {
  await electron.evaluate(({ shell }) => {
    const opened: string[] = []
    ;(globalThis as { opened?: string[] }).opened = opened
    shell.openExternal = async (url) => void opened.push(url)
  })
  return () => electron.evaluate(() => (globalThis as { opened?: string[] }).opened ?? [])
}

test('items 2, 3, 4, 6, 8, 9, 10, 12: the page is sandboxed, isolated and without Node', async ({
  app,
  page
}) => {
  const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
    return contents.getLastWebPreferences()
  })
  expect(preferences).toMatchObject({
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    contextIsolation: true,
    sandbox: true,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false
  })
  expect(preferences['nodeIntegrationInWorker'] ?? false).toBe(false)
  expect(preferences['enableBlinkFeatures'] ?? '').toBe('')
  const globals = await page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'global', 'electron'].filter((name) => name in window)
  )
  expect(globals).toEqual([])
})

test.describe('what breaks the content security policy', () => {
  test.use({ pageMayFail: true })

  test('items 1, 18: it comes from our own scheme, which serves the bundle and nothing else', async ({
    page
  }) => {
    expect(new URL(page.url()).protocol).toBe('app:')
    const answers = await page.evaluate(async () => {
      const ask = (url: string): Promise<unknown> =>
        fetch(url).then(
          (r) => r.status,
          () => 'refused'
        )
      return Promise.all(
        ['/', '/index.html', '/../package.json', '/%2e%2e/%2e%2e/etc/passwd', '/main/cli.js']
          .map(ask)
          .concat(['file:///etc/passwd', 'https://example.org/', 'app://other/'].map(ask))
      )
    })
    expect(answers).toEqual([200, 200, 404, 404, 404, 'refused', 'refused', 'refused'])
  })

  test('item 7: the policy is in the header and forbids inline, remote and evaluated code', async ({
    page
  }) => {
    const seen = await page.evaluate(async () => {
      const policy = (await fetch('/')).headers.get('content-security-policy')
      const broken: string[] = []
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => broken.push(effectiveDirective))
      const add = (html: string): void =>
        document.body.append(document.createRange().createContextualFragment(html))
      add('<script>window.inlineRan = true</script>')
      add('<script src="https://example.org/x.js"></script>')
      add('<img src="https://example.org/x.png">')
      add('<iframe src="https://example.org/"></iframe>')
      add('<p style="color: red">')
      let evaluated = 'ran'
      try {
        window.eval('1')
      } catch {
        evaluated = 'refused'
      }
      while (broken.length < 6) await new Promise((resolve) => requestAnimationFrame(resolve))
      return { policy, broken: broken.sort(), evaluated, inline: 'inlineRan' in window }
    })
    expect(seen.policy).toContain("default-src 'none'")
    expect(seen.policy).not.toContain('unsafe')
    expect(seen).toMatchObject({ evaluated: 'refused', inline: false })
    expect(new Set(seen.broken)).toEqual(
      new Set(['frame-src', 'img-src', 'script-src', 'script-src-elem', 'style-src-attr'])
    )
  })
})

test('item 5: permissions are refused, asked for or looked up, but for writing to the clipboard', async ({
  page
}) => {
  const states = await page.evaluate(async () => {
    const state = (name: string): Promise<string> =>
      navigator.permissions.query({ name: name as PermissionName }).then(
        ({ state }) => state,
        () => 'unknown'
      )
    const names = [
      'geolocation',
      'camera',
      'microphone',
      'notifications',
      'clipboard-read',
      'midi',
      'clipboard-write'
    ]
    const looked = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await state(name)])))
    const asked = await Notification.requestPermission()
    const place = await new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('given'),
        ({ code }) => resolve(code)
      )
    )
    const camera = await navigator.mediaDevices.getUserMedia({ video: true }).catch(({ name }: Error) => name)
    return { looked, asked, place, camera }
  })
  expect(states).toEqual({
    looked: {
      geolocation: 'denied',
      camera: 'denied',
      microphone: 'denied',
      notifications: 'denied',
      'clipboard-read': 'denied',
      midi: 'denied',
      'clipboard-write': 'granted'
    },
    asked: 'denied',
    place: 1,
    camera: expect.stringMatching(/NotAllowed|NotFound/)
  })
})

test('items 13, 15: the page cannot be led away; a link to the web opens outside', async ({ app, page }) => {
  const opened = await noteOpened(app)
  const before = page.url()
  await page.evaluate(() => location.assign('https://example.org/a'))
  await expect.poll(opened).toEqual(['https://example.org/a'])
  await page.evaluate(() => location.assign('file:///etc/passwd'))
  await page.evaluate(() => {
    const form = document.createElement('a')
    form.href = 'https://example.org/b'
    document.body.append(form)
    form.click()
  })
  await expect.poll(opened).toEqual(['https://example.org/a', 'https://example.org/b'])
  // Not by its locators, which would wait for the navigation to come to an end.
  expect(await page.evaluate(() => [location.href, document.querySelector('main') !== null])).toEqual([
    before,
    true
  ])
})

test('items 14, 15: the page cannot make windows, and only web pages open outside', async ({ app, page }) => {
  const opened = await noteOpened(app)
  const made = await page.evaluate(() =>
    ['https://example.org/', 'file:///etc/passwd', 'smb://x/y', 'about:blank', location.href].map(
      (url) => window.open(url) === null
    )
  )
  expect(made).toEqual([true, true, true, true, true])
  await expect.poll(opened).toEqual(['https://example.org/'])
  expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('items 11, 12: a webview is an unknown element', async ({ app, page }) => {
  const isUnknown = await page.evaluate(() => {
    const view = document.createElement('webview')
    view.setAttribute('src', 'https://example.org/')
    document.body.append(view)
    return view.constructor === HTMLElement && !('loadURL' in view)
  })
  expect(isUnknown).toBe(true)
  expect(await app.electron.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1)
})

test('item 17: a call from any page but ours is rejected', async ({ app }) => {
  const preload = join(runtimes.build, 'preload/preload.cjs')
  const answers = await app.electron.evaluate(async ({ BrowserWindow }, preload) => {
    const ask = async (url: string): Promise<unknown> => {
      const window = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } })
      try {
        await window.loadURL(url)
        return await window.webContents.executeJavaScript("boxyard.invoke('about', {})")
      } finally {
        window.destroy()
      }
    }
    // Ours by its address, but in a window we have not made for it, and a page of nobody's.
    return [await ask('app://boxyard/index.html'), await ask('data:text/html,<p>')]
  }, preload)
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, refusal: { kind: 'fault' } })
})

test('item 20: the page gets one object with four members, and nothing of Electron', async ({ page }) => {
  const bridge = await page.evaluate(() => {
    const { boxyard } = window as unknown as { boxyard: Record<string, unknown> }
    return {
      members: Object.entries(boxyard).map(([name, value]) => [name, typeof value]),
      frozen: Reflect.set(boxyard, 'invoke', null),
      others: Object.keys(window).filter((name) => /electron|ipc/i.test(name))
    }
  })
  expect(bridge.members.sort()).toEqual([
    ['invoke', 'function'],
    ['pathOf', 'function'],
    ['sendFile', 'object'],
    ['subscribe', 'function']
  ])
  expect(bridge).toMatchObject({ frozen: false, others: [] })
})

test('item 1: its session reaches nothing but the bundle, and takes no downloads or dictionaries', async ({
  app
}) => {
  const session = await app.electron.evaluate(async ({ session: { defaultSession } }, registry) => {
    const reach = (url: string): Promise<unknown> =>
      defaultSession.fetch(url).then(
        ({ status }) => status,
        () => 'refused'
      )
    return {
      // There and answering, for everybody but the window.
      network: await reach(registry),
      bundle: await reach('app://boxyard/index.html'),
      spelling: defaultSession.isSpellCheckerEnabled(),
      downloads: defaultSession.listenerCount('will-download')
    }
  }, app.registryUrl)
  expect(session).toEqual({ network: 'refused', bundle: 200, spelling: false, downloads: 1 })
})
