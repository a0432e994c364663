import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { RemoteFailure } from '../../../../src-main/remotes/failure.ts'
import { settleCutOff } from '../../../../src-main/remotes/transfers/carry-out.ts'
import { transferStepTable } from '../../../../src-main/store/transfer-steps.ts'
import { takeTransfersLock } from '../../../../src-main/store/locks.ts'
import { heldBytes } from '../../../../src-main/store/held-bytes.ts'
import { putStep, transfersWorld, until, versionStep } from '../../../support/transfers.ts'

async function world() {
  const made = await transfersWorld()
  onTestFinished(() => made.transfers.close())
  const { transfers, request, sync } = made
  const add = (box: string, steps = [versionStep('1.0.0')]): string => {
    sync.steps.set(box, steps)
    return transfers.add([request(box)])[0]!.id
  }
  return { ...made, add }
}

const hour = 60 * 60_000

describe('a clock that is set back by an hour', () => {
  it('keeps what waits for a moment waiting no longer than that', async () => {
    const { transfers, add, sync, clock, look, pass } = await world()
    let fails = true
    sync.doing = async () => {
      if (fails) throw new RemoteFailure('busy', ['Not now.'])
    }
    const id = add('one')
    await transfers.start()
    look()
    const waiting = await until(transfers, id, ({ state }) => state === 'waiting')
    const wait = waiting.nextAttemptAt! - clock.now()
    fails = false
    clock.pass(-hour)
    look()
    expect(transfers.find(id)?.nextAttemptAt).toBe(clock.now() + wait)
    pass(wait + 1)
    await until(transfers, id, ({ state }) => state === 'done')
  })

  it('does not keep the network from being looked at', async () => {
    const { transfers, add, sync, clock, look, setNetwork } = await world()
    let fails = true
    sync.onOpen = async () => {
      if (fails) throw new RemoteFailure('offline', ['Nobody there.'])
    }
    const id = add('one')
    await transfers.start()
    await until(transfers, id, ({ state }) => state === 'waiting')
    clock.pass(10_000)
    look()
    clock.pass(-hour)
    fails = false
    setNetwork('wlan')
    look()
    await until(transfers, id, ({ state }) => state === 'done')
  })
})

it('what is due goes on though no timer rang, as after a computer slept', async () => {
  const { transfers, add, sync, clock, look } = await world()
  let fails = true
  sync.doing = async () => {
    if (fails) throw new RemoteFailure('busy', ['Not now.'])
  }
  const id = add('one')
  await transfers.start()
  await until(transfers, id, ({ state }) => state === 'waiting')
  fails = false
  clock.pass(hour)
  look()
  await until(transfers, id, ({ state }) => state === 'done')
})

it('what could not be saved while the disk was full goes on by itself once there is room', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { transfers, add, db, look, clock, sync } = await world()
  const id = add('one')
  const pages = db.pragma('page_count', { simple: true }) as number
  // As small as it can be: nothing that needs a page more can be written.
  db.exec('CREATE TABLE filler (bytes BLOB)')
  db.pragma(`max_page_count = ${pages + 1}`)
  expect(() => db.exec('INSERT INTO filler SELECT randomblob(1000000)')).toThrow(/full/)
  db.exec(
    `CREATE TRIGGER full BEFORE UPDATE ON transfers BEGIN INSERT INTO filler SELECT randomblob(1000000); END`
  )
  await transfers.start()
  await vi.advanceTimersByTimeAsync(5000)
  expect(transfers.find(id)?.state).toBe('queued')
  expect(sync.done).toEqual([])
  db.exec('DROP TRIGGER full')
  await vi.advanceTimersByTimeAsync(5000)
  expect(transfers.find(id)).toMatchObject({
    state: 'waiting',
    problem: [expect.stringMatching(/disk is full/)]
  })
  clock.pass(10_000)
  look()
  await until(transfers, id, ({ state }) => state === 'done')
})

it('many steps that wait for nothing let others have their turn in between', async () => {
  const { transfers, add, sync } = await world()
  let turns = 0
  const turn = (): void => {
    turns += 1
    if (!over) setImmediate(turn)
  }
  let over = false
  setImmediate(turn)
  const seen: number[] = []
  sync.doing = async () => void seen.push(turns)
  const id = add(
    'one',
    Array.from({ length: 20 }, (_, i) => versionStep(`${i}.0.0`))
  )
  await transfers.start()
  await until(transfers, id, ({ state }) => state === 'done')
  over = true
  expect(new Set(seen).size).toBe(20)
})

it('bytes of what a removed remote had begun to send are not kept', async () => {
  const { transfers, add, sync, db, events, remoteId, blobs } = await world()
  sync.doing = ({ put, signal }) => {
    put?.memo.write({ some: 'thing' }, 'staged')
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(new RemoteFailure('offline', ['Cut off.'])))
    )
  }
  const dropped: string[] = []
  const drop = blobs.dropStaged.bind(blobs)
  blobs.dropStaged = (id) => {
    dropped.push(id)
    return drop(id)
  }
  const id = add('one', [putStep('1.0.0')])
  await transfers.start()
  await until(transfers, id, () => heldBytes(db).staged('staged'))
  db.prepare('DELETE FROM remotes WHERE id = ?').run(remoteId)
  events.emit('remote-changed', { id: remoteId })
  await until(transfers, id, ({ state }) => state === 'failed')
  expect(dropped).toEqual(['staged'])
  expect(heldBytes(db).staged('staged')).toBe(false)
})

describe('a command whose like was killed in the middle', () => {
  it('goes on with what that one had begun', async () => {
    const { transfers, add, db, dataDir, log } = await world()
    const id = add('one')
    db.prepare("UPDATE transfers SET state = 'running'").run()
    await settleCutOff({ dataDir, log, remoteTransfers: transfers })
    expect(transfers.find(id)?.state).toBe('queued')
    expect(add('one')).toBe(id)
    const lock = takeTransfersLock(dataDir)
    expect(lock).not.toBeNull()
    lock?.release()
  })

  it('leaves alone what another process is carrying out', async () => {
    const { transfers, add, db, dataDir, log } = await world()
    const id = add('one')
    db.prepare("UPDATE transfers SET state = 'running'").run()
    const lock = takeTransfersLock(dataDir)
    onTestFinished(() => lock?.release())
    await settleCutOff({ dataDir, log, remoteTransfers: transfers })
    expect(transfers.find(id)?.state).toBe('running')
  })
})

it.each(['paused', 'cancelled'] as const)(
  'a process that was killed while one was being %s leaves none of its steps at work',
  async (state) => {
    const { transfers, add, db, make } = await world()
    const id = add('one', [putStep('1.0.0')])
    transferStepTable(db).replace(id, [
      { key: 'one', step: putStep('1.0.0'), state: 'running', bytesDone: 7, memo: null, stagedId: null }
    ])
    db.prepare('UPDATE transfers SET state = ?').run(state)
    await make().recover()
    expect(transfers.steps(id).map(({ state }) => state)).toEqual(['pending'])
  }
)

it('one that is cancelled in the middle leaves no step at work', async () => {
  const { transfers, add, sync } = await world()
  sync.doing = ({ signal }) =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(new RemoteFailure('offline', ['Cut off.'])))
    )
  const id = add('one')
  await transfers.start()
  await until(transfers, id, ({ step }) => step?.state === 'running')
  await transfers.cancel([id])
  expect(transfers.steps(id).map(({ state }) => state)).toEqual(['pending'])
})
