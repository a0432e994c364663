import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { _electron } from '@playwright/test'
import { desktopArguments } from '../support/e2e/electron-face.ts'
import { environment } from '../support/e2e/folders.ts'
import { electronProgram, runtimes } from '../support/e2e/runtimes.ts'
import { serve } from '../support/product.ts'
import { expect, onlyOn, test, type TestApp } from './fixtures.ts'

onlyOn('electron')

/** Starts the desktop once more on the same folders, as a click in the file manager does; its exit code. */
function startAgain({ folders }: TestApp, ...args: string[]): Promise<number | null> {
  const program = electronProgram(runtimes.electron ?? '')
  const child = spawn(program, [...desktopArguments(folders, 0), ...args], {
    env: environment(folders),
    stdio: 'ignore'
  })
  return new Promise((resolve) => child.once('exit', resolve))
}

const windowOf = ({ electron }: TestApp) =>
  electron.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    return window
      ? { visible: window.isVisible(), bounds: window.getBounds(), background: window.getBackgroundColor() }
      : null
  })

const closeWindow = ({ electron }: TestApp): Promise<void> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())

/** Clicks an item of the application's menu by the words on the way to it. */
const chooseInMenu = ({ electron }: TestApp, ...path: string[]): Promise<void> =>
  electron.evaluate(({ Menu }, labels) => {
    let items = Menu.getApplicationMenu()?.items ?? []
    for (const label of labels) {
      const item = items.find((one) => one.label.replace('&', '') === label)
      if (!item) throw new Error(`The menu has no ${label}.`)
      if (item.submenu) items = item.submenu.items
      else item.click()
    }
  }, path)

/** Answers dialogs of the system by the words of a button, and remembers what they said. */
async function answerDialogs(
  { electron }: TestApp,
  button: string
): Promise<() => Promise<readonly string[]>> {
  await electron.evaluate(({ dialog }, button) => {
    const said: string[] = []
    ;(globalThis as { said?: string[] }).said = said
    dialog.showMessageBox = async (...args: unknown[]) => {
      const { message, detail = '', buttons = [] } = args.at(-1) as Electron.MessageBoxOptions
      said.push(`${message}\n${detail}`)
      return { response: buttons.indexOf(button), checkboxChecked: false }
    }
  }, button)
  return () => electron.evaluate(() => (globalThis as { said?: string[] }).said ?? [])
}

const endOf = ({ electron }: TestApp): Promise<number | null> =>
  new Promise((resolve) => electron.process().once('exit', resolve))

const hash = ({ page }: TestApp): string => new URL(page.url()).hash

test('a second start hands over its files and its link, shows the window, and ends', async ({
  app,
  page
}) => {
  await page.evaluate(() => ((window as { mark?: string }).mark = 'still the same page'))
  expect(await startAgain(app, 'boxyard://box/acme/base')).toBe(0)
  await expect.poll(() => hash(app)).toBe('#/box/acme/base')

  const file = app.boxFile({ name: 'handed-over.box' })
  expect(await startAgain(app, file)).toBe(0)
  await expect
    .poll(async () => (await app.ask('transfers', {})).arrivals.map(({ fileName }) => fileName))
    .toEqual(['handed-over.box'])
  await expect.poll(() => hash(app)).toMatch(/^#\/publish/)
  expect(await page.evaluate(() => (window as { mark?: string }).mark)).toBe('still the same page')
})

test('links and files of a start lead to where they belong', async ({ app }) => {
  await app.restart(['boxyard://storage'])
  await expect.poll(() => hash(app)).toBe('#/storage')
  await app.restart([app.boxFile({ name: 'at-start.box' })])
  await expect.poll(() => hash(app)).toMatch(/^#\/publish/)
  await expect
    .poll(async () => (await app.ask('transfers', {})).arrivals.map(({ fileName }) => fileName))
    .toEqual(['at-start.box'])
})

test('a link that is none of ours changes nothing', async ({ app }) => {
  await app.page.evaluate(() => (location.hash = '#/access'))
  for (const link of ['boxyard://nowhere', 'boxyard://box/acme/../../settings', 'boxyard:settings'])
    expect(await startAgain(app, link)).toBe(0)
  expect(hash(app)).toBe('#/access')
})

test('the window is where it was, also after its file was damaged', async ({ app }) => {
  const bounds = { x: 120, y: 90, width: 1111, height: 777 }
  await app.electron.evaluate(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
    bounds
  )
  const file = join(app.folders.user, 'window.json')
  const kept = (): unknown => {
    try {
      return JSON.parse(readFileSync(file, 'utf8'))
    } catch {
      return null
    }
  }
  await expect.poll(kept).toMatchObject({ width: 1111, height: 777 })
  await app.restart()
  expect((await windowOf(app))?.bounds).toMatchObject({ width: 1111, height: 777 })

  await app.quit()
  writeFileSync(file, '{"x": 1e9')
  await app.start()
  expect((await windowOf(app))?.bounds).toMatchObject({ width: 1280, height: 820 })
  await app.quit()
  writeFileSync(file, JSON.stringify({ x: 9_000, y: 9_000, width: 1000, height: 700, maximized: false }))
  await app.start()
  expect((await windowOf(app))?.bounds.x).toBeLessThan(1_600)
})

test('the theme that is set is the system’s for the window, from its first paint on', async ({ app }) => {
  const isDark = (): Promise<boolean> =>
    app.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await app.ask('settings.change', { appearance: 'light' })
  await expect.poll(isDark).toBe(false)
  await expect.poll(async () => (await windowOf(app))?.background.toLowerCase()).toBe('#ffffff')
  await chooseInMenu(app, 'View', 'Appearance', 'Dark')
  await expect.poll(isDark).toBe(true)
  await expect.poll(async () => (await windowOf(app))?.background.toLowerCase()).toBe('#181a1f')
  await app.restart()
  expect((await windowOf(app))?.background.toLowerCase()).toBe('#181a1f')
  expect(await isDark()).toBe(true)
})

test('the menu goes to places, opens the palette and adds files', async ({ app, page }) => {
  await chooseInMenu(app, 'View', 'Storage')
  await expect.poll(() => hash(app)).toBe('#/storage')
  await chooseInMenu(app, 'View', 'Go to anything…')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await app.choose([app.boxFile({ name: 'chosen.box' })], () => chooseInMenu(app, 'File', 'Add box files…'))
  await expect
    .poll(async () => (await app.ask('transfers', {})).arrivals.map(({ fileName }) => fileName))
    .toEqual(['chosen.box'])
})

test('closed, it goes on in the tray, and a second start has the window back', async ({ app }) => {
  await closeWindow(app)
  await expect.poll(async () => (await windowOf(app))?.visible).toBe(false)
  expect((await fetch(`${app.registryUrl}/api/v2/search`)).status).toBe(200)
  expect(await startAgain(app)).toBe(0)
  await expect.poll(async () => (await windowOf(app))?.visible).toBe(true)
})

test('closed without the tray, it ends', async ({ app }) => {
  await app.ask('settings.change', { keepInTray: false })
  const ended = endOf(app)
  await closeWindow(app)
  expect(await ended).toBe(0)
})

test('starting at login is an entry of the system’s, and is taken back', async ({ app }) => {
  await app.ask('settings.change', { startAtLogin: true })
  const entry = join(app.folders.config, 'autostart', 'boxyard.desktop')
  await expect.poll(() => readFileSync(entry, 'utf8')).toMatch(/^Exec=.*desktop\.cjs.* --hidden$/m)
  await app.ask('settings.change', { startAtLogin: false })
  await expect
    .poll(() => {
      try {
        return readFileSync(entry, 'utf8')
      } catch {
        return 'gone'
      }
    })
    .toBe('gone')
})

test('started at login, it has no window until it is asked for one', async ({ app }) => {
  await app.quit()
  const port = Number(new URL(app.registryUrl).port)
  const hidden = await _electron.launch({
    executablePath: electronProgram(runtimes.electron ?? ''),
    args: [...desktopArguments(app.folders, port), '--hidden'],
    env: environment(app.folders)
  })
  await expect
    .poll(() =>
      fetch(app.registryUrl).then(
        ({ ok }) => ok,
        () => false
      )
    )
    .toBe(true)
  expect(hidden.windows()).toHaveLength(0)
  expect(await startAgain(app)).toBe(0)
  await expect((await hidden.firstWindow()).locator('main')).toBeVisible()
  await hidden.close()
})

test('a folder that another process serves is a question, and opens once it is free', async ({ app }) => {
  await app.quit()
  const other = await serve(app.dataDir)
  const stub = join(app.folders.root, 'dialogs.cjs')
  const said = join(app.folders.root, 'said.txt')
  writeFileSync(
    stub,
    `const { dialog } = require('electron')
    dialog.showMessageBox = async ({ message, detail, buttons }) => {
      require('node:fs').appendFileSync(${JSON.stringify(said)}, message + '\\n' + detail + '\\n')
      await new Promise((resolve) => setTimeout(resolve, 200))
      return { response: buttons.indexOf('Try again') }
    }`
  )
  const desktop = await _electron.launch({
    executablePath: electronProgram(runtimes.electron ?? ''),
    args: ['-r', stub, ...desktopArguments(app.folders, 0)],
    env: environment(app.folders)
  })
  const told = (): string => {
    try {
      return readFileSync(said, 'utf8')
    } catch {
      return ''
    }
  }
  await expect.poll(told).toContain('Another Boxyard serves this folder.')
  expect(told()).toContain(app.dataDir)
  expect(desktop.windows()).toHaveLength(0)
  await other.stop()
  await expect((await desktop.firstWindow()).locator('main')).toBeVisible()
  await desktop.close()
})

test('a port that another program has taken is said in the window, which is there all the same', async ({
  app
}) => {
  await app.quit()
  const port = Number(new URL(app.registryUrl).port)
  const other = createServer().listen(port, '127.0.0.1')
  const desktop = await _electron.launch({
    executablePath: electronProgram(runtimes.electron ?? ''),
    args: desktopArguments(app.folders, port),
    env: environment(app.folders)
  })
  const page = await desktop.firstWindow()
  await expect(page.locator('main')).toBeVisible()
  await page.goto('app://boxyard/#/settings')
  await expect(page.getByText(`Port ${port}`).first()).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('port-taken.png') })
  await desktop.close()
  other.close()
})

test('quitting while a client sends a file is asked about first', async ({ app }) => {
  await app.electron.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    const shown: number[] = []
    ;(globalThis as { shown?: number[] }).shown = shown
    if (window) window.setProgressBar = (share) => void shown.push(share)
  })
  const progress = (): Promise<number> =>
    app.electron.evaluate(() => Math.max(-1, ...((globalThis as { shown?: number[] }).shown ?? [])))
  await using upload = await halfUpload(app)
  await expect.poll(progress, 'the bar in the task bar').toBeGreaterThanOrEqual(0)
  await expect.poll(async () => (await app.ask('transfers', {})).clientUploads.length).toBe(1)
  const said = await answerDialogs(app, 'Keep running')
  await app.electron.evaluate(({ app }) => app.quit())
  await expect.poll(said).toHaveLength(1)
  expect((await said())[0]).toContain('acme/base 1.0.0')
  expect((await fetch(`${app.registryUrl}/api/v2/search`)).status).toBe(200)

  await answerDialogs(app, 'Quit')
  const ended = endOf(app)
  await app.electron.evaluate(({ app }) => app.quit()).catch(() => {})
  expect(await ended).toBe(0)
  expect(upload.sent).toBe(true)
})

test('told to end by a signal, it ends in order and without a question', async ({ app }) => {
  await using upload = await halfUpload(app)
  expect(upload.sent).toBe(true)
  const ended = endOf(app)
  app.electron.process().kill('SIGTERM')
  expect(await ended).toBe(0)
  await app.start()
})

test('a window whose page died can be loaded again, while the registry serves on', async ({ app }) => {
  const said = await answerDialogs(app, 'Load it again')
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer()
  )
  await expect.poll(said).toHaveLength(1)
  expect((await fetch(`${app.registryUrl}/api/v2/search`)).status).toBe(200)
  await expect
    .poll(() =>
      app.electron.evaluate(async ({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        if (!contents || contents.isCrashed() || contents.isLoading()) return false
        return (await contents.executeJavaScript("document.querySelector('main') !== null")) as boolean
      })
    )
    .toBe(true)
})

test('what ends while the person looks elsewhere is told by the system, and a click shows it', async ({
  app
}) => {
  await app.electron.evaluate(({ BrowserWindow, Notification }) => {
    const shown: Electron.Notification[] = []
    ;(globalThis as { shown?: Electron.Notification[] }).shown = shown
    Notification.prototype.show = function show(this: Electron.Notification) {
      shown.push(this)
    }
    BrowserWindow.getAllWindows()[0]?.hide()
  })
  const { arrivals } = await app.ask('arrivals.addPaths', {
    paths: [app.boxFile({ name: 'told.box' })],
    draft: { organization: 'root', name: 'told', version: '1.0.0', release: true }
  })
  await app.ask('arrivals.publish', { ids: arrivals.map(({ id }) => id) })
  const titles = (): Promise<string[]> =>
    app.electron.evaluate(() =>
      ((globalThis as { shown?: Electron.Notification[] }).shown ?? []).map(({ title }) => title)
    )
  await expect.poll(titles).toEqual(['told.box is published'])
  await app.electron.evaluate(() => {
    const [first] = (globalThis as { shown?: Electron.Notification[] }).shown ?? []
    first?.emit('click', {})
  })
  await expect.poll(() => hash(app)).toBe('#/box/root/told')
  await expect.poll(async () => (await windowOf(app))?.visible).toBe(true)
})

test('an image is dragged out as a file with the name of its box', async ({ app }) => {
  const file = app.boxFile({ name: 'base.box' })
  await app.cli(['import', file, '--org', 'root', '--name', 'base', '--box-version', '1.0.0'])
  await app.electron.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (contents)
      contents.startDrag = ({ file, icon }) => {
        ;(globalThis as { dragged?: unknown }).dragged = [file, (icon as Electron.NativeImage).isEmpty()]
      }
  })
  const [organization, box, version, provider, architecture] = [
    'root',
    'base',
    '1.0.0',
    'virtualbox',
    'amd64'
  ]
  await app.ask('host.dragOut', { organization, box, version, provider, architecture })
  const [path, hasNoIcon] = (await app.electron.evaluate(
    () => (globalThis as { dragged?: unknown }).dragged
  )) as [string, boolean]
  expect(path).toMatch(/root-base-1\.0\.0-virtualbox-amd64\.box$/)
  expect(hasNoIcon).toBe(false)
  expect(readFileSync(path).equals(readFileSync(file))).toBe(true)
})

/** A client that has begun to send a file, and waits. */
async function halfUpload(app: TestApp): Promise<{ sent: boolean } & AsyncDisposable> {
  const image = {
    organization: 'acme',
    box: 'base',
    version: '1.0.0',
    provider: 'virtualbox',
    architecture: 'amd64'
  }
  const { owner } = await app.ask('about', {})
  await app.ask('access.addOrganization', { name: 'acme', owner })
  await app.ask('box.create', { organization: 'acme', box: 'base', changes: {} })
  await app.ask('version.create', { organization: 'acme', box: 'base', version: '1.0.0' })
  await app.ask('image.create', { ...image, changes: {} })
  const { token } = await app.ask('access.issueToken', { user: owner, description: 'test' })
  const answer = await fetch(
    `${app.registryUrl}/api/v2/box/acme/base/version/1.0.0/provider/virtualbox/amd64/upload`,
    { headers: { authorization: `Bearer ${token}` } }
  )
  const { upload_path: address } = (await answer.json()) as { upload_path: string }
  const { request } = await import('node:http')
  const sending = request(address, { method: 'PUT', headers: { 'content-length': 1_000_000 } })
  sending.on('error', () => {}) // it is cut off when the program ends
  await new Promise<void>((resolve) => sending.write(Buffer.alloc(1_000), () => resolve()))
  return {
    sent: true,
    async [Symbol.asyncDispose]() {
      sending.destroy()
    }
  }
}
