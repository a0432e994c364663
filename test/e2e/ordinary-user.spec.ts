import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment, makeFolders } from '../support/e2e/folders.ts'
import { startDetached } from '../support/e2e/over-cdp.ts'
import { electronProgram, runtimes } from '../support/e2e/runtimes.ts'
import { expect, onlyOn, test } from './fixtures.ts'

/* Tests that run as root go without Chromium's sandbox. Once, therefore, as somebody else, with everything on. */

onlyOn('electron')

const user = 'boxyard-test'
const isRoot = process.getuid?.() === 0
const succeeds = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0
const canBeSomebodyElse =
  isRoot &&
  (succeeds('id', user) || succeeds('useradd', '--system', '--no-create-home', user)) &&
  succeeds('runuser', '-u', user, 'true')

test.skip(
  process.platform !== 'linux' || (isRoot && !canBeSomebodyElse),
  'SKIPPED the desktop with its sandbox on: there is no ordinary user to run it as'
)

/** The status of a process as the kernel tells it: { Seccomp: '2', Uid: '999 …' } */
const statusOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .map((line) => line.split(/:\s+/, 2))
      .filter((pair): pair is [string, string] => pair.length === 2)
  )

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((other) => {
      try {
        return other > 0 && Number(statusOf(other)['PPid']) === pid
      } catch {
        return false // it has ended meanwhile
      }
    })
    .flatMap((child) => [child, ...childrenOf(child)])

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\u0000', ' ')
  } catch {
    return ''
  }
}

test('item 4: for an ordinary user, the page runs in the system’s sandbox', async () => {
  const folders = makeFolders()
  const place = mkdtempSync(join(tmpdir(), 'boxyard-electron-'))
  try {
    const electron = isRoot ? copyForOthers(runtimes.electron ?? '', place) : (runtimes.electron ?? '')
    const display = join(folders.root, 'display')
    const mayShow = process.env['XAUTHORITY']
    if (mayShow !== undefined) cpSync(mayShow, display)
    if (isRoot) giveTo(user, folders.root)
    const entry = join(runtimes.build, 'preload/desktop.cjs')
    const args = [
      `--user-data-dir=${folders.user}`,
      '-r',
      entry,
      entry,
      '--data',
      folders.data,
      '--port',
      '0'
    ]
    const env = {
      ...environment(folders),
      HOME: folders.root,
      XDG_RUNTIME_DIR: folders.root,
      XAUTHORITY: display
    }
    const program = electronProgram(electron)
    const [command, before] = isRoot ? ['runuser', ['-u', user, '--', program]] : [program, []]
    const desktop = await startDetached(command, args, env, before)
    try {
      await expect(desktop.page.locator('main')).toBeVisible()
      const pid = desktop.process.pid ?? 0
      const renderers = childrenOf(pid).filter((child) => commandOf(child).includes('--type=renderer'))
      expect(renderers.length).toBeGreaterThan(0)
      for (const renderer of renderers) {
        expect(commandOf(renderer)).not.toContain('--no-sandbox')
        expect(statusOf(renderer)).toMatchObject({ Seccomp: '2', NoNewPrivs: '1' })
        expect(statusOf(renderer)['Uid']).not.toMatch(/^0\b/)
      }
    } finally {
      await desktop.stop()
    }
  } finally {
    folders.remove()
    rmSync(place, { recursive: true, force: true })
  }
})

/** Where everybody may run it, with the helper that sets up the sandbox as it has to be. */
function copyForOthers(electron: string, place: string): string {
  const copy = join(place, 'electron')
  cpSync(electron, copy, { recursive: true })
  chmodSync(place, 0o755)
  const helper = join(copy, 'chrome-sandbox')
  if (existsSync(helper)) {
    chownSync(helper, 0, 0)
    chmodSync(helper, 0o4755)
  }
  return copy
}

function giveTo(name: string, folder: string): void {
  if (!succeeds('chown', '-R', name, folder)) throw new Error(`${folder} could not be given to ${name}.`)
}
