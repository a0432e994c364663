import { describe, expect, it } from 'vitest'
import { RemoteFailure } from '../../../../src-main/remotes/failure.ts'
import { mostSteps } from '../../../../src-main/remotes/transfers/views.ts'
import { transferTable } from '../../../../src-main/store/transfers.ts'
import { transferStepTable } from '../../../../src-main/store/transfer-steps.ts'
import { refusal } from '../../../support/catalog.ts'
import { putStep, until, versionStep } from '../../../support/transfers.ts'
import { world, gate, clash } from '../../../support/running-transfers.ts'

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
