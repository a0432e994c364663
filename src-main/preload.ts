import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { createBridge } from './shell/bridge.ts'

contextBridge.exposeInMainWorld(
  'boxyard',
  createBridge({
    invoke: (channel, ...args) => ipcRenderer.invoke(channel, ...args),
    on: (channel, listener) => void ipcRenderer.on(channel, listener),
    off: (channel, listener) => void ipcRenderer.off(channel, listener),
    getPathForFile: (file) => webUtils.getPathForFile(file)
  })
)
