import { describe, expect, it } from 'vitest'
import { RemoteFailure } from '../../../../src-main/remotes/failure.ts'
import { heldBytes } from '../../../../src-main/store/held-bytes.ts'
import { addRemoteRow, putStep, until, versionStep } from '../../../support/transfers.ts'
import { world, gate, untilAborted, isAtWork } from '../../../support/running-transfers.ts'

describe('in what order', () => {
  /** Boxes whose steps wait for the test, and the order in which they began. */
  async function holding(parallelTransfers: number) {
    const made = await world({ parallelTransfers })
    const begun: string[] = []
    const gates = new Map<string, ReturnType<typeof gate>>()
    made.sync.doing = ({ key }) => {
      const box = key.split(' ')[0]!
      begun.push(box)
      const one = gate()
      gates.set(box, one)
      return one.passed
    }
    const go = async (box: string): Promise<void> => {
      gates.get(box)?.open()
      for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
    }
    return { ...made, begun, go, add: (box: string) => made.add(box, [versionStep('1.0.0')]) }
  }

  it.each([1, 2, 3])('%i go at the same time, the first first', async (parallel) => {
    const { transfers, add, begun, go } = await holding(parallel)
    for (const box of ['a', 'b', 'c', 'd']) add(box)
    await transfers.start()
    await go('')
    expect(begun).toEqual(['a', 'b', 'c', 'd'].slice(0, parallel))
    await go('a')
    expect(begun).toEqual(['a', 'b', 'c', 'd'].slice(0, parallel + 1))
    for (const box of ['b', 'c', 'd']) await go(box)
  })

  it('those moved go in their new places', async () => {
    const { transfers, add, begun, go } = await holding(1)
    const [, b, c, d] = ['a', 'b', 'c', 'd'].map((box) => add(box))
    await transfers.start()
    await go('')
    transfers.move(d!, 'top')
    transfers.move(c!, 'up')
    transfers.move(b!, 'down') // is the last already
    for (const box of ['a', 'd', 'c', 'b']) await go(box)
    expect(begun).toEqual(['a', 'd', 'c', 'b'])
  })

  it('never two of the same box, whichever remote', async () => {
    const { transfers, add, request, begun, go, db, sync } = await holding(4)
    add('a')
    const other = addRemoteRow(db, 'Other')
    sync.steps.set('A', [versionStep('2.0.0')])
    transfers.add([request('A', { remoteId: other })])
    add('b')
    await transfers.start()
    await go('')
    expect(begun).toEqual(['a', 'b'])
    await go('a')
    expect(begun).toEqual(['a', 'b', 'A'])
    for (const box of ['b', 'A']) await go(box)
  })

  it('no more than four of a remote, so that others get their turn', async () => {
    const { transfers, add, request, begun, go, db, sync } = await holding(8)
    for (const box of ['a', 'b', 'c', 'd', 'e']) add(box)
    const other = addRemoteRow(db, 'Other')
    sync.steps.set('z', [versionStep('1.0.0')])
    transfers.add([request('z', { remoteId: other })])
    await transfers.start()
    await go('')
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'z'])
    for (const box of ['a', 'b', 'c', 'd', 'z', 'e']) await go(box)
  })

  it('none of a remote that is left alone, and then again', async () => {
    const { transfers, add, begun, go, sync, remoteId, clock, pass } = await holding(2)
    const until = clock.now() + 30_000
    sync.paused.set(remoteId, until)
    const id = add('a')
    await transfers.start()
    await go('')
    expect(begun).toEqual([])
    expect(transfers.find(id)).toMatchObject({ state: 'waiting', waitingFor: 'remote', nextAttemptAt: until })
    sync.paused.clear()
    pass(30_000)
    await go('')
    expect(begun).toEqual(['a'])
    await go('a')
  })

  it('more as soon as more may', async () => {
    const { transfers, add, begun, go, settings } = await holding(1)
    for (const box of ['a', 'b']) add(box)
    await transfers.start()
    await go('')
    settings.parallelTransfers = 2
    transfers.kick()
    await go('')
    expect(begun).toEqual(['a', 'b'])
    await go('a')
    await go('b')
  })
})

describe('the person', () => {
  async function running() {
    const made = await world()
    let doing = 0
    made.sync.doing = async ({ signal, put }) => {
      doing += 1
      put?.onProgress(40)
      put?.memo.write({ at: 40 }, 'staged')
      await untilAborted(signal)
    }
    const id = made.add('tiny', [putStep('1.0.0')])
    await made.transfers.start()
    await until(made.transfers, id, ({ bytesDone }) => bytesDone === 40)
    return { ...made, id, count: () => doing }
  }
  const dropped = (made: { blobs: { dropStaged(id: string): Promise<void> } }): string[] => {
    const ids: string[] = []
    made.blobs.dropStaged = async (id) => void ids.push(id)
    return ids
  }

  it('pauses one, which goes on where it was', async () => {
    const { transfers, id, sync, failures } = await (async () => {
      const made = await running()
      return { ...made, failures: made.sync.failures }
    })()
    await transfers.pause([id])
    expect(transfers.find(id)).toMatchObject({
      state: 'paused',
      bytesDone: 40,
      step: { state: 'pending' }
    })
    expect(failures).toEqual([])
    let memo: unknown
    sync.doing = async ({ put }) => void (memo = put?.memo.read())
    transfers.resume([id])
    await until(transfers, id, ({ state }) => state === 'done')
    expect(memo).toEqual({ at: 40 })
  })

  it('cancels one, which leaves nothing of bytes that are not whole', async () => {
    const made = await running()
    const ids = dropped(made)
    await made.transfers.cancel([made.id])
    expect(made.transfers.find(made.id)).toMatchObject({ state: 'cancelled' })
    expect(ids).toEqual(['staged'])
    expect(heldBytes(made.db).staged('staged')).toBe(false)
  })

  it('cancels one that waits', async () => {
    const { transfers, add } = await world()
    const id = add()
    await transfers.cancel([id])
    expect(transfers.find(id)).toMatchObject({ state: 'cancelled', finishedAt: expect.any(Number) })
    await transfers.cancel([id])
  })

  it('holds everything and lets it go', async () => {
    const { transfers, id, sync, make } = await running()
    await transfers.hold(true)
    expect(transfers.held()).toBe(true)
    expect(transfers.find(id)?.state).toBe('queued')
    expect(make().held()).toBe(true)
    transfers.kick()
    await new Promise((resolve) => setImmediate(resolve))
    expect(transfers.find(id)?.state).toBe('queued')
    sync.doing = () => Promise.resolve()
    await transfers.hold(false)
    await until(transfers, id, ({ state }) => state === 'done')
  })

  it('that holds everything is heard by all windows, also when nothing runs', async () => {
    const { transfers, add, events } = await world()
    add()
    const told: string[] = []
    events.on('transfer-changed', ({ id }) => told.push(id))
    await transfers.hold(true)
    expect(told).toHaveLength(1)
  })

  it('does not wait for a remote that hangs', async () => {
    const { transfers, add, sync, pass } = await world()
    const { passed, open } = gate()
    sync.doing = () => passed
    const id = add()
    await transfers.start()
    await until(transfers, id, isAtWork)
    const paused = transfers.pause([id])
    pass(3000)
    await paused
    expect(transfers.find(id)?.state).toBe('paused')
    // It is not begun again while the one before hangs.
    const { length } = sync.prepared
    transfers.resume([id])
    await new Promise((resolve) => setImmediate(resolve))
    expect(sync.prepared).toHaveLength(length)
    sync.doing = () => Promise.resolve()
    open()
    await until(transfers, id, ({ state }) => state === 'done')
  })

  it('does with many at once what is possible with each', async () => {
    const { transfers, add } = await world()
    const [one, two] = [add('a'), add('b')]
    await transfers.cancel([two])
    await transfers.pause([one, two])
    expect([one, two].map((id) => transfers.find(id)?.state)).toEqual(['paused', 'cancelled'])
    transfers.retry([one, two])
    expect([one, two].map((id) => transfers.find(id)?.state)).toEqual(['paused', 'queued'])
    await transfers.cancel([one, two])
    transfers.dismiss([one, two])
    expect(transfers.list()).toEqual([])
  })

  it.each(['pause', 'cancel'] as const)('hears of one that is not there any more (%s)', async (what) => {
    const { transfers } = await world()
    await expect(transfers[what](['nobody'])).rejects.toThrowError('not in the list any more')
  })

  it('tries one that waits at once', async () => {
    const { transfers, add, sync } = await world()
    sync.onOpen = () => Promise.reject(new RemoteFailure('busy', ['Not now.'], { retryAfter: 3_600_000 }))
    const id = add()
    await transfers.start()
    await until(transfers, id, ({ state }) => state === 'waiting')
    sync.onOpen = () => Promise.resolve()
    transfers.retry([id])
    await until(transfers, id, ({ state }) => state === 'done')
  })
})
