import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where something is to be opened. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly isRoot: boolean
}

const thisMachine = (): Machine => ({
  platform: process.platform,
  env: process.env,
  isRoot: process.getuid?.() === 0
})

interface Launch {
  readonly command: string
  readonly args: readonly string[]
  /** What has to be known before. */
  readonly warning?: string
}

/**
 * Opens an address in a window of its own, which Chromium and its kin can do, or else in the system's browser. Resolves
 * with whether something took it; `warn` is told what a person has to know.
 */
export async function openInterface(
  address: string,
  warn: (sentence: string) => void,
  machine: Machine = thisMachine()
): Promise<boolean> {
  for (const { command, args, warning } of launches(address, machine)) {
    if (warning) warn(warning)
    if (await start(command, args, machine.env)) return true
  }
  return false
}

/** What can be tried, the best first. */
export function launches(address: string, machine: Machine): Launch[] {
  const { platform, env, isRoot } = machine
  if (platform !== 'win32' && platform !== 'darwin' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return []
  const windows = browsersOf(machine)
    .filter(isProgram)
    .map((command) => ({
      command,
      args: [`--app=${address}`, ...(isRoot ? ['--no-sandbox'] : [])],
      ...(isRoot && {
        warning: `${command} is started without its sandbox, because it has none for root. Better serve as another user.`
      })
    }))
  return [...windows, systemsOwn(address, platform)]
}

function systemsOwn(address: string, platform: NodeJS.Platform): Launch {
  if (platform === 'darwin') return { command: 'open', args: [address] }
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'start', '""', address] }
  return { command: 'xdg-open', args: [address] }
}

function browsersOf({ platform, env }: Machine): string[] {
  if (platform === 'win32') {
    const folders = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) => env[name] ?? [])
    return windowsBrowsers.flatMap((browser) => folders.map((folder) => join(folder, browser)))
  }
  if (platform === 'darwin')
    return macBrowsers.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return linuxBrowsers.flatMap((name) => folders.map((folder) => join(folder, name)))
}

const linuxBrowsers = [
  ...['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
  ...['microsoft-edge-stable', 'microsoft-edge', 'brave-browser', 'brave']
]
const macBrowsers = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser']
const windowsBrowsers = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
  'BraveSoftware\\Brave-Browser\\Application\\brave.exe'
]

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A browser that hands its address to one that runs ends at once and well; one that fails does so soon. */
const soonMs = 3_000

function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, detached: true, stdio: 'ignore' })
    const timer = setTimeout(() => resolve(true), soonMs).unref()
    child.once('error', () => {
      clearTimeout(timer)
      resolve(false)
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
    child.unref()
  })
}
