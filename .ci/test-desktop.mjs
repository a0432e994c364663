/** `npm run test:e2e`: the built product in the real Electron and in a browser, with whatever of that can be had. */
import { prepare } from './prepare.mjs'
import { chromium, installedElectron, providedElectron, virtualDisplay } from './desktop-runtime.mjs'
import { inRoot, root } from './paths.mjs'
import { childEnvironment, runToEnd, suitableNode } from './runtime.mjs'

/** Arguments are Playwright's. */
export async function testDesktop(args) {
  if (process.env.BOXYARD_OUT === undefined) await prepare()
  const browser = chromium()
  if (!browser) {
    skipped('all end-to-end tests', 'there is no Chromium: sudo apt-get install chromium, or CHROMIUM_PATH=…')
    process.stdout.write('0 passed, 0 failed\n')
    return
  }
  const display = virtualDisplay()
  const electron = display && (installedElectron() ?? providedElectron())
  if (!electron)
    skipped('end-to-end tests of the desktop', `there is no ${display ? 'Electron' : 'display (xvfb)'} here`)
  const env = { ...process.env, CHROMIUM_PATH: browser }
  if (electron) env.ELECTRON_OVERRIDE_DIST_PATH = electron
  const playwright = [
    suitableNode(),
    inRoot('node_modules', '@playwright', 'test', 'cli.js'),
    'test',
    ...args
  ]
  const [command, ...rest] = electron ? [...display, ...playwright] : playwright
  process.exitCode = await runToEnd(command, rest, {
    cwd: root,
    env: childEnvironment(withoutDisplay(env)),
    stdio: 'inherit'
  })
}

const skipped = (what, why) => process.stdout.write(`SKIPPED ${what}: ${why}\n`)

/** The windows of tests belong on the display of the tests, never among those of the person at this machine. */
function withoutDisplay(env) {
  const rest = { ...env }
  if (process.platform === 'linux') for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete rest[name]
  return rest
}
