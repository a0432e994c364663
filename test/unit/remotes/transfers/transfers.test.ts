import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { SyncConflict } from '../../../../src-main/contract/sync.ts'
import type { RemoteTransfer } from '../../../../src-main/contract/transfers.ts'
import { Problem } from '../../../../src-main/domain/problem.ts'
import { RemoteFailure, type FailureKind } from '../../../../src-main/remotes/failure.ts'
import { mostSteps } from '../../../../src-main/remotes/transfers/views.ts'
import { openCatalogue } from '../../../../src-main/store/open.ts'
import { transferTable } from '../../../../src-main/store/transfers.ts'
import { transferStepTable } from '../../../../src-main/store/transfer-steps.ts'
import { heldBytes } from '../../../../src-main/store/held-bytes.ts'
import { write } from '../../../../src-main/store/write.ts'
import { refusal } from '../../../support/catalog.ts'
import { addRemoteRow, putStep, transfersWorld, until, versionStep } from '../../../support/transfers.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function world(over: Parameters<typeof transfersWorld>[0] = {}) {
  const made = await transfersWorld(over)
  open.push(made.transfers)
  const { transfers, request, sync } = made
  const add = (box = 'tiny', steps = [versionStep('1.0.0'), putStep('1.0.0')]): string => {
    sync.steps.set(box, steps)
    return transfers.add([request(box)])[0]!.id
  }
  return { ...made, add }
}

/** A step that ends when the test says so. */
function gate() {
  let open = (): void => {}
  let fail = (_: Error): void => {}
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { passed, open, fail }
}

/** What hangs until it is told to stop. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const { reason } = signal as { reason: unknown }
    if (signal.aborted) reject(reason as Error)
    signal.addEventListener('abort', () => reject(new RemoteFailure('offline', ['It was cut off.'])))
  })

const isAtWork = ({ step }: RemoteTransfer): boolean => step?.state === 'running'

const clash: SyncConflict = {
  key: 'image 1.0.0 virtualbox/amd64 a-b',
  sentence: 'virtualbox/amd64 of 1.0.0 is another file here than at Lab.',
  choices: [
    { choice: 'keep-both', sentence: 'Leave both as they are.' },
    { choice: 'theirs', sentence: 'Take over the one of Lab here.' }
  ],
  chosen: null
}

describe('an image that a person fetches of a mirrored box', () => {
  const image = {
    organization: 'acme',
    box: 'tiny',
    version: '1.0.0',
    ...{ provider: 'libvirt', architecture: 'amd64' }
  }

  it('comes as a mirror, and is not taken for what a rule brings', async () => {
    const { transfers, sync, remoteId, request } = await world()
    expect(() => transfers.fetch(image)).toThrow(/is no mirror/)
    sync.mirrors.set('tiny', remoteId)
    const fetched = transfers.fetch(image)
    expect(fetched).toMatchObject({ direction: 'pull', byMirror: false, what: '1.0.0 for libvirt on amd64' })
    const [byRule] = transfers.add([request('other', { direction: 'pull' })], { byMirror: true })
    expect(byRule).toMatchObject({ byMirror: true })
  })
})

describe('the steps of a transfer', () => {
  it('are told one transfer at a time: a list has only how many there are', async () => {
    const { transfers, add, sync } = await world()
    const id = add('tiny', [versionStep('1.0.0'), versionStep('2.0.0')])
    sync.doing = async () => Promise.reject(new RemoteFailure('offline', ['Cut off.']))
    await transfers.start()
    await until(transfers, id, ({ state }) => state === 'waiting')
    const [listed] = transfers.list()
    expect(listed).not.toHaveProperty('steps')
    expect(listed).toMatchObject({ stepsTotal: 2, stepsDone: 0, step: { key: 'create-version 1.0.0' } })
    expect(transfers.steps(id).map(({ key }) => key)).toEqual([
      'create-version 1.0.0',
      'create-version 2.0.0'
    ])
    expect(() => transfers.steps('other')).toThrow(/not in the list any more/)
  })

  it('are those around the one that is carried out, where there are very many', async () => {
    const { transfers, add, db } = await world()
    const id = add()
    const states = Array.from({ length: mostSteps + 200 }, (_, i) =>
      i < mostSteps ? 'done' : i === mostSteps ? 'running' : 'pending'
    )
    transferStepTable(db).replace(
      id,
      states.map((state, i) => ({
        ...{
          key: `step ${i}`,
          step: versionStep(`${i}.0.0`),
          state,
          bytesDone: 0,
          memo: null,
          stagedId: null
        }
      }))
    )
    expect(transfers.find(id)).toMatchObject({
      ...{ stepsTotal: mostSteps + 200, stepsDone: mostSteps },
      step: { key: `step ${mostSteps}`, state: 'running' }
    })
    const told = transfers.steps(id).map(({ key }) => Number(key.split(' ')[1]))
    expect(told).toHaveLength(mostSteps)
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect(told.slice(-200)).toEqual(Array.from({ length: 200 }, (_, i) => mostSteps + i))
  })
})

describe('a transfer', () => {
  it('waits until somebody carries it out, then does one step after the other, and is done', async () => {
    const { transfers, add, sync } = await world()
    const id = add()
    expect(transfers.find(id)).toMatchObject({
      state: 'queued',
      ...{ stepsTotal: 0, stepsDone: 0, step: null },
      bytesTotal: null,
      what: 'all versions'
    })
    await transfers.start()
    const done = await until(transfers, id, ({ state }) => state === 'done')
    expect(sync.done).toEqual(['tiny create-version 1.0.0', 'tiny put-bytes 1.0.0 virtualbox/amd64'])
    expect(sync.agreed).toBe(1)
    expect(done).toMatchObject({ bytesDone: 100, bytesTotal: 100, problem: null })
    expect(done).toMatchObject({ stepsTotal: 2, stepsDone: 2, step: null })
    expect(transfers.steps(id).map(({ state }) => state)).toEqual(['done', 'done'])
    expect(done.finishedAt).not.toBeNull()
  })

  it('tells how far it is', async () => {
    const { transfers, add, sync, clock } = await world()
    const { passed, open } = gate()
    sync.doing = async ({ put }) => {
      if (!put) return
      put.onProgress(10)
      clock.pass(1000)
      put.onProgress(60)
      await passed
      put.onVerifying()
      await passed
    }
    const id = add()
    await transfers.start()
    const half = await until(transfers, id, ({ bytesDone }) => bytesDone === 60)
    expect(half).toMatchObject({
      state: 'running',
      bytesPerSecond: 60,
      ...{ stepsTotal: 2, stepsDone: 1 },
      step: { sentence: expect.stringMatching(/^Uploads/), state: 'running', bytesDone: 60 }
    })
    expect(transfers.steps(id)[1]).toEqual(half.step)
    expect(transfers.activity()).toMatchObject({ count: 1, done: 60, total: 100, bytesPerSecond: 60 })
    open()
    await until(transfers, id, ({ state }) => state === 'done')
    expect(transfers.activity()).toEqual({ count: 0, done: 0, total: 0, bytesPerSecond: null, waiting: 0 })
  })

  it('is done once nothing is left to do, whatever came up meanwhile', async () => {
    const { transfers, add, sync } = await world()
    sync.doing = async ({ key }) => {
      if (key.includes('1.0.0')) sync.steps.set('tiny', [putStep('1.0.0'), versionStep('2.0.0')])
    }
    const id = add()
    await transfers.start()
    await until(transfers, id, ({ state }) => state === 'done')
    expect(sync.done.at(-1)).toBe('tiny create-version 2.0.0')
  })

  it('fails when the other side takes everything and keeps nothing', async () => {
    const { transfers, add, sync } = await world()
    sync.doing = async () => void sync.done.splice(0)
    const id = add('tiny', [versionStep('1.0.0')])
    sync.done.push = () => 0
    await transfers.start()
    const failed = await until(transfers, id, ({ state }) => state === 'failed')
    expect(failed.problem?.join(' ')).toMatch(
      /still a difference\. What is still to be done: Adds version 1\.0\.0\./
    )
  })

  it.each([
    {
      what: 'the remote takes nothing',
      over: { writable: false },
      problem: /Nothing can be published to Lab/
    },
    { what: 'the box is gone here', over: { hasSource: false }, problem: /no box acme\/tiny here any more/ }
  ])('fails when $what, though nothing is left to do', async ({ over, problem }) => {
    const { transfers, add, sync } = await world()
    Object.assign(sync, over)
    const id = add('tiny', [])
    await transfers.start()
    const failed = await until(transfers, id, ({ state }) => ['done', 'failed'].includes(state))
    expect(failed).toMatchObject({ state: 'failed' })
    expect(failed.problem?.join(' ')).toMatch(problem)
  })

  it('leaves out what the person does not want', async () => {
    const { transfers, sync, request } = await world()
    sync.steps.set('tiny', [versionStep('1.0.0'), versionStep('2.0.0')])
    const [added] = transfers.add([request('tiny', { leftOut: ['create-version 2.0.0'] })])
    await transfers.start()
    const done = await until(transfers, added!.id, ({ state }) => state === 'done')
    expect(sync.done).toEqual(['tiny create-version 1.0.0'])
    expect(done).toMatchObject({ stepsTotal: 1, stepsDone: 1 })
    expect(transfers.steps(added!.id).map(({ state }) => state)).toEqual(['done', 'left-out'])
  })
})

describe('what fails', () => {
  const kinds: [FailureKind, string, string | null][] = [
    ['offline', 'waiting', 'network'],
    ['busy', 'waiting', 'remote'],
    ['rate-limited', 'waiting', 'rate-limit'],
    ['damaged', 'waiting', 'retry'],
    ['expired', 'waiting', 'retry'],
    ['unauthorized', 'failed', null],
    ['forbidden', 'failed', null],
    ['billing', 'failed', null],
    ['missing', 'failed', null],
    ['refused', 'failed', null],
    ['odd', 'failed', null],
    ['another', 'failed', null],
    ['untrusted', 'failed', null],
    ['no-room', 'failed', null]
  ]
  it.each(kinds)('with %s is then %s (for %s)', async (kind, state, waitingFor) => {
    const { transfers, add, sync } = await world()
    sync.onOpen = () => Promise.reject(new RemoteFailure(kind, ['Lab said so.']))
    const id = add()
    await transfers.start()
    const after = await until(transfers, id, (now) => now.problem !== null)
    expect(after).toMatchObject({ state, waitingFor, problem: ['Lab said so.'], attempts: 1 })
    expect(sync.failures).toMatchObject([{ kind }])
  })

  it('goes on by itself when its time has come, and where it was', async () => {
    const { transfers, add, sync, pass, clock } = await world()
    let fails = true
    sync.doing = async ({ key }) => {
      if (fails && key.includes('put-bytes')) throw new RemoteFailure('busy', ['Not now.'])
    }
    const id = add()
    await transfers.start()
    const waiting = await until(transfers, id, ({ state }) => state === 'waiting')
    expect(waiting.nextAttemptAt).toBe(clock.now() + 1000)
    expect(sync.done).toEqual(['tiny create-version 1.0.0'])
    pass(999)
    expect(transfers.find(id)?.state).toBe('waiting')
    fails = false
    pass(1)
    await until(transfers, id, ({ state }) => state === 'done')
    expect(transfers.steps(id).map(({ state }) => state)).toEqual(['done', 'done'])
    expect(sync.done).toHaveLength(2)
  })

  it('waits longer each time, but starts anew after it got on', async () => {
    const { transfers, add, sync, pass } = await world()
    let [gets, keeps] = [0, false]
    sync.doing = async ({ put }) => {
      if (keeps) put?.memo.write('where it was')
      if (gets > 0) put?.onProgress(gets)
      throw new RemoteFailure('offline', ['Cut off.'])
    }
    const id = add('tiny', [putStep('1.0.0')])
    await transfers.start()
    for (const attempts of [1, 2, 3, 4]) {
      await until(transfers, id, (now) => now.state === 'waiting' && now.attempts === attempts)
      // What the other side does not keep is worth nothing.
      gets += 10
      pass(10 * 60_000)
    }
    await until(transfers, id, (now) => now.state === 'waiting' && now.attempts === 5)
    gets = 50
    keeps = true
    pass(10 * 60_000)
    await until(transfers, id, (now) => now.state === 'waiting' && now.attempts === 1)
    expect(transfers.steps(id)[0]?.bytesDone).toBe(50)
  })

  it('honours what the remote asks for', async () => {
    const { transfers, add, sync, clock } = await world()
    sync.onOpen = () => Promise.reject(new RemoteFailure('rate-limited', ['Slowly.'], { retryAfter: 60_000 }))
    const id = add()
    await transfers.start()
    const waiting = await until(transfers, id, ({ state }) => state === 'waiting')
    expect(waiting.nextAttemptAt).toBe(clock.now() + 61_000)
  })

  it('with damaged bytes is tried once more and not for ever, though bytes go over each time', async () => {
    const { transfers, add, sync, pass } = await world()
    sync.doing = async ({ put }) => {
      put?.onProgress(100)
      throw new RemoteFailure('damaged', ['Other bytes arrived.'])
    }
    const id = add('tiny', [putStep('1.0.0')])
    await transfers.start()
    await until(transfers, id, ({ state }) => state === 'waiting')
    pass(60_000)
    await until(transfers, id, ({ state }) => state === 'failed')
  })

  it('with a fault of the program says so, and leaves it to the log', async () => {
    const { transfers, add, sync, lines } = await world()
    sync.doing = () => Promise.reject(new TypeError('x is not a function'))
    const id = add()
    await transfers.start()
    const failed = await until(transfers, id, ({ state }) => state === 'failed')
    expect(failed.problem?.join(' ')).toMatch(/fault in the program; its log says more/)
    expect(lines.join('\n')).toContain('x is not a function')
  })

  it.each([
    ['invalid', 'failed'],
    ['unavailable', 'waiting']
  ] as const)('because the catalogue here refuses it (%s) is then %s', async (kind, state) => {
    const { transfers, add, sync } = await world()
    sync.doing = () => Promise.reject(new Problem(kind, 'Not here.'))
    const id = add()
    await transfers.start()
    expect(await until(transfers, id, (now) => now.state === state)).toMatchObject({ problem: ['Not here.'] })
  })

  it('stays with its reason until it is tried again', async () => {
    const { transfers, add, sync } = await world()
    sync.onOpen = () => Promise.reject(new RemoteFailure('unauthorized', ['The token is over.']))
    const id = add()
    await transfers.start()
    await until(transfers, id, ({ state }) => state === 'failed')
    expect(transfers.activity().waiting).toBe(1)
    sync.onOpen = () => Promise.resolve()
    transfers.retry([id])
    expect(await until(transfers, id, ({ state }) => state === 'done')).toMatchObject({ problem: null })
  })

  it('keeps no other from its turn', async () => {
    const { transfers, add, sync } = await world({ parallelTransfers: 1 })
    sync.doing = async ({ key }) => {
      if (key.startsWith('bad')) throw new RemoteFailure('refused', ['No.'])
    }
    const bad = add('bad')
    const good = add('good')
    await transfers.start()
    await until(transfers, good, ({ state }) => state === 'done')
    expect(transfers.find(bad)?.state).toBe('failed')
  })
})

describe('a row that cannot be read', () => {
  it.each(['{', '{}', 'null', '{"direction":"publish"}'])(
    '(%s) is put aside, and stops nobody',
    async (json) => {
      const { transfers, add, db } = await world({ parallelTransfers: 1 })
      const bad = add('bad')
      const good = add('good')
      db.prepare('UPDATE transfers SET request = ?, conflicts = ?, problem = ? WHERE id = ?').run(
        json,
        '{',
        '{',
        bad
      )
      expect(transfers.list()).toHaveLength(2)
      await transfers.start()
      await until(transfers, good, ({ state }) => state === 'done')
      const parked = await until(transfers, bad, ({ state }) => state === 'failed')
      expect(parked.problem?.join(' ')).toMatch(/cannot be read any more/)
      transfers.dismiss([bad])
      expect(transfers.find(bad)).toBeNull()
    }
  )

  it('stops nobody with steps that cannot be read either', async () => {
    const { transfers, add, db, sync } = await world()
    sync.doing = () => Promise.reject(new RemoteFailure('unauthorized', ['No.']))
    const id = add()
    await transfers.start()
    await until(transfers, id, ({ state }) => state === 'failed')
    db.prepare(`UPDATE transfer_steps SET step = '{', memo = '{'`).run()
    expect(transfers.list()[0]).toMatchObject({ stepsTotal: 2, stepsDone: 0, step: null })
    expect(transfers.steps(id)).toEqual([])
    sync.doing = async ({ put }) => void expect(put?.memo.read() ?? null).toBeNull()
    transfers.retry([id])
    await until(transfers, id, ({ state }) => state === 'done')
  })
})

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

describe('conflicts', () => {
  async function conflicting() {
    const made = await world()
    made.sync.conflicts.set('tiny', [clash])
    const id = made.add('tiny', [])
    await made.transfers.start()
    await until(made.transfers, id, ({ state }) => state === 'failed')
    return { ...made, id }
  }

  it('are listed for the person, and nothing is done', async () => {
    const { transfers, id, sync } = await conflicting()
    expect(transfers.find(id)).toMatchObject({
      conflicts: [clash],
      problem: [expect.stringMatching(/choose/)]
    })
    expect(sync.done).toEqual([])
  })

  it('are answered once, and it goes on', async () => {
    const { transfers, id, sync } = await conflicting()
    transfers.decide(id, { [clash.key]: 'keep-both' })
    await until(transfers, id, ({ state }) => state === 'done')
    expect(sync.prepared.at(-1)?.choices).toEqual({ [clash.key]: 'keep-both' })
    expect(transfers.list()).toHaveLength(1)
  })

  it('answered by what the remote has bring exactly that here', async () => {
    const { transfers, id, sync, db } = await conflicting()
    sync.steps.set('tiny', [versionStep('2.0.0'), putStep('1.0.0')])
    await transfers.hold(true)
    transfers.decide(id, { [clash.key]: 'theirs' })
    const pull = transfers.list().find(({ direction }) => direction === 'pull')
    expect(transferTable(db).get(pull!.id)?.request).toMatchObject({
      ...{ direction: 'pull', choices: { [clash.key]: 'theirs' }, choicesAlone: true }
    })
    await transfers.cancel([id])
    await transfers.hold(false)
    await until(transfers, pull!.id, ({ state }) => state === 'done')
    expect(sync.done).toEqual(['tiny put-bytes 1.0.0 virtualbox/amd64'])
  })

  it('take no answer that was not offered', async () => {
    const { transfers, id } = await conflicting()
    expect(refusal('invalid', () => transfers.decide(id, { [clash.key]: 'ours' }))).toHaveLength(2)
    expect(refusal('invalid', () => transfers.decide(id, { else: 'theirs' }))).toHaveLength(2)
    expect(transfers.find(id)?.state).toBe('failed')
  })
})

describe('adding', () => {
  it('widens one that waits for the same', async () => {
    const { transfers, request } = await world()
    const [one] = transfers.add([request('tiny', { version: '1.0.0' })])
    const [two] = transfers.add([request('TINY')])
    const [three] = transfers.add([request('other')])
    expect(two?.id).toBe(one?.id)
    expect(transfers.find(one!.id)?.what).toBe('all versions')
    expect(three?.id).not.toBe(one?.id)
  })

  it('starts again what failed of the same', async () => {
    const { transfers, add, request, sync } = await world()
    sync.onOpen = () => Promise.reject(new RemoteFailure('refused', ['No.']))
    const id = add()
    await transfers.start()
    await until(transfers, id, ({ state }) => state === 'failed')
    await transfers.hold(true)
    expect(transfers.add([request()])).toMatchObject([{ id, state: 'queued', problem: null }])
  })

  it('leaves alone what the person paused, when a rule asks for it', async () => {
    const { transfers, request } = await world()
    const pull = request('tiny', { direction: 'pull' })
    const [one] = transfers.add([pull], { byMirror: true })
    await transfers.pause([one!.id])
    expect(transfers.add([pull], { byMirror: true })).toMatchObject([{ id: one!.id, state: 'paused' }])
    expect(transfers.add([pull])).toMatchObject([{ state: 'queued', byMirror: false }])
  })

  it('adds a second one while the first runs, because that may be past it already', async () => {
    const { transfers, add, request, sync } = await world()
    const { passed, open } = gate()
    sync.doing = () => passed
    const id = add()
    await transfers.start()
    await until(transfers, id, isAtWork)
    const [second] = transfers.add([request()])
    expect(second?.id).not.toBe(id)
    open()
    await until(transfers, second!.id, ({ state }) => state === 'done')
  })

  it('within a transaction is there exactly if that is saved', async () => {
    const { transfers, request, db, events } = await world()
    const told: string[] = []
    events.on('transfer-changed', ({ id }) => told.push(id))
    expect(() =>
      write(db, () => {
        transfers.add([request('lost')])
        throw new Error('no')
      })
    ).toThrowError('no')
    expect(transfers.list()).toEqual([])
    await transfers.start()
    told.splice(0)
    write(db, () => {
      transfers.add([request('kept')])
      expect(told).toEqual([])
    })
    await until(transfers, transfers.list()[0]!.id, ({ state }) => state === 'done')
    expect(told.length).toBeGreaterThan(0)
  })

  it('refuses all of them for a remote that is not there', async () => {
    const { transfers, request } = await world()
    refusal('missing', () => transfers.add([request('a'), request('b', { remoteId: 99 })]))
    expect(transfers.list()).toEqual([])
  })

  it('shows whose remote was removed, with the reason', async () => {
    const { transfers, add, db, remoteId } = await world()
    const id = add()
    db.prepare('DELETE FROM remotes WHERE id = ?').run(remoteId)
    await transfers.start()
    const failed = await until(transfers, id, ({ state }) => state === 'failed')
    expect(failed).toMatchObject({ remoteId: null, remoteName: 'Lab' })
    expect(failed.problem?.join(' ')).toMatch(/"Lab" is no longer among the remotes/)
    refusal('missing', () => transfers.retry([id]))
  })
})

it('what goes to a remote that is removed is stopped, and says why', async () => {
  const { transfers, add, sync, db, remoteId, events } = await world()
  sync.doing = ({ signal }) => untilAborted(signal)
  const id = add()
  await transfers.start()
  await until(transfers, id, isAtWork)
  db.prepare('DELETE FROM remotes WHERE id = ?').run(remoteId)
  events.emit('remote-changed', { id: remoteId })
  const failed = await until(transfers, id, ({ state }) => state === 'failed')
  expect(failed.problem?.join(' ')).toMatch(/no longer among the remotes/)
})

describe('after an end', () => {
  it('goes on with what was cut off', async () => {
    const { transfers, add, sync, make } = await world()
    sync.doing = ({ put, signal }) => {
      put?.onProgress(40)
      put?.memo.write({ at: 40 }, 'staged')
      return untilAborted(signal)
    }
    const id = add('tiny', [putStep('1.0.0')])
    await transfers.start()
    await until(transfers, id, ({ bytesDone }) => bytesDone === 40)
    await transfers.close()
    const next = make()
    open.push(next)
    expect(next.find(id)).toMatchObject({ state: 'queued', bytesDone: 40, attempts: 0, problem: null })
    let memo: unknown
    sync.doing = async ({ put }) => void (memo = put?.memo.read())
    await next.start()
    await until(next, id, ({ state }) => state === 'done')
    expect(memo).toEqual({ at: 40 })
  })

  it('of any kind nothing is left as running, and nothing staged for what was cancelled', async () => {
    const { transfers, add, db, blobs } = await world()
    const ids = ['a', 'b', 'c'].map((box) => add(box))
    const states = ['running', 'verifying', 'cancelled']
    const steps = transferStepTable(db)
    for (const [i, id] of ids.entries()) {
      db.prepare('UPDATE transfers SET state = ? WHERE id = ?').run(states[i], id)
      steps.replace(id, [
        {
          key: 'x',
          step: putStep('1.0.0'),
          state: 'running',
          bytesDone: 5,
          memo: '{}',
          stagedId: `staged-${i}`
        }
      ])
    }
    const dropped: string[] = []
    blobs.dropStaged = async (id) => void dropped.push(id)
    await transfers.hold(true)
    await transfers.start()
    expect(ids.map((id) => transfers.find(id)?.state)).toEqual(['queued', 'queued', 'cancelled'])
    expect(transfers.steps(ids[0]!)).toMatchObject([{ state: 'pending', bytesDone: 5 }])
    expect(dropped).toEqual(['staged-2'])
  })

  it('closing does not wait for a remote that hangs, and notes nothing after it', async () => {
    const { transfers, add, sync, pass, lines, make } = await world()
    const { passed, open: go } = gate()
    sync.doing = () => passed
    const id = add()
    await transfers.start()
    await until(transfers, id, isAtWork)
    const closed = transfers.close()
    await new Promise((resolve) => setImmediate(resolve))
    pass(3000)
    await closed
    go()
    await new Promise((resolve) => setImmediate(resolve))
    expect(lines.join('\n')).not.toContain('ERROR')
    const next = make()
    open.push(next)
    sync.doing = () => Promise.resolve()
    await next.start()
    await until(next, id, ({ state }) => state === 'done')
  })
})

describe('what other processes do', () => {
  async function beside(over: Parameters<typeof world>[0] = {}) {
    const made = await world(over)
    const other = openCatalogue(made.dataDir)
    onTestFinished(() => void other.close())
    const set = (sql: string, ...values: unknown[]) => void other.prepare(sql).run(...values)
    return { ...made, set }
  }

  it('is noticed: rows they added', async () => {
    const { transfers, add, set, look } = await beside()
    const id = add()
    set(`UPDATE transfers SET state = 'cancelled'`)
    await transfers.start()
    set(`UPDATE transfers SET state = 'queued'`)
    expect(transfers.find(id)?.state).toBe('queued')
    look()
    await until(transfers, id, ({ state }) => state === 'done')
  })

  it.each(['paused', 'cancelled'])('is noticed: a transfer they had %s', async (state) => {
    const { transfers, add, sync, set, look } = await beside()
    let stopped = false
    sync.doing = ({ signal }) => untilAborted(signal).finally(() => (stopped = true))
    const id = add()
    await transfers.start()
    await until(transfers, id, isAtWork)
    set('UPDATE transfers SET state = ?', state)
    look()
    await until(transfers, id, () => stopped)
    expect(transfers.find(id)?.state).toBe(state)
  })

  it('is told to windows: what they changed, and nothing else', async () => {
    const { transfers, add, set, events } = await beside()
    const [one, two] = [add('a'), add('b')]
    transfers.look()
    const told: string[] = []
    events.on('transfer-changed', ({ id }) => told.push(id))
    transfers.look()
    expect(told).toEqual([])
    set(`UPDATE transfers SET state = 'paused' WHERE id = ?`, one)
    transfers.look()
    expect(told).toEqual([one])
    set('DELETE FROM transfers WHERE id = ?', two)
    transfers.look()
    expect(told).toEqual([one, two])
  })

  it('is noticed: limits they set', async () => {
    const lookAtSettings = (settings: { parallelTransfers: number }) => void (settings.parallelTransfers = 2)
    const { transfers, add, sync, set, look } = await beside({ parallelTransfers: 1, lookAtSettings })
    sync.doing = ({ signal }) => untilAborted(signal)
    const [one, two] = [add('a'), add('b')]
    await transfers.start()
    await until(transfers, one, isAtWork)
    look()
    expect(transfers.find(two)?.state).toBe('queued')
    set(`INSERT INTO settings (key, value) VALUES ('person', '{}')`)
    look()
    await until(transfers, two, isAtWork)
  })

  it('is noticed: a hold', async () => {
    const { transfers, add, sync, set, look } = await beside()
    sync.doing = ({ signal }) => untilAborted(signal)
    const id = add()
    await transfers.start()
    await until(transfers, id, isAtWork)
    set(`INSERT INTO settings (key, value) VALUES ('transfersHeld', 'true')`)
    look()
    await until(transfers, id, (now) => now.state === 'queued')
  })
})

it('maintenance stops what runs before its next step, and it goes on after that', async () => {
  let maintenance = false
  const { transfers, add, sync, look } = await world({ maintenance: () => maintenance })
  sync.doing = async () => void (maintenance = true)
  const id = add()
  await transfers.start()
  await until(transfers, id, ({ state }) => state === 'queued' && maintenance)
  expect(sync.done).toHaveLength(1)
  maintenance = false
  sync.doing = () => Promise.resolve()
  look()
  await until(transfers, id, ({ state }) => state === 'done')
})

describe('the network', () => {
  async function offline() {
    const made = await world()
    made.sync.onOpen = () =>
      Promise.reject(new RemoteFailure('offline', ['No answer.'], { retryAfter: 3_600_000 }))
    const id = made.add()
    await made.transfers.start()
    await until(made.transfers, id, ({ state }) => state === 'waiting')
    made.sync.onOpen = () => Promise.resolve()
    return { ...made, id }
  }

  it('that is another one has what waits for it tried at once', async () => {
    const { transfers, id, pass, look, setNetwork } = await offline()
    look()
    pass(6000)
    look()
    expect(transfers.find(id)?.state).toBe('waiting')
    setNetwork('wifi')
    pass(6000)
    look()
    await until(transfers, id, ({ state }) => state === 'done')
  })

  it('that is back, as a look at the remote found, has what waits for that remote tried', async () => {
    const { transfers, id, remoteId, db, events } = await offline()
    const health = (now: string): void => {
      db.prepare('UPDATE remotes SET health = ?').run(now)
      events.emit('remote-changed', { id: remoteId })
    }
    health('unreachable')
    await new Promise((resolve) => setImmediate(resolve))
    expect(transfers.find(id)?.state).toBe('waiting')
    health('fine')
    await until(transfers, id, ({ state }) => state === 'done')
  })

  it('that is back, as somebody saw, has what waits for that remote tried', async () => {
    const { transfers, id, remoteId } = await offline()
    transfers.kick({ remoteId: remoteId + 1 })
    await new Promise((resolve) => setImmediate(resolve))
    expect(transfers.find(id)?.state).toBe('waiting')
    transfers.kick({ remoteId })
    await until(transfers, id, ({ state }) => state === 'done')
  })
})

it('remembers some hundred that have ended, and lets all others go', async () => {
  const { transfers, add, db } = await world()
  const ids = Array.from({ length: 320 }, (_, i) => add(`box-${i}`))
  await transfers.cancel(ids)
  expect(transfers.list()).toHaveLength(300)
  expect(db.prepare('SELECT count(*) FROM transfers').pluck().get()).toBe(300)
})
