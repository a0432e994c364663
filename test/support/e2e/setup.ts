import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runtimes } from './runtimes.ts'

/** Once before all tests: there is a build of the sources as they are, and what it runs on is said. */
export default function setUp(): void {
  if (process.env['BOXYARD_OUT'] === undefined) {
    const launch = resolve(import.meta.dirname, '../../../.ci/launch.mjs')
    const { status } = spawnSync(process.execPath, [launch, 'prepare'], { stdio: 'inherit' })
    if (status !== 0) throw new Error('There is no build to test.')
  }
  const { electron, chromium, build } = runtimes
  const chromiumVersion = spawnSync(chromium, ['--version'], { encoding: 'utf8' }).stdout?.trim()
  console.log(`the build in ${build}`)
  console.log(
    electron
      ? `Electron ${readFileSync(join(electron, 'version'), 'utf8').trim()}`
      : 'no Electron: browser only'
  )
  console.log(`${chromiumVersion || `no Chromium at ${chromium}`}, Node ${process.versions.node}`)
}
