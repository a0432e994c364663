import { describe, expect, it } from 'vitest'
import type { DeskEvent } from '../../../src-main/contract/desk.ts'
import { Hub } from '../../../src-main/desk/hub.ts'
import { rememberingLog } from '../../support/registry.ts'

const go = (to: string): DeskEvent => ({ name: 'go', data: { to } })

describe('the hub', () => {
  it('passes events on to everybody, in order, until they end it', () => {
    const hub = new Hub(rememberingLog())
    const heard: [string, DeskEvent][] = []
    const endA = hub.subscribe((event) => void heard.push(['a', event]))
    hub.subscribe((event) => void heard.push(['b', event]))
    hub.emit(go('/1'))
    endA()
    endA()
    hub.emit(go('/2'))
    expect(heard).toEqual([
      ['a', go('/1')],
      ['b', go('/1')],
      ['b', go('/2')]
    ])
  })

  it('passes on to the others what one cannot take', () => {
    const log = rememberingLog()
    const hub = new Hub(log)
    const heard: DeskEvent[] = []
    hub.subscribe(() => {
      throw new Error('broken')
    })
    hub.subscribe((event) => void heard.push(event))
    hub.emit(go('/1'))
    expect(heard).toEqual([go('/1')])
    expect(log.lines.join()).toContain('broken')
  })

  it('may be left by a listener while it passes on', () => {
    const hub = new Hub(rememberingLog())
    let heard = 0
    const end = hub.subscribe(() => {
      heard += 1
      end()
    })
    hub.subscribe(() => (heard += 1))
    hub.emit(go('/1'))
    hub.emit(go('/2'))
    expect(heard).toBe(3)
  })

  it('has sources at work only while somebody listens', () => {
    const hub = new Hub(rememberingLog())
    const said: string[] = []
    hub.whileListening(() => {
      said.push('start')
      return () => void said.push('stop')
    })
    const [a, b] = [hub.subscribe(() => {}), hub.subscribe(() => {})]
    a()
    expect(said).toEqual(['start'])
    b()
    b()
    expect(said).toEqual(['start', 'stop'])
    hub.subscribe(() => {})
    hub.whileListening(() => {
      said.push('late start')
      return () => {}
    })
    expect(said).toEqual(['start', 'stop', 'start', 'late start'])
  })
})
