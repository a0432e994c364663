import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron'
import type * as DesktopApp from './desktop-app.ts'
import { defaultDataDir } from './data-folder.ts'
import type { HandOver } from './shell/hand-over.ts'
import { readLaunch } from './shell/launch-arguments.ts'
import { linkScheme } from './shell/origin.ts'
import { declareScheme } from './shell/scheme.ts'
import { isFirst } from './shell/single-instance.ts'

/*
 * What has to happen before Electron is ready, and for a start that only hands over what it was asked for. Everything
 * else is loaded after that.
 */

/** What comes after the program's name, and after this very file where that had to be named. */
function ownArguments(): string[] {
  const [, ...args] = process.argv
  return args.slice(args.findLastIndex((arg) => resolve(arg) === import.meta.filename) + 1)
}

/** The rest of the desktop, in the build's other folder. */
async function loadDesktop(): Promise<typeof DesktopApp> {
  const file = join(import.meta.dirname, '../main/desktop-app.js')
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as typeof DesktopApp
}

/** Window, cookies and lock of a folder that is not the usual one are kept apart, so that both can be open. */
function keepApart(dataDir: string): void {
  if (app.commandLine.hasSwitch('user-data-dir')) return
  const digest = createHash('sha256').update(dataDir).digest('hex')
  const name = dataDir === resolve(defaultDataDir()) ? 'Boxyard' : `Boxyard-${digest.slice(0, 12)}`
  app.setPath('userData', join(app.getPath('appData'), name))
}

app.setName('Boxyard')
// Item 4 of Electron's security list: every page is sandboxed, whatever it was made with. Root cannot have a sandbox, and
// has to say that it goes without.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
declareScheme()

const launch = readLaunch(ownArguments(), process.cwd())
const dataDir = resolve(launch.data ?? defaultDataDir())
keepApart(dataDir)

/** What is asked for while the rest is being loaded waits for it. */
const early: HandOver[] = launch.files.length + launch.links.length > 0 ? [launch] : []
let receive = (asked: HandOver): void => void early.push(asked)

if (launch.problems.length > 0) {
  process.stderr.write(launch.problems.map((problem) => `boxyard: ${problem}\n`).join(''))
  app.exit(2)
} else if (!isFirst(launch, (asked) => receive(asked))) app.exit(0)
else {
  // macOS tells of files and links this way, also before it is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    receive({ files: [path], links: [] })
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    receive({ files: [], links: [url] })
  })
  // What comes after "--" is no switch to Chromium, whatever a link looks like.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme, process.execPath, ['--'])
  void Promise.all([loadDesktop(), app.whenReady()]).then(([{ createDesktop }]) => {
    const desktop = createDesktop({ launch, dataDir })
    receive = (asked) => desktop.take(asked)
    early.forEach(receive)
    return desktop.run(launch)
  })
}
