import { expect, type ElectronApplication, type Locator, type Page } from '@playwright/test'
import type { Answer, DeskMethod, Payload, Reply } from '../../../src-main/contract/desk.ts'
import { boxyard } from '../product.ts'
import { writeBoxFile, type BoxFileOptions } from './box-file.ts'
import { environment, type Folders } from './folders.ts'

export type FaceName = 'electron' | 'browser'

/** The product as it runs on one face. */
export interface Running {
  readonly page: Page
  /** Null in a browser. */
  readonly electron: ElectronApplication | null
  /** Ends it as a person would, and waits until it has ended. */
  quit(): Promise<void>
}

/** Starts the product on the folders of a test, on a port or a free one; a desktop with more arguments. */
export type StartFace = (
  folders: Folders,
  port: number,
  log: string[],
  args: readonly string[]
) => Promise<Running>

/** The product that a test has for itself. */
export class TestApp {
  readonly face: FaceName
  readonly folders: Folders
  /** Lines of the program and its page, shown when the test fails. */
  readonly log: string[] = []
  /** What the page threw, or was forbidden by its content security policy; a test with any of it fails. */
  readonly pageErrors: string[] = []
  readonly #start: StartFace
  #running: Running | null = null
  #port = 0
  #url = ''

  constructor(face: FaceName, folders: Folders, start: StartFace) {
    this.face = face
    this.folders = folders
    this.#start = start
  }

  /** The window's page; another one after `restart()`. */
  get page(): Page {
    return this.#now.page
  }

  /** The Electron program; only for specs with `onlyOn('electron')`. */
  get electron(): ElectronApplication {
    if (!this.#now.electron) throw new Error('This face has no Electron.')
    return this.#now.electron
  }

  /** Where the registry's HTTP API is. The port stays the same over restarts. */
  get registryUrl(): string {
    return this.#url
  }

  get dataDir(): string {
    return this.folders.data
  }

  /** With more arguments for the desktop's command line: files, links, options. */
  async start(args: readonly string[] = []): Promise<void> {
    const running = await this.#start(this.folders, this.#port, this.log, args)
    this.#running = running
    this.#watch(running.page)
    await expect(running.page.locator('main')).toBeVisible()
    const { server } = await this.ask('status', {})
    this.#url = server.url
    this.#port = Number(new URL(server.url).port)
  }

  /** Ends the product as a person would; `start()` has it back, on the same folders and port. */
  async quit(): Promise<void> {
    const running = this.#running
    this.#running = null
    await running?.quit()
  }

  async restart(args: readonly string[] = []): Promise<void> {
    await this.quit()
    await this.start(args)
  }

  /** Asks the product as the interface does, past the interface; for arranging and for looking after. */
  async ask<M extends DeskMethod>(method: M, payload: Payload<M>): Promise<Answer<M>> {
    const reply = (await this.page.evaluate(
      async ({ method, payload }) => {
        const bridge = (window as { boxyard?: { invoke(m: string, p: unknown): Promise<unknown> } }).boxyard
        if (bridge) return bridge.invoke(method, payload)
        const response = await fetch(`/desk/call/${method}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-boxyard-key': localStorage.getItem('session-key') ?? ''
          },
          body: JSON.stringify(payload)
        })
        return response.json()
      },
      { method, payload: payload as unknown }
    )) as Reply<M>
    if (!reply.ok) throw new Error(`${method} was refused: ${reply.refusal.sentences.join(' ')}`)
    return reply.value
  }

  /** One command of the built product on this test's data folder, beside the running one; what it printed. */
  cli(args: readonly string[], input = ''): Promise<string> {
    return boxyard(args, { input, env: environment(this.folders) })
  }

  /** A real box file in this test's files folder. */
  boxFile(options: BoxFileOptions = {}): string {
    return writeBoxFile(this.folders.files, options)
  }

  /**
   * Drags files or folders in from outside and lets go of them, as the system would tell the page: with real paths on
   * the desktop, with their content in a browser. `hold` stays over the window until the returned function lets go.
   */
  async drop(paths: readonly string[], { over }: { over?: Locator } = {}): Promise<void> {
    const drag = await this.dragOver(paths, { over })
    await drag.letGo()
  }

  /** The first half of `drop`: over the window, and not let go of yet. */
  async dragOver(
    paths: readonly string[],
    { over }: { over?: Locator | undefined } = {}
  ): Promise<{ letGo(): Promise<void>; leave(): Promise<void> }> {
    const { page } = this
    const box = await (over ?? page.locator('body')).boundingBox()
    if (!box) throw new Error('There is nothing to drop on.')
    const session = await page.context().newCDPSession(page)
    const send = (type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel'): Promise<unknown> =>
      session.send('Input.dispatchDragEvent', {
        type,
        x: box.x + box.width / 2,
        y: box.y + box.height / 2,
        data: { items: [], files: [...paths], dragOperationsMask: 1 }
      })
    await send('dragEnter')
    await send('dragOver')
    const end = async (type: 'drop' | 'dragCancel'): Promise<void> => {
      await send(type)
      await session.detach()
    }
    return { letGo: () => end('drop'), leave: () => end('dragCancel') }
  }

  /** Does what opens a dialog for files ("Add box files…"), and chooses these in it. */
  async choose(paths: readonly string[], open: () => Promise<void>): Promise<void> {
    if (this.face === 'electron') {
      await this.electron.evaluate(
        ({ dialog }, filePaths) => {
          dialog.showOpenDialog = async () => ({ canceled: filePaths.length === 0, filePaths })
        },
        [...paths]
      )
      await open()
      return
    }
    const chooser = this.page.waitForEvent('filechooser')
    await open()
    await (await chooser).setFiles([...paths])
  }

  get #now(): Running {
    if (!this.#running) throw new Error('The product does not run.')
    return this.#running
  }

  #watch(page: Page): void {
    page.on('console', (message) => {
      const line = `page ${message.type()}: ${message.text()}`
      this.log.push(line)
      if (message.text().includes('Content Security Policy')) this.pageErrors.push(line)
    })
    page.on('pageerror', (error) => this.pageErrors.push(error.stack ?? error.message))
    page.on('crash', () => this.log.push('page: crashed'))
  }
}
