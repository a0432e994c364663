import { describe, expect, it, onTestFinished } from 'vitest'
import { RemoteFailure } from '../../../../src-main/remotes/failure.ts'
import { carryOut, carryOutHere } from '../../../../src-main/remotes/transfers/carry-out.ts'
import { takeTransfersLock } from '../../../../src-main/store/locks.ts'
import { transfersWorld, until, versionStep } from '../../../support/transfers.ts'

const never = new AbortController().signal

async function world() {
  const made = await transfersWorld()
  const { transfers, request, sync, dataDir, log } = made
  const add = (box: string): string => {
    sync.steps.set(box, [versionStep('1.0.0')])
    return transfers.add([request(box)])[0]!.id
  }
  return { ...made, add, app: { dataDir, log, remoteTransfers: transfers } }
}

describe('a command', () => {
  it('carries out its own transfers when nobody else does, and leaves the others', async () => {
    const { add, app, transfers, dataDir, sync } = await world()
    const other = add('other')
    const own = add('own')
    const told: string[] = []
    const all = await carryOutHere(app, [own], {
      signal: never,
      onChange: (changed) => told.push(...changed.map(({ state }) => state))
    })
    expect(all).toMatchObject([{ id: own, state: 'done' }])
    expect(told[0]).toBe('queued')
    expect(told.at(-1)).toBe('done')
    expect(transfers.find(other)?.state).toBe('queued')
    expect(sync.done).toEqual(['own create-version 1.0.0'])
    const lock = takeTransfersLock(dataDir)
    expect(lock).not.toBeNull()
    lock?.release()
  })

  it('only watches while another process carries them out', async () => {
    const { add, app, make, dataDir, sync } = await world()
    const lock = takeTransfersLock(dataDir)
    onTestFinished(() => lock?.release())
    const server = make()
    onTestFinished(() => server.close())
    const id = add('own')
    const watched = carryOutHere(app, [id], { signal: never })
    await server.start()
    await until(server, id, ({ state }) => state === 'done')
    expect(await watched).toMatchObject([{ state: 'done' }])
    expect(sync.opened).toHaveLength(1)
  })

  it('parks them when it is told to end', async () => {
    const { add, app, sync, transfers } = await world()
    const end = new AbortController()
    sync.doing = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new RemoteFailure('offline', ['Cut off.'])))
        end.abort()
      })
    const id = add('own')
    const all = await carryOutHere(app, [id], { signal: end.signal })
    expect(transfers.find(id)).toMatchObject({ state: 'queued', attempts: 0 })
    expect(all).toMatchObject([{ id, state: 'queued' }])
  })

  it('waits no longer than it is told to', async () => {
    const { add, app, sync } = await world()
    sync.onOpen = () => Promise.reject(new RemoteFailure('offline', ['No answer.']))
    const id = add('own')
    const all = await carryOutHere(app, [id], {
      signal: never,
      isOver: ({ state }) => state === 'waiting' || state === 'done'
    })
    expect(all).toMatchObject([{ state: 'waiting' }])
  })
})

describe('the process that serves the folder', () => {
  it('carries out what waits, and lets another one do so when it ends', async () => {
    const { add, app, transfers, dataDir } = await world()
    const id = add('one')
    const end = carryOut(app)
    await until(transfers, id, ({ state }) => state === 'done')
    expect(takeTransfersLock(dataDir)).toBeNull()
    await end()
    const lock = takeTransfersLock(dataDir)
    expect(lock).not.toBeNull()
    lock?.release()
  })

  it('begins when the command ends that is at it', async () => {
    const { add, app, transfers, dataDir, sync } = await world()
    const lock = takeTransfersLock(dataDir)
    const id = add('one')
    const end = carryOut(app)
    onTestFinished(end)
    await new Promise((resolve) => setImmediate(resolve))
    expect(sync.opened).toEqual([])
    lock?.release()
    await expect.poll(() => transfers.find(id)?.state, { timeout: 5000 }).toBe('done')
  })
})
