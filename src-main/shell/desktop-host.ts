import { dialog, nativeImage, shell, type BrowserWindow, type OpenDialogOptions } from 'electron'
import type { Host } from '../desk/host.ts'
import { openExternal } from './external-links.ts'
import { iconFile } from './icons.ts'

interface Parts {
  readonly window: () => BrowserWindow | null
  readonly quit: () => void
}

const boxFiles = { name: 'Box files', extensions: ['box'] }
const backups = { name: 'Boxyard backups', extensions: ['tar'] }
const anyFile = { name: 'All files', extensions: ['*'] }

const choices: Readonly<Record<Parameters<Host['chooseFiles']>[0] | 'data', OpenDialogOptions>> = {
  boxes: {
    title: 'Add box files',
    buttonLabel: 'Add',
    properties: ['openFile', 'multiSelections'],
    filters: [boxFiles, anyFile]
  },
  folder: {
    title: 'Add the box files in a folder',
    buttonLabel: 'Add',
    properties: ['openDirectory', 'multiSelections']
  },
  data: {
    title: 'Choose a data folder',
    buttonLabel: 'Use this folder',
    properties: ['openDirectory', 'createDirectory']
  },
  backup: { title: 'Choose a backup', properties: ['openFile'], filters: [backups, anyFile] }
}

/** Can choose a data folder too, before there is an interface. */
export interface DesktopHost extends Host {
  chooseFiles(what: keyof typeof choices): Promise<readonly string[]>
}

/** What the interface can have done by the system it runs in. */
export function desktopHost({ window, quit }: Parts): DesktopHost {
  return {
    face: 'desktop',
    capabilities: { paths: true, fileManager: true, tray: true, loginItem: true },
    async chooseFiles(what) {
      const { canceled, filePaths } = await overWindow(window(), choices[what])
      return canceled ? [] : filePaths
    },
    async chooseSaveFile(suggested) {
      const options = { title: 'Save as', defaultPath: suggested }
      const parent = window()
      const { canceled, filePath } = await (parent
        ? dialog.showSaveDialog(parent, options)
        : dialog.showSaveDialog(options))
      return canceled || filePath === '' ? null : filePath
    },
    revealFile: (path) => shell.showItemInFolder(path),
    dragOut(file) {
      window()?.webContents.startDrag({ file, icon: nativeImage.createFromPath(iconFile('box.png')) })
    },
    openExternal,
    quit
  }
}

const overWindow = (parent: BrowserWindow | null, options: OpenDialogOptions) =>
  parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options)
