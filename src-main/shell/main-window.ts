import { join } from 'node:path'
import { BrowserWindow, nativeTheme, screen, type WebContents } from 'electron'
import { offerTextMenu } from './context-menu.ts'
import { addressOf, origin } from './origin.ts'
import { placeWindow, readWindowState, smallest, writeWindowState } from './window-state.ts'

/** The surface of both themes, shown until the page paints: see styles/tokens.css. */
const background = { light: '#ffffff', dark: '#181a1f' }
/** A window that is being moved tells so many times a second. */
const settleMs = 400

interface Parts {
  /** Where its size and place are kept. */
  readonly stateFile: string
  readonly icon: string
  /** The person closes it; it stays until `hide` or `end`. */
  readonly onClose: () => void
  /** The page died; `reload` has it back. */
  readonly onCrash: (reason: string, reload: () => void) => void
}

/** The program's one window. It is made when it is first shown, and again after it was closed. */
export class MainWindow {
  readonly #parts: Parts
  #window: BrowserWindow | null = null
  #settling: NodeJS.Timeout | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    nativeTheme.on('updated', () => this.#window?.setBackgroundColor(surface()))
  }

  /** Whose calls are answered; null while there is no window. */
  get contents(): WebContents | null {
    return this.#window?.webContents ?? null
  }

  /** Null while there is none. */
  get window(): BrowserWindow | null {
    return this.#window
  }

  get isFocused(): boolean {
    return this.#window?.isFocused() ?? false
  }

  /** Brings it to the front, made first if need be. */
  show(): void {
    if (!this.#window) return void this.#open('/')
    if (this.#window.isMinimized()) this.#window.restore()
    this.#window.show()
    this.#window.focus()
  }

  /** Shows a place, as "/box/acme/base": without loading the page again, and at once when there is no page yet. */
  go(place: string): void {
    const window = this.#window
    if (!window) return void this.#open(place)
    this.show()
    const { webContents } = window
    const lead = (): void => {
      // An address that differs in its fragment alone leaves the page as it is; the very same one would load it again.
      if (webContents.getURL() !== addressOf(place)) void webContents.loadURL(addressOf(place))
    }
    if (webContents.isLoadingMainFrame()) webContents.once('did-finish-load', lead)
    else lead()
  }

  hide(): void {
    this.#window?.hide()
  }

  /** The end of it: whatever the page thinks, and without asking anybody. */
  end(): void {
    this.#save()
    this.#window?.destroy()
  }

  #open(place: string): void {
    const { stateFile, icon } = this.#parts
    const last = readWindowState(stateFile)
    const window = new BrowserWindow({
      ...placeWindow(
        last,
        [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea)
      ),
      minWidth: smallest.width,
      minHeight: smallest.height,
      show: false,
      title: 'Boxyard',
      icon,
      backgroundColor: surface(),
      webPreferences: {
        preload: join(import.meta.dirname, '../preload/preload.cjs'),
        // Items 2, 3, 4 and 6 of Electron's security list; all of them defaults, and said here so that nobody wonders.
        nodeIntegration: false,
        contextIsolation: true,
        sandbox: true,
        webSecurity: true,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false
      }
    })
    this.#window = window
    if (last?.maximized) window.maximize()
    window.once('ready-to-show', () => window.show())
    this.#remember(window)
    offerTextMenu(window)
    window.on('close', (event) => {
      event.preventDefault()
      this.#save()
      this.#parts.onClose()
    })
    window.on('closed', () => (this.#window = null))
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') this.#parts.onCrash(reason, () => window.webContents.reload())
    })
    // The page names itself; what it is called stays ours.
    window.on('page-title-updated', (event) => event.preventDefault())
    void window.loadURL(place === '/' ? `${origin}/` : addressOf(place))
  }

  #remember(window: BrowserWindow): void {
    const later = (): void => {
      clearTimeout(this.#settling)
      this.#settling = setTimeout(() => this.#save(), settleMs)
    }
    for (const change of ['resize', 'move', 'maximize', 'unmaximize'] as const)
      window.on(change as 'resize', later)
  }

  #save(): void {
    clearTimeout(this.#settling)
    const window = this.#window
    if (!window || window.isDestroyed() || window.isMinimized()) return
    writeWindowState(this.#parts.stateFile, { ...window.getNormalBounds(), maximized: window.isMaximized() })
  }
}

const surface = (): string => (nativeTheme.shouldUseDarkColors ? background.dark : background.light)
