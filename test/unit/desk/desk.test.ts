import { describe, expect, it } from 'vitest'
import type { Handlers } from '../../../src-main/desk/handlers.ts'
import { Desk } from '../../../src-main/desk/desk.ts'
import { Hub } from '../../../src-main/desk/hub.ts'
import { rememberingLog } from '../../support/registry.ts'

function emptyDesk() {
  const log = rememberingLog()
  return { desk: new Desk({ handlers: {} as Handlers, hub: new Hub(log), log }), log }
}

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

describe('a payload nobody could mean', () => {
  it.each([5_000, 100_000])('is refused and no fault when it is %i deep', async (depth) => {
    const { desk, log } = emptyDesk()
    const reply = await desk.call('preferences.write', { key: 'deep', value: nested(depth) })
    expect(reply).toMatchObject({ ok: false, refusal: { kind: 'invalid' } })
    expect(log.lines).toEqual([])
  })

  it.each([
    ['many wrong ids', 'library.remove', { ids: many(20_000, () => 'x') }],
    ['many fields', 'box.read', Object.fromEntries(many(20_000, (at) => [`field${at}`, 1]))],
    ['a long field', 'box.read', { ['x'.repeat(100_000)]: 1 }],
    ['long fields', 'about', Object.fromEntries(many(100, (at) => [`${'x'.repeat(1000)}${at}`, 1]))]
  ])('is refused in few words for %s', async (_what, method, payload) => {
    const { desk } = emptyDesk()
    const reply = await desk.call(method, payload)
    expect(reply).toMatchObject({ ok: false, refusal: { kind: 'invalid' } })
    expect(JSON.stringify(reply).length).toBeLessThan(5_000)
  })
})
