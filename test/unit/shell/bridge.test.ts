import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { DeskEvent } from '../../../src-main/contract/desk.ts'
import { createBridge, type Wires } from '../../../src-main/shell/bridge.ts'
import { callChannel, eventChannel } from '../../../src-main/shell/channels.ts'

/** The main process at the other end of the wires. */
function wires(reply: (...args: unknown[]) => unknown = () => ({ ok: true, value: null })) {
  const main = new EventEmitter()
  const calls: unknown[][] = []
  const ends: Wires = {
    invoke: async (...args) => {
      calls.push(args)
      return reply(...args)
    },
    on: (channel, listener) => void main.on(channel, listener),
    off: (channel, listener) => void main.off(channel, listener),
    getPathForFile: (file) => {
      if (!(file instanceof File)) throw new TypeError('not a file')
      return `/home/me/${file.name}`
    }
  }
  return { main, calls, bridge: createBridge(ends) }
}

describe('the object the window gets', () => {
  it('has four members and nothing of Electron', () => {
    expect(Object.keys(wires().bridge).sort()).toEqual(['invoke', 'pathOf', 'sendFile', 'subscribe'])
    expect(wires().bridge.sendFile).toBeNull()
  })

  it('calls on one channel', async () => {
    const { bridge, calls } = wires(() => ({ ok: true, value: 1 }))
    expect(await bridge.invoke('about', {})).toEqual({ ok: true, value: 1 })
    expect(calls).toEqual([[callChannel, 'about', {}]])
  })

  it('answers with a refusal when a call does not get through', async () => {
    const { bridge } = wires(() => {
      throw new Error('An object could not be cloned.')
    })
    expect(await bridge.invoke('about', {})).toMatchObject({ ok: false, refusal: { kind: 'fault' } })
  })

  it('passes events on without the event object of Electron, until ended', () => {
    const { bridge, main } = wires()
    const seen: unknown[][] = []
    const end = bridge.subscribe((...args: unknown[]) => void seen.push(args))
    const event: DeskEvent = { name: 'changed', data: { boxes: null } }
    main.emit(eventChannel, { sender: 'ipc' }, event)
    end()
    main.emit(eventChannel, { sender: 'ipc' }, event)
    expect(seen).toEqual([[event]])
  })

  it('knows the path of a file, and that what is none has none', () => {
    const { bridge } = wires()
    expect(bridge.pathOf?.(new File([], 'a.box'))).toBe('/home/me/a.box')
    expect(bridge.pathOf?.({} as File)).toBe('')
  })
})
