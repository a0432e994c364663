import { describe, expect, it, onTestFinished } from 'vitest'
import { RemoteFailure } from '../../../../src-main/remotes/failure.ts'
import { openCatalogue } from '../../../../src-main/store/open.ts'
import { transferStepTable } from '../../../../src-main/store/transfer-steps.ts'
import { write } from '../../../../src-main/store/write.ts'
import { refusal } from '../../../support/catalog.ts'
import { putStep, until } from '../../../support/transfers.ts'
import { world, gate, untilAborted, isAtWork } from '../../../support/running-transfers.ts'

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
    onTestFinished(() => next.close())
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
    onTestFinished(() => next.close())
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

it('remembers some hundred that have ended, and lets all others go', async () => {
  const { transfers, add, db } = await world()
  const ids = Array.from({ length: 320 }, (_, i) => add(`box-${i}`))
  await transfers.cancel(ids)
  expect(transfers.list()).toHaveLength(300)
  expect(db.prepare('SELECT count(*) FROM transfers').pluck().get()).toBe(300)
})
