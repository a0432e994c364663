import type { DeskEvent, DeskMethod, Reply, Transport } from '../contract/desk.ts'
import { callChannel, eventChannel } from './channels.ts'

/** What the preload has of Electron. */
export interface Wires {
  invoke(channel: string, ...args: unknown[]): Promise<unknown>
  on(channel: string, listener: (event: unknown, ...args: unknown[]) => void): void
  off(channel: string, listener: (event: unknown, ...args: unknown[]) => void): void
  getPathForFile(file: File): string
}

/**
 * The one object the window gets: three functions with fixed channels. Nothing of Electron passes through it, neither
 * its modules nor its event objects.
 */
export function createBridge(wires: Wires): Transport {
  return {
    async invoke(method: DeskMethod, payload: unknown) {
      try {
        return (await wires.invoke(callChannel, method, payload)) as Reply
      } catch {
        return undelivered
      }
    },
    // Messages within a program are never lost, so that `onLost` has nothing to be told.
    subscribe(listener) {
      const pass = (_event: unknown, message: unknown): void => listener(message as DeskEvent)
      wires.on(eventChannel, pass)
      return () => wires.off(eventChannel, pass)
    },
    sendFile: null,
    pathOf(file) {
      try {
        return wires.getPathForFile(file)
      } catch {
        return '' // no file of the system's, but one a page made
      }
    }
  }
}

const undelivered: Reply = {
  ok: false,
  refusal: { kind: 'fault', sentences: ['The window could not ask the program for this; reload it.'] }
}
