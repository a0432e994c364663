import { clipboard, Menu, nativeImage, Tray } from 'electron'
import { iconFile } from './icons.ts'

interface Acts {
  show(): void
  quit(): void
  /** For clients on this machine; null while the registry does not run. */
  serverUrl(): string | null
}

/** The sign in the system's tray, while it is wanted. */
export class TrayIcon {
  readonly #acts: Acts
  #tray: Tray | null = null

  constructor(acts: Acts) {
    this.#acts = acts
  }

  get isThere(): boolean {
    return this.#tray !== null
  }

  /** Puts it there, renews what it says, or takes it away. */
  update(wanted: boolean): void {
    if (!wanted) {
      this.#tray?.destroy()
      this.#tray = null
      return
    }
    this.#tray ??= this.#make()
    const url = this.#acts.serverUrl()
    this.#tray.setToolTip(url === null ? 'Boxyard (the registry does not run)' : `Boxyard serves ${url}`)
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Boxyard', click: () => this.#acts.show() },
        { type: 'separator' },
        { label: url === null ? 'The registry does not run' : `Serves ${url}`, enabled: false },
        {
          label: 'Copy VAGRANT_SERVER_URL',
          enabled: url !== null,
          click: () => clipboard.writeText(url ?? '')
        },
        { type: 'separator' },
        { label: 'Quit', click: () => this.#acts.quit() }
      ])
    )
  }

  #make(): Tray {
    const image = nativeImage.createFromPath(iconFile('tray.png'))
    const tray = new Tray(image)
    tray.on('click', () => this.#acts.show())
    return tray
  }
}
