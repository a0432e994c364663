import { describe, expect, it } from 'vitest'
import type { Transfers } from '../../../../../src-main/contract/arrivals.ts'
import {
  afterEvent,
  remoteStepsBetween,
  stepsBetween,
  tellsOfOthers
} from '../../../../../src-renderer/features/transfers/merge.ts'
import { arrival } from '../arrival.ts'
import { remoteTransfer } from '../remote-transfer.ts'

const one = arrival({ id: 'one' })
const two = arrival({ id: 'two' })
const known: Transfers = { arrivals: [one, two], clientUploads: [], remoteTransfers: [], held: false }
const event = (changes: Partial<Parameters<typeof afterEvent>[1]>) => ({
  arrivals: [],
  clientUploads: [],
  remoteTransfers: [],
  gone: [],
  held: false,
  ...changes
})

describe('what is known after an event', () => {
  it('is another row in the same place for what changed, and the very same one for the rest', () => {
    const changed = arrival({ id: 'two', bytesRead: 5 })
    const { arrivals } = afterEvent(known, event({ arrivals: [changed] }))
    expect(arrivals).toEqual([one, changed])
    expect(arrivals[0]).toBe(one)
  })

  it('has what is new first, and not what is gone', () => {
    const three = arrival({ id: 'three' })
    expect(afterEvent(known, event({ arrivals: [three], gone: ['one'] })).arrivals).toEqual([three, two])
  })

  it('does not have what came and went in one event', () => {
    expect(afterEvent(known, event({ arrivals: [arrival({ id: 'x' })], gone: ['x'] })).arrivals).toEqual([
      one,
      two
    ])
  })

  it('is the very same list when an event tells of others only', () => {
    expect(afterEvent(known, event({ gone: ['nobody'] })).arrivals).toBe(known.arrivals)
  })
})

it.each([
  { ids: ['one'], others: false },
  { ids: ['one', 'three'], others: true },
  { ids: [], others: false }
])('an event of $ids tells of others: $others', ({ ids, others }) => {
  expect(tellsOfOthers(known, event({ arrivals: ids.map((id) => arrival({ id })) }))).toBe(others)
})

describe('the steps between two states', () => {
  it('are those into another state, and those that are new; progress is none', () => {
    const after: Transfers = {
      arrivals: [
        arrival({ id: 'three', state: 'waiting' }),
        arrival({ id: 'one', state: 'published' }),
        arrival({ id: 'two', bytesRead: 7 })
      ],
      clientUploads: [],
      remoteTransfers: [],
      held: false
    }
    expect(stepsBetween(known, after).map(({ arrival, from }) => [arrival.id, from])).toEqual([
      ['three', null],
      ['one', 'ready']
    ])
  })
})

it('an event tells whether everything is held', () => {
  expect(afterEvent(known, event({ held: true })).held).toBe(true)
  expect(afterEvent({ ...known, held: true }, event({})).held).toBe(false)
})

describe('boxes to and from remotes', () => {
  const before: Transfers = {
    ...known,
    remoteTransfers: [remoteTransfer({ id: 'a' }), remoteTransfer({ id: 'b', state: 'running' })]
  }

  it('are replaced, added in front and taken away as an event tells', () => {
    const told = remoteTransfer({ id: 'b', state: 'running', bytesDone: 5 })
    const after = afterEvent(
      before,
      event({ remoteTransfers: [told, remoteTransfer({ id: 'c' })], gone: ['a'] })
    )
    expect(after.remoteTransfers.map(({ id, bytesDone }) => [id, bytesDone])).toEqual([
      ['c', 0],
      ['b', 5]
    ])
    expect(after.arrivals).toBe(known.arrivals)
  })

  it('go a step when they are in another state or new; progress is none', () => {
    const after = afterEvent(
      before,
      event({
        remoteTransfers: [
          remoteTransfer({ id: 'a', state: 'waiting' }),
          remoteTransfer({ id: 'b', state: 'running', bytesDone: 9 }),
          remoteTransfer({ id: 'c' })
        ]
      })
    )
    expect(remoteStepsBetween(before, after).map(({ transfer, from }) => [transfer.id, from])).toEqual([
      ['c', null],
      ['a', 'queued']
    ])
  })
})
