import { describe, expect, it } from 'vitest'
import type { ClientUpload } from '../../../../../src-main/contract/arrivals.ts'
import type { Sending } from '../../../../../src-renderer/features/drop/sending.svelte.ts'
import { byTurn, rowsOf, sumOf, targetOf } from '../../../../../src-renderer/features/transfers/rows.ts'
import { arrival } from '../arrival.ts'

const sending = (id: string, state: Sending['state'] = 'queued'): Sending => ({
  id,
  fileName: `${id}.box`,
  size: 500,
  state,
  problem: state === 'failed' ? ['It broke off.'] : null
})
const upload: ClientUpload = {
  id: 'client',
  what: 'acme/base 1.0.0 for virtualbox on amd64',
  box: { organization: 'acme', name: 'base' },
  size: null,
  bytesRead: 10,
  bytesPerSecond: 5,
  startedAt: 0
}

describe('where a row stands', () => {
  it.each([
    { state: 'waiting', group: 'waiting', word: 'Waiting' },
    { state: 'reading', group: 'running', word: 'Reading' },
    { state: 'ready', group: 'attention', word: 'Ready to publish' },
    { state: 'publishing', group: 'running', word: 'Publishing' },
    { state: 'published', group: 'finished', word: 'Published' },
    { state: 'failed', group: 'attention', word: 'Failed' },
    { state: 'cancelled', group: 'finished', word: 'Cancelled' }
  ] as const)('$state is $group', ({ state, group, word }) => {
    expect(rowsOf([arrival({ state })], [], [])).toMatchObject([{ group, word }])
  })

  it.each(['name', 'version', 'provider'] as const)('one without a %s is not ready to publish', (field) => {
    expect(rowsOf([arrival({ draft: { [field]: ' ' } })], [], [])).toMatchObject([
      { group: 'attention', word: 'To be corrected' }
    ])
  })

  it('one that is ready and was confirmed needs nobody', () => {
    expect(rowsOf([arrival({ confirmed: true })], [], [])).toMatchObject([
      { group: 'running', word: 'Publishing' }
    ])
  })

  it('a file of the page is there until the product knows of it', () => {
    expect(rowsOf([arrival({ id: 'a' })], [], [sending('a', 'sending'), sending('b')])).toMatchObject([
      { id: 'b', group: 'waiting' },
      { id: 'a', group: 'attention' }
    ])
  })

  it('a file that could not be sent says why', () => {
    expect(rowsOf([], [], [sending('a', 'failed')])).toMatchObject([
      { group: 'attention', word: 'Failed', problem: ['It broke off.'] }
    ])
  })

  it('what a client sends runs', () => {
    expect(rowsOf([], [upload], [])).toMatchObject([
      { group: 'running', word: 'Receiving', what: upload.what }
    ])
  })
})

it('a row of the same arrival is the very same row', () => {
  const same = arrival()
  expect(rowsOf([same], [], [])[0]).toBe(rowsOf([same], [], [])[0])
})

it('those that wait go by their turn, those of the page last', () => {
  const rows = rowsOf(
    [arrival({ id: 'later', position: 9 }), arrival({ id: 'soon', position: 2 })],
    [upload],
    [sending('page')]
  )
  expect(rows.sort(byTurn).map(({ id }) => id)).toEqual(['client', 'soon', 'later', 'page'])
})

describe('the sum', () => {
  it('counts what runs and waits, and nothing that needs somebody or is done', () => {
    const rows = rowsOf(
      [
        arrival({ id: 'a', state: 'reading', bytesRead: 400, bytesPerSecond: 100 }),
        arrival({ id: 'b', state: 'waiting', bytesRead: 0 }),
        arrival({ id: 'c', state: 'ready' }),
        arrival({ id: 'd', state: 'published' })
      ],
      [],
      [sending('e')]
    )
    expect(sumOf(rows)).toEqual({ running: 1, waiting: 2, done: 400, total: 2500, bytesPerSecond: 100 })
  })

  it('has no total where a client does not say how much it sends', () => {
    expect(sumOf(rowsOf([arrival({ state: 'reading' })], [upload], []))).toMatchObject({ total: null })
  })
})

it.each([
  { draft: {}, target: 'acme/base 1.2.0 for virtualbox on amd64' },
  { draft: { architecture: '' }, target: 'acme/base 1.2.0 for virtualbox' },
  { draft: { name: '', version: '', provider: '', architecture: '' }, target: 'acme' }
])('where a file goes: $target', ({ draft, target }) => {
  expect(targetOf(arrival({ draft }).draft)).toBe(target)
})
