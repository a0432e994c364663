import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron'

/** Cut, copy and paste where there is something to cut, copy or paste: Electron brings no such menu. */
export function offerTextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, { isEditable, selectionText, editFlags }) => {
    const items: MenuItemConstructorOptions[] = isEditable
      ? [
          { role: 'undo', enabled: editFlags.canUndo },
          { role: 'redo', enabled: editFlags.canRedo },
          { type: 'separator' },
          { role: 'cut', enabled: editFlags.canCut },
          { role: 'copy', enabled: editFlags.canCopy },
          { role: 'paste', enabled: editFlags.canPaste },
          { type: 'separator' },
          { role: 'selectAll', enabled: editFlags.canSelectAll }
        ]
      : selectionText.trim() === ''
        ? []
        : [{ role: 'copy' }]
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window })
  })
}
