import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import type { DeskEvent } from '../contract/desk.ts'
import type { Desk } from '../desk/desk.ts'
import { callChannel, eventChannel } from './channels.ts'
import { origin } from './origin.ts'
import { isTrusted, type Sender } from './sender.ts'

/**
 * Carries the desk over Electron's messages. `window` says which contents are ours now. Returns what ends it.
 * Checks senders, as Electron's security list asks in its item 17.
 */
export function carryDesk(desk: Desk, window: () => WebContents | null): () => void {
  ipcMain.handle(callChannel, (event, method: unknown, payload: unknown) => {
    if (!isTrusted(senderOf(event, window()))) throw new Error('This sender is not allowed to call.')
    return desk.call(method, payload)
  })
  const unsubscribe = desk.hub.subscribe((event: DeskEvent) => {
    const contents = window()
    // What is sent before the page has begun to listen it will read anyway.
    if (contents && !contents.isDestroyed() && contents.mainFrame.origin === origin)
      contents.send(eventChannel, event)
  })
  return () => {
    unsubscribe()
    ipcMain.removeHandler(callChannel)
  }
}

function senderOf({ sender, senderFrame }: IpcMainInvokeEvent, ours: WebContents | null): Sender {
  return {
    isOurWindow: sender === ours,
    // A frame that has gone meanwhile is null, and a frame inside the page is another than the main one.
    isTopFrame: senderFrame !== null && senderFrame === sender.mainFrame,
    origin: senderFrame?.origin ?? null
  }
}
