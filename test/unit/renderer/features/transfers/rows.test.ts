import { describe, expect, it } from 'vitest'
import type { ClientUpload, Transfers } from '../../../../../src-main/contract/arrivals.ts'
import type { Sending } from '../../../../../src-renderer/features/drop/sending.svelte.ts'
import {
  boxOf,
  byTurn,
  rowsOf,
  sumOf,
  targetOf
} from '../../../../../src-renderer/features/transfers/rows.ts'
import { arrival } from '../arrival.ts'
import { remoteTransfer } from '../remote-transfer.ts'

/** The rows of what there is, each kind as far as it is said. */
const rows = (said: Partial<Transfers>, sendings: readonly Sending[] = []) =>
  rowsOf({ arrivals: [], clientUploads: [], remoteTransfers: [], held: false, ...said }, sendings)

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
    expect(rows({ arrivals: [arrival({ state })] })).toMatchObject([{ group, word }])
  })

  it.each(['name', 'version', 'provider'] as const)('one without a %s is not ready to publish', (field) => {
    expect(rows({ arrivals: [arrival({ draft: { [field]: ' ' } })] })).toMatchObject([
      { group: 'attention', word: 'To be corrected' }
    ])
  })

  it('one that is ready and was confirmed needs nobody', () => {
    expect(rows({ arrivals: [arrival({ confirmed: true })] })).toMatchObject([
      { group: 'running', word: 'Publishing' }
    ])
  })

  it('a file of the page is there until the product knows of it', () => {
    expect(rows({ arrivals: [arrival({ id: 'a' })] }, [sending('a', 'sending'), sending('b')])).toMatchObject(
      [
        { id: 'b', group: 'waiting' },
        { id: 'a', group: 'attention' }
      ]
    )
  })

  it('a file that could not be sent says why', () => {
    expect(rows({}, [sending('a', 'failed')])).toMatchObject([
      { group: 'attention', word: 'Failed', problem: ['It broke off.'] }
    ])
  })

  it('what a client sends runs', () => {
    expect(rows({ clientUploads: [upload] })).toMatchObject([
      { group: 'running', word: 'Receiving', what: upload.what }
    ])
  })
})

it('a row of the same arrival is the very same row', () => {
  const same = arrival()
  expect(rows({ arrivals: [same] })[0]).toBe(rows({ arrivals: [same] })[0])
})

it('those that wait go by their turn, each in its queue, those of the page last', () => {
  const all = rows(
    {
      arrivals: [arrival({ id: 'later', position: 9 }), arrival({ id: 'soon', position: 2 })],
      clientUploads: [upload],
      remoteTransfers: [
        remoteTransfer({ id: 'remote later', position: 3 }),
        remoteTransfer({ id: 'remote soon', position: 1 })
      ]
    },
    [sending('page')]
  )
  expect(all.sort(byTurn).map(({ id }) => id)).toEqual([
    ...['client', 'soon', 'later', 'remote soon', 'remote later', 'page']
  ])
})

describe('the box of a row', () => {
  const acme = { organization: 'acme', name: 'base' }
  it.each([
    { row: rows({ clientUploads: [upload] })[0], box: acme },
    { row: rows({ arrivals: [arrival({ state: 'published' })] })[0], box: acme },
    { row: rows({ arrivals: [arrival()] })[0], box: null },
    { row: rows({ remoteTransfers: [remoteTransfer({ state: 'done' })] })[0], box: acme },
    { row: rows({ remoteTransfers: [remoteTransfer()] })[0], box: null },
    { row: rows({}, [sending('a')])[0], box: null }
  ])('$row.state $row.of.kind: $box.name', ({ row, box }) => {
    expect(row && boxOf(row)).toEqual(box === null ? null : expect.objectContaining(box))
  })
})

describe('the sum', () => {
  it('counts what runs and waits, and nothing that needs somebody or is done', () => {
    const all = rows(
      {
        arrivals: [
          arrival({ id: 'a', state: 'reading', bytesRead: 400, bytesPerSecond: 100 }),
          arrival({ id: 'b', state: 'waiting', bytesRead: 0 }),
          arrival({ id: 'c', state: 'ready' }),
          arrival({ id: 'd', state: 'published' })
        ],
        remoteTransfers: [
          remoteTransfer({ id: 'f', state: 'running', bytesDone: 50, bytesTotal: 100, bytesPerSecond: 7 }),
          remoteTransfer({ id: 'g', state: 'failed', bytesDone: 50, bytesTotal: 100 })
        ]
      },
      [sending('e')]
    )
    expect(sumOf(all)).toEqual({ running: 2, waiting: 2, done: 450, total: 2600, bytesPerSecond: 107 })
  })

  it('is of what is known: what to do for a remote is looked up when its turn comes', () => {
    const running = remoteTransfer({ id: 'a', state: 'running', bytesDone: 5, bytesTotal: 10 })
    expect(sumOf(rows({ remoteTransfers: [running, remoteTransfer()] }))).toMatchObject({
      waiting: 1,
      total: 10
    })
  })

  it('has no total where a client does not say how much it sends', () => {
    expect(sumOf(rows({ arrivals: [arrival({ state: 'reading' })], clientUploads: [upload] }))).toMatchObject(
      { total: null }
    )
  })
})

it.each([
  { draft: {}, target: 'acme/base 1.2.0 for virtualbox on amd64' },
  { draft: { architecture: '' }, target: 'acme/base 1.2.0 for virtualbox' },
  { draft: { name: '', version: '', provider: '', architecture: '' }, target: 'acme' }
])('where a file goes: $target', ({ draft, target }) => {
  expect(targetOf(arrival({ draft }).draft)).toBe(target)
})
