/** `npm start`: the desktop window where there can be one, else the interface in a browser, else the server alone. */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installedElectron } from './desktop-runtime.mjs'
import { inRoot } from './paths.mjs'
import { prepare } from './prepare.mjs'
import { fromWhereNpmWasCalled, runProduct, runToEnd, suitableNode } from './runtime.mjs'

/** Options of `boxyard serve` that a window has no use for: whoever gives one wants the server. */
const serverOptions = [
  '--json',
  '--ui',
  '--open',
  '--allow-host',
  '--rate-limit',
  '--upload-wait',
  '--help',
  '-h'
]

const say = (line) => process.stderr.write(`boxyard: ${line}\n`)

export async function start(args) {
  await prepare()
  if (args.some((arg) => serverOptions.includes(arg.split('=', 1)[0])))
    return runProduct(['serve', ...withInterface(args)])
  if (!hasDisplay()) {
    say('there is no display here, so the interface is served to a browser on this machine.')
    return runProduct(['serve', '--ui', ...args])
  }
  const electron = installedElectron() ?? (await fetchElectron())
  if (!electron) {
    say('Electron is not here, so the interface opens in a browser instead.')
    return runProduct(['serve', '--ui', '--open', ...args])
  }
  await openWindow(electron, args)
}

/** Scripts that read the line of JSON find the interface in it too. */
const withInterface = (args) => (args.includes('--json') && !args.includes('--ui') ? ['--ui', ...args] : args)

const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

async function openWindow(electron, args) {
  fromWhereNpmWasCalled()
  const entry = inRoot('out', 'preload', 'desktop.cjs')
  const asRoot = process.getuid?.() === 0
  if (asRoot) say('running as root, where Chromium has no sandbox: this run goes without one.')
  // Required as well as named: Electron may be ready before it has imported what it was given.
  const all = [...(asRoot ? ['--no-sandbox'] : []), '-r', entry, entry, ...args]
  process.exitCode = await runToEnd(programIn(electron), all, { stdio: 'inherit' })
}

function programIn(electron) {
  if (process.platform === 'darwin') return join(electron, 'Electron.app', 'Contents', 'MacOS', 'Electron')
  return join(electron, process.platform === 'win32' ? 'electron.exe' : 'electron')
}

const patience = 60_000
const day = 24 * 60 * 60_000

/** Electron's own package fetches it; where that failed it is not tried again on the same day. */
async function fetchElectron() {
  const installer = inRoot('node_modules', 'electron', 'install.js')
  const failed = inRoot('node_modules', '.cache', 'electron-not-fetched')
  const triedLately = existsSync(failed) && Date.now() - statSync(failed).mtimeMs < day
  if (!existsSync(installer) || triedLately) return null
  say('fetching Electron (about 100 MB, once) …')
  const code = await runToEnd(suitableNode(), [installer], { stdio: 'ignore', timeout: patience })
  const electron = code === 0 ? installedElectron() : null
  if (electron) return electron
  mkdirSync(inRoot('node_modules', '.cache'), { recursive: true })
  writeFileSync(failed, '')
  say('Electron could not be fetched. "npx install-electron" tries again, with all the time it needs.')
  return null
}
