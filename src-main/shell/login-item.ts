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

/** What starts this program again: an AppImage is not where its program seems to run, and without a package it has a file. */
function ownCommand(): string[] {
  const image = process.env['APPIMAGE']
  if (image !== undefined) return [image]
  const entry = app.isPackaged ? undefined : process.argv.slice(1).findLast((arg) => arg.endsWith('.cjs'))
  return [process.execPath, ...(entry === undefined ? [] : ['-r', entry, entry])]
}
