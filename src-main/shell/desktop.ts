import { app, Menu, nativeTheme, Notification, session, shell } from 'electron'
import type { Added, Transfers } from '../contract/arrivals.ts'
import type { Status } from '../contract/settings.ts'
import type { Bundle } from '../desk/bundle.ts'
import type { Desk } from '../desk/desk.ts'
import type { Host } from '../desk/host.ts'
import type { Log } from '../log.ts'
import type { PersonSettings } from '../settings/settings.ts'
import { placeOfLink } from './deep-links.ts'
import { desktopHost, type DesktopHost } from './desktop-host.ts'
import { openExternal } from './external-links.ts'
import { hardenContents, hardenSession } from './hardening.ts'
import { iconFile } from './icons.ts'
import { carryDesk } from './ipc.ts'
import { startAtLogin } from './login-item.ts'
import { MainWindow } from './main-window.ts'
import { menuTemplate } from './menu.ts'
import { TransferNews, type News } from './news.ts'
import { serveInterface } from './protocol.ts'
import { askPerson } from './questions.ts'
import { quitQuestion } from './quit-question.ts'
import type { HandOver } from './hand-over.ts'
import { startQuestion } from './start-failure.ts'
import { TrayIcon } from './tray.ts'

/** The product at work, as far as the desktop has to do with it. */
export interface Running {
  readonly dataDir: string
  readonly desk: Desk
  readonly settings: PersonSettings
  stop(): Promise<void>
}

const mostNotices = 3

interface Parts {
  readonly bundle: Bundle
  readonly log: Log
  readonly logFile: string
  readonly stateFile: string
  readonly dataDir: string
  /** Opens a data folder and serves it. */
  readonly start: (dataDir: string, host: Host) => Promise<Running>
}

/** The desktop around the product: one window, a menu, a sign in the tray, and what comes in from the system. */
export class Desktop {
  readonly #parts: Parts
  readonly #window: MainWindow
  readonly #tray: TrayIcon
  readonly #host: DesktopHost
  readonly #news = new TransferNews()
  #running: Running | null = null
  #status: Status | null = null
  #ends: (() => void)[] = []
  /** What was asked for before the product ran. */
  readonly #waiting: HandOver[] = []
  #leaving = false
  #saidItStays = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#window = new MainWindow({
      stateFile: parts.stateFile,
      icon: iconFile('icon.png'),
      onClose: () => this.#onClose(),
      onCrash: (reason, reload) => void this.#onCrash(reason, reload)
    })
    this.#host = desktopHost({ window: () => this.#window.window, quit: () => app.quit() })
    this.#tray = new TrayIcon({
      show: () => this.#window.show(),
      quit: () => app.quit(),
      serverUrl: () => (this.#status?.server.state === 'running' ? this.#status.server.url : null)
    })
  }

  /** To be called once Electron is ready. */
  async run({ hidden }: { hidden: boolean }): Promise<void> {
    const { bundle, log } = this.#parts
    hardenContents({ open: openExternal, log })
    hardenSession(session.defaultSession)
    serveInterface(session.defaultSession, bundle)
    const running = await this.#startUntilItRuns()
    if (!running) return app.exit(1)
    this.#running = running
    this.#ends = [carryDesk(running.desk, () => this.#window.contents), this.#follow(running)]
    await this.#applyAll(running)
    // Closing the window is answered in #onClose; a program without one goes on.
    app.on('window-all-closed', () => {})
    app.on('activate', () => this.#window.show())
    app.on('before-quit', (event) => {
      if (this.#running === null) return
      event.preventDefault()
      void this.leave({ ask: true })
    })
    const asked = this.#waiting.splice(0)
    if (asked.length === 0 && !(hidden && this.#tray.isThere)) this.#window.show()
    for (const one of asked) this.take(one)
    log.info(`the desktop is up on ${process.versions.electron}`)
  }

  /** Box files and links from a command line, the file manager, a second start: shows what they lead to. */
  take(asked: HandOver): void {
    if (!this.#running) return void this.#waiting.push(asked)
    const place = asked.links.map(placeOfLink).findLast((one) => one !== null)
    if (asked.files.length > 0) void this.#addFiles(asked.files)
    else if (place !== undefined) this.#window.go(place)
    else this.#window.show()
  }

  /** Ends the program, asking first if that would interrupt something. */
  async leave({ ask }: { ask: boolean }): Promise<void> {
    const running = this.#running
    if (!running) return app.exit(0)
    if (this.#leaving) return
    this.#leaving = true
    if (ask && !(await this.#mayQuit(running))) {
      this.#leaving = false
      return
    }
    this.#window.end()
    this.#tray.update(false)
    for (const end of this.#ends) end()
    try {
      await running.stop()
    } catch (error) {
      this.#parts.log.error('the product did not end well', error)
    }
    this.#running = null
    app.exit(0)
  }

  async #startUntilItRuns(): Promise<Running | null> {
    let { dataDir } = this.#parts
    for (;;) {
      try {
        return await this.#parts.start(dataDir, this.#host)
      } catch (error) {
        this.#parts.log.error(`${dataDir} could not be opened`, error)
        const answer = await askPerson(startQuestion(error, dataDir))
        if (answer === 'Quit') return null
        if (answer === 'Show the log') shell.showItemInFolder(this.#parts.logFile)
        if (answer === 'Choose another folder…') [dataDir = dataDir] = await this.#host.chooseFiles('data')
      }
    }
  }

  /** Does what settings and events mean for the system around the window. Returns what ends it. */
  #follow({ desk, settings }: Running): () => void {
    const ends = [
      settings.onChange((now, before) => {
        nativeTheme.themeSource = now.appearance
        this.#tray.update(now.keepInTray)
        this.#setMenu()
        if (now.startAtLogin !== before.startAtLogin) startAtLogin(now.startAtLogin)
      }),
      desk.hub.subscribe((event) => {
        if (event.name === 'status') this.#onStatus(event.data)
        const news = this.#window.isFocused ? null : this.#news.of(event)
        if (news) this.#notify(news)
      })
    ]
    return () => ends.forEach((end) => end())
  }

  async #applyAll({ desk, settings }: Running): Promise<void> {
    nativeTheme.themeSource = settings.read().appearance
    const status = await desk.call('status', {})
    if (status.ok) this.#onStatus(status.value as Status)
    this.#tray.update(settings.read().keepInTray)
    this.#setMenu()
  }

  #onStatus(status: Status): void {
    const moved =
      status.server.url !== this.#status?.server.url || status.server.state !== this.#status.server.state
    this.#status = status
    const { count, done, total } = status.running
    // Two is a bar without a share, minus one is none.
    this.#window.window?.setProgressBar(count === 0 ? -1 : total > 0 ? Math.min(done / total, 1) : 2)
    if (moved && this.#tray.isThere) this.#tray.update(true)
  }

  #setMenu(): void {
    const { desk, settings, dataDir } = this.#running!
    const template = menuTemplate(
      {
        go: (place) => this.#window.go(place),
        command: (name) => {
          this.#window.show()
          desk.hub.emit({ name: 'command', data: { name } })
        },
        addFiles: () => void this.#chooseFiles(),
        appearance: (appearance) => void desk.call('settings.change', { appearance }),
        revealDataFolder: () => void shell.openPath(dataDir),
        revealLog: () => shell.showItemInFolder(this.#parts.logFile)
      },
      { platform: process.platform, appearance: settings.read().appearance }
    )
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }

  async #chooseFiles(): Promise<void> {
    const files = await this.#host.chooseFiles('boxes')
    if (files.length > 0) await this.#addFiles(files)
  }

  async #addFiles(paths: readonly string[]): Promise<void> {
    this.#window.go('/publish')
    const { desk } = this.#running!
    // As for files that are dropped: who adds one mostly wants it used, and the form lets them say otherwise.
    const reply = await desk.call('arrivals.addPaths', { paths, draft: { release: true } })
    const refused = reply.ok ? (reply.value as Added).refused : [reply.refusal]
    for (const { sentences } of refused.slice(0, mostNotices))
      desk.hub.emit({ name: 'notice', data: { kind: 'error', sentence: sentences.join(' ') } })
  }

  #notify({ title, body, to }: Omit<News, 'to'> & { readonly to: string | null }): void {
    const notification = new Notification({ title, body, icon: iconFile('icon.png') })
    notification.on('click', () => (to === null ? this.#window.show() : this.#window.go(to)))
    notification.show()
  }

  #onClose(): void {
    if (!this.#tray.isThere && process.platform !== 'darwin') return app.quit()
    this.#window.hide()
    if (this.#saidItStays || process.platform === 'darwin') return
    // Not every desktop shows a tray, so that the window would seem lost.
    this.#saidItStays = true
    this.#notify({
      title: 'Boxyard goes on serving',
      body: 'Open it again from the tray, or by starting it once more.',
      to: null
    })
  }

  async #onCrash(reason: string, reload: () => void): Promise<void> {
    this.#parts.log.error(`the window's page ended: ${reason}`)
    const answer = await askPerson({
      kind: 'error',
      message: 'The window stopped working.',
      detail: 'The registry goes on serving, and transfers go on. Loading the window again usually helps.',
      answers: ['Quit', 'Load it again']
    })
    if (answer === 'Quit') app.quit()
    else reload()
  }

  async #mayQuit({ desk }: Running): Promise<boolean> {
    const reply = await desk.call('transfers', {})
    const question = reply.ok ? quitQuestion(reply.value as Transfers) : null
    if (!question) return true
    this.#window.show()
    return (await askPerson(question, this.#window.window)) === 'Quit'
  }
}
