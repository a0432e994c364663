import { describe, expect, it } from 'vitest'
import { Problem } from '../../../../src-main/domain/problem.ts'
import { RemoteFailure, type FailureKind } from '../../../../src-main/remotes/failure.ts'
import { putStep, until } from '../../../support/transfers.ts'
import { world } from '../../../support/running-transfers.ts'

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
