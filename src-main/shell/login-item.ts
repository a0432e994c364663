import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { autostartEntry } from './autostart.ts'

/** Has the system start the program when the person signs in, or no longer. */
export function startAtLogin(wanted: boolean): void {
  if (process.platform === 'linux') return linuxEntry(wanted)
  app.setLoginItemSettings({ openAtLogin: wanted, args: ['--hidden'] })
}

function linuxEntry(wanted: boolean): void {
  const file = join(app.getPath('appData'), 'autostart', 'boxyard.desktop')
  if (!wanted) return rmSync(file, { force: true })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, autostartEntry(ownCommand()))
}

/** What starts this program again: an AppImage is not where its program seems to run. */
function ownCommand(): string[] {
  const image = process.env['APPIMAGE']
  if (image !== undefined) return [image]
  const script = process.defaultApp ? process.argv.slice(1).find((arg) => /\.js$/.test(arg)) : undefined
  return [process.execPath, ...(script === undefined ? [] : [script])]
}
