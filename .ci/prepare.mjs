/** Brings a clone to the point where it runs: dependencies installed, sources built. Costs milliseconds when it is there. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { inRoot, root } from './paths.mjs'
import { npm, runToEnd, suitableNode } from './runtime.mjs'

const lockfile = inRoot('package-lock.json')
const installed = inRoot('node_modules', '.package-lock.json')
const stamp = inRoot('out', '.sources')
const sources = [
  'src-main',
  'src-renderer',
  'electron.vite.config.ts',
  'svelte.config.js',
  'tsconfig.json',
  'package.json'
]

/** Progress belongs on standard error: results alone are on standard output. */
const quiet = { stdio: ['ignore', 2, 2] }
const say = (line) => process.stderr.write(`boxyard: ${line}\n`)

/** `rebuild` builds even when nothing changed. */
export async function prepare({ rebuild = false } = {}) {
  if (!existsSync(inRoot('src-main'))) return // an installed package carries its build and no sources
  if (isInstalled() && isBuilt() && !rebuild) return
  await withLock(
    inRoot('.preparing'),
    () => say('another one is installing or building here; waiting for it.'),
    async () => {
      if (!isInstalled()) await install()
      if (rebuild || !isBuilt()) await build()
    }
  )
}

/**
 * npm writes its own copy of the lock file last, so a copy means a complete install. A newer lock file alone proves no
 * change (a checkout touches it), so then the packages themselves are compared.
 */
function isInstalled() {
  if (!existsSync(installed)) return false
  if (statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs) return true
  const has = JSON.parse(readFileSync(installed, 'utf8')).packages
  const wanted = Object.entries(JSON.parse(readFileSync(lockfile, 'utf8')).packages)
  const same = wanted.every(
    ([path, { version, optional }]) => path === '' || (has[path] ? has[path].version === version : optional)
  )
  if (same) utimesSync(installed, new Date(), new Date())
  return same
}

async function install() {
  say('installing the dependencies (once) …')
  const options = [
    '--include=dev',
    '--include=optional',
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error'
  ]
  if ((await npm(['ci', ...options], quiet)) !== 0)
    throw new Error('The dependencies could not be installed; npm says why above.')
}

const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesNow()

/** Changes whenever a source is added, removed or written: names, times and sizes, no contents. */
function sourcesNow() {
  const hash = createHash('sha256')
  for (const path of sources.flatMap(filesBelow)) {
    const { mtimeMs, size } = statSync(inRoot(path))
    hash.update(`${path}\n${mtimeMs}\n${size}\n`)
  }
  return hash.digest('hex')
}

function filesBelow(path) {
  if (!statSync(inRoot(path)).isDirectory()) return [path]
  const entries = readdirSync(inRoot(path), { withFileTypes: true })
  return entries.flatMap((entry) => {
    const below = join(path, entry.name)
    return entry.isDirectory() ? filesBelow(below) : [below]
  })
}

/** Built aside and moved into place whole, so that nobody ever runs half a build; the stamp is what the build started from. */
async function build() {
  say('building …')
  const started = sourcesNow()
  const next = inRoot('out.next')
  const last = inRoot('out.last')
  const clear = () => [next, last].forEach((folder) => rmSync(folder, { recursive: true, force: true }))
  clear()
  try {
    const tool = inRoot('node_modules', 'electron-vite', 'bin', 'electron-vite.js')
    const args = [tool, 'build', '--outDir', next, '--logLevel', 'error']
    if ((await runToEnd(suitableNode(), args, { cwd: root, ...quiet })) !== 0)
      throw new Error('The build failed; its reason is above.')
    writeFileSync(join(next, '.sources'), started)
    if (existsSync(inRoot('out'))) renameSync(inRoot('out'), last)
    renameSync(next, inRoot('out'))
  } finally {
    clear()
  }
}
