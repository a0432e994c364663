import { describe, expect, it } from 'vitest'
import type { SyncConflict } from '../../../../../src-main/contract/sync.ts'
import { ofHeldRemote, ofRemote } from '../../../../../src-renderer/features/transfers/remote-rows.ts'
import { remoteTransfer } from '../remote-transfer.ts'

const conflict = (chosen: SyncConflict['chosen'] = null): SyncConflict => ({
  key: 'put-bytes',
  sentence: 'Both have other bytes.',
  choices: [{ choice: 'keep-both', sentence: 'Keep both.' }],
  chosen
})

describe('where a box to or from a remote stands', () => {
  it.each([
    { said: { state: 'queued' }, group: 'waiting', state: 'waiting', word: 'Waiting' },
    { said: { state: 'running' }, group: 'running', state: 'uploading', word: 'Publishing' },
    {
      said: { state: 'running', direction: 'pull' },
      ...{ group: 'running', state: 'downloading', word: 'Fetching' }
    },
    {
      said: { state: 'running', direction: 'pull', byMirror: true },
      ...{ group: 'running', state: 'downloading', word: 'Mirroring' }
    },
    { said: { state: 'verifying' }, group: 'running', state: 'verifying', word: 'Verifying' },
    { said: { state: 'paused' }, group: 'waiting', state: 'paused', word: 'Paused' },
    { said: { state: 'waiting' }, group: 'waiting', state: 'retrying', word: 'Tries again' },
    {
      said: { state: 'waiting', waitingFor: 'network' },
      ...{ group: 'waiting', state: 'retrying', word: 'Offline' }
    },
    {
      said: { state: 'waiting', waitingFor: 'remote' },
      ...{ group: 'waiting', state: 'retrying', word: 'No answer' }
    },
    {
      said: { state: 'waiting', waitingFor: 'rate-limit' },
      ...{ group: 'waiting', state: 'retrying', word: 'Told to wait' }
    },
    { said: { state: 'failed' }, group: 'attention', state: 'failed', word: 'Failed' },
    {
      said: { state: 'failed', conflicts: [conflict()] },
      ...{ group: 'attention', state: 'undecided', word: 'To be decided' }
    },
    {
      said: { state: 'failed', conflicts: [conflict('keep-both')] },
      ...{ group: 'attention', state: 'failed', word: 'Failed' }
    },
    {
      said: { state: 'running', conflicts: [conflict()] },
      ...{ group: 'running', state: 'uploading', word: 'Publishing' }
    },
    {
      said: { state: 'done', stepsTotal: 1, bytesTotal: 0 },
      ...{ group: 'finished', state: 'done', word: 'Published', total: null }
    },
    {
      said: { state: 'done', direction: 'pull', stepsTotal: 1, bytesTotal: 7 },
      ...{ group: 'finished', state: 'done', word: 'Fetched', total: 7 }
    },
    {
      said: { state: 'done', bytesTotal: 0 },
      ...{ group: 'finished', state: 'done', word: 'Nothing to do', total: null }
    },
    { said: { state: 'cancelled' }, group: 'finished', state: 'cancelled', word: 'Cancelled' }
  ] as const)('$said.state $said.waitingFor $said.direction is $word', ({ said, ...row }) => {
    expect(ofRemote(remoteTransfer(said))).toMatchObject(row)
  })
})

it.each([
  { direction: 'publish', where: 'To Lab', way: 'out' },
  { direction: 'pull', where: 'From Lab', way: 'in' }
] as const)('it says what goes where: $where', ({ direction, where, way }) => {
  expect(ofRemote(remoteTransfer({ direction }))).toMatchObject({
    what: 'acme/base 1.2.0',
    where,
    direction: way
  })
})

it('why it waits or failed is said while it does, and not once it goes on', () => {
  const problem = ['Lab does not answer.']
  const told = (['waiting', 'failed', 'paused', 'running', 'done'] as const).filter(
    (state) => ofRemote(remoteTransfer({ state, problem })).problem !== null
  )
  expect(told).toEqual(['waiting', 'failed', 'paused'])
})

it('what waits for a remote that failed with others says so', () => {
  const row = ofRemote(remoteTransfer({ state: 'waiting', waitingFor: 'remote' }))
  expect(row.problem).toEqual(['Lab did not answer several times, so it is left alone for a while.'])
})

describe('while everything is held', () => {
  it.each(['queued', 'waiting'] as const)('what is %s is on hold, and tries nothing', (state) => {
    expect(ofHeldRemote(remoteTransfer({ state, problem: ['Why.'] }))).toMatchObject({
      state: 'held',
      word: 'On hold',
      group: 'waiting',
      problem: null
    })
  })

  it.each(['failed', 'done', 'paused', 'running'] as const)('what is %s stays as it is', (state) => {
    const transfer = remoteTransfer({ state })
    expect(ofHeldRemote(transfer)).toEqual(ofRemote(transfer))
  })
})
