import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

/** A folder with an unpacked Electron, which has a display to show windows on; null where there is none. */
function electronFolder(): string | null {
  const displayed =
    process.platform !== 'linux' || process.env['DISPLAY'] !== undefined || process.env['WAYLAND_DISPLAY']
  const candidates = [process.env['ELECTRON_OVERRIDE_DIST_PATH'], join(root, 'node_modules/electron/dist')]
  const found = candidates.find((folder) => folder !== undefined && existsSync(join(folder, 'version')))
  return (displayed && found) || null
}

/** What end-to-end tests run on. */
export const runtimes = {
  electron: electronFolder(),
  chromium: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  /** The build under test: a folder of one's own by BOXYARD_OUT, else out/, made new when a source changed. */
  build: resolve(process.env['BOXYARD_OUT'] ?? join(root, 'out'))
}

/** The program inside an Electron folder. */
export const electronProgram = (folder: string): string =>
  join(
    folder,
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform as string] ??
      'electron'
  )

/** Chromium's sandbox needs an ordinary user. */
export const asRoot: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : []
