import { expect, it } from 'vitest'
import { entriesOf } from '../../../../../src-renderer/features/publish/entries.ts'
import { arrival } from '../arrival.ts'

it('Publish lists what was just published, what is to be in its order, and what is yet to be sent', () => {
  const arrivals = [
    arrival({ id: 'second', position: 2 }),
    arrival({ id: 'failed', position: 3, state: 'failed' }),
    arrival({ id: 'first', position: 1, state: 'reading' }),
    arrival({ id: 'gone', position: 4, state: 'cancelled' }),
    arrival({ id: 'done', position: 5, state: 'published' })
  ]
  const sending = (id: string) => ({ id, fileName: id, size: 1, state: 'queued', problem: null }) as const
  const entries = entriesOf(
    arrivals,
    [sending('first'), sending('later')],
    [arrival({ id: 'done', state: 'published' })]
  )
  expect(entries.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'published done',
    'arrival first',
    'arrival second',
    'arrival failed',
    'sending later'
  ])
})
