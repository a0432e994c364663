import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { _electron, type ElectronApplication } from '@playwright/test'
import { environment, type Folders } from './folders.ts'
import { asRoot, electronProgram, runtimes } from './runtimes.ts'
import type { StartFace } from './test-app.ts'

/** Required as well as named: Electron may be ready before it has imported what it was given. */
const entry = join(runtimes.build, 'preload/desktop.cjs')

/** What starts the built desktop on the folders of a test, without its program. */
export const desktopArguments = ({ user, data }: Folders, port: number): string[] => [
  ...asRoot,
  '--force-prefers-reduced-motion',
  '--force-color-profile=srgb',
  `--user-data-dir=${user}`,
  '-r',
  entry,
  entry,
  '--data',
  data,
  '--port',
  String(port)
]

/** The built desktop in the real Electron. */
export const startInElectron: StartFace = async (folders, port, log, args) => {
  if (runtimes.electron === null) throw new Error('There is no Electron here.')
  const electron = await _electron.launch({
    executablePath: electronProgram(runtimes.electron),
    args: [...desktopArguments(folders, port), ...args],
    env: environment(folders),
    // Playwright's own choice would hide the one of the program.
    colorScheme: null
  })
  const child = electron.process()
  for (const stream of [child.stdout, child.stderr])
    if (stream)
      createInterface(stream).on('line', (line) => {
        if (!isNoise(line)) log.push(`main: ${line}`)
      })
  return { page: await electron.firstWindow(), electron, quit: () => quit(electron, child) }
}

/** What Chromium says on a machine without a message bus and a graphics card, and the inspector of itself. */
const isNoise = (line: string): boolean =>
  line === '' ||
  /ERROR:(bus|object_proxy|viz_main_impl|command_buffer_proxy_impl)\.|ebugger|nodejs\.org/.test(line)

/** Quits, answering the question whether running transfers may be interrupted. */
async function quit(electron: ElectronApplication, child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await electron
    .evaluate(({ dialog, app }) => {
      dialog.showMessageBox = async (...args: unknown[]) => {
        const { buttons = [] } = args.at(-1) as Electron.MessageBoxOptions
        const index = buttons.findIndex((label) => label.startsWith('Quit'))
        return { response: Math.max(index, 0), checkboxChecked: false }
      }
      app.quit()
    })
    .catch(() => {}) // it may be gone before it answers
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await ended
  clearTimeout(timer)
}
