import { app, type Session, type WebContents } from 'electron'
import type { Log } from '../log.ts'
import { isOurs } from './origin.ts'
import { guardPermissions } from './permissions.ts'

/**
 * Rules for every page of the program, however it came to be. The numbers are those of Electron's security list; the
 * table in SECURITY.md says which test proves each.
 */
export function hardenContents({ open, log }: { open: (url: string) => Promise<void>; log: Log }): void {
  const openOutside = (url: string): void =>
    void open(url).catch((error: unknown) => log.warn(`an address was not opened: ${String(error)}`))

  app.on('web-contents-created', (_event, contents: WebContents) => {
    // 13: the window shows the interface and nothing else. A link to the web opens in the person's browser.
    const stay = (event: { preventDefault(): void; readonly url: string }): void => {
      if (isOurs(event.url)) return
      event.preventDefault()
      openOutside(event.url)
    }
    contents.on('will-navigate', stay)
    contents.on('will-redirect', (event) => isOurs(event.url) || event.preventDefault())
    contents.on('will-frame-navigate', (event) => {
      if (!event.isMainFrame) event.preventDefault()
    })
    // 14: no page makes windows.
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url)
      return { action: 'deny' }
    })
    // 11, 12: there are no <webview>s.
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}

/** 1, 5: what the window's session may load and do. The interface has everything it needs in its own bundle. */
export function hardenSession(session: Session): void {
  guardPermissions(session)
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url) }))
  session.on('will-download', (event) => event.preventDefault())
  // Its dictionaries would be fetched from the network.
  session.setSpellCheckerEnabled(false)
}

/** The interface's own files, pictures it has made, and the developer tools of Electron. */
const mayLoad = (url: string): boolean => isOurs(url) || /^(data|blob|devtools|chrome-extension):/.test(url)
