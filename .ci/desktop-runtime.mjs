/** What the desktop and its tests run on: Electron, a browser, a display. Each is looked for, and provided where that is allowed. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { inRoot, root } from './paths.mjs'

const isElectron = (folder) => folder !== undefined && existsSync(`${folder}/version`)

/** The folder of an unpacked Electron that is there already; null without one. */
export function installedElectron() {
  const candidates = [process.env.ELECTRON_OVERRIDE_DIST_PATH, inRoot('node_modules', 'electron', 'dist')]
  return candidates.find(isElectron) ?? null
}

/** For tests alone: beside the checkout there may be a script that provides one where the official download is out of reach. */
export function providedElectron() {
  const script = inRoot('..', 'shared', 'electron', 'provide.sh')
  if (!existsSync(script)) return null
  const { status, stdout } = spawnSync('bash', [script, root], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const folder = /^export ELECTRON_OVERRIDE_DIST_PATH=(.+)$/m.exec(stdout ?? '')?.[1]
  return status === 0 && isElectron(folder) ? folder : null
}

/** Chromium for the tests of the interface in a browser; null where there is none. */
export function chromium() {
  const there = () =>
    [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
      (path) => path !== undefined && existsSync(path)
    )
  if (!there()) install('chromium')
  return there() ?? null
}

/** The command that gives a program a display of its own, in front of its arguments; null where none can be had. */
export function virtualDisplay() {
  if (process.platform !== 'linux') return []
  if (spawnSync('which', ['xvfb-run']).status !== 0) install('xvfb', 'xauth')
  return spawnSync('which', ['xvfb-run']).status === 0
    ? ['xvfb-run', '-a', '-s', '-screen 0 1600x1200x24 -nolisten tcp']
    : null
}

/** As root on Debian and its kin; elsewhere it stays missing. */
function install(...packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  process.stdout.write(`installing ${packages.join(', ')} …\n`)
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    }).status === 0
  const wanted = ['install', '-y', '--no-install-recommends', ...packages]
  // Only a machine that never asked for its package lists needs the update.
  if (!apt(...wanted) && apt('update')) apt(...wanted)
}
