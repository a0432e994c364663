import { describe, expect, it } from 'vitest'
import { bulkSummary } from '../../../../../src-renderer/features/library/bulk-summary.ts'
import { syncPlan } from '../remote.ts'

const plan = (...said: Parameters<typeof syncPlan>) => ({ plan: syncPlan(...said) })
const conflict = { key: 'a', sentence: 'Both differ.', choices: [], chosen: null }
const sentences = (...said: Parameters<typeof bulkSummary>): string[] =>
  bulkSummary(...said).map(({ sentence }) => sentence)

describe('what would become of many boxes at a remote', () => {
  it.each([
    { what: 'nothing is known yet', outlooks: [], all: 30, said: [] },
    {
      what: 'some have something to publish and others are there',
      outlooks: [plan(['create-box']), plan(['release 1.0.0']), plan()],
      all: 3,
      said: ['2 boxes have something to publish.', '1 box is there already.']
    },
    {
      what: 'one needs a decision',
      outlooks: [plan([], { conflicts: [conflict] })],
      all: 1,
      said: ['1 box needs a decision, which Transfers asks for; the others do not wait for it.']
    },
    {
      what: 'a decision was taken before',
      outlooks: [plan([], { conflicts: [{ ...conflict, chosen: 'keep-both' }] })],
      all: 1,
      said: ['1 box is there already.']
    },
    {
      what: 'it does not answer and was never seen',
      outlooks: [plan(['create-box'], { asSeenAt: 0, unreachable: ['There is no network.'] })],
      all: 5,
      said: [
        'It does not answer now; everything goes there when it does. There is no network.',
        '4 others are looked at when their turn comes.'
      ]
    },
    {
      what: 'one cannot be planned',
      outlooks: [{ problem: ['It is gone.'] }, { problem: ['It is gone.'] }],
      all: 2,
      said: ['2 boxes cannot be published. It is gone.']
    }
  ] as const)('when $what', ({ outlooks, all, said }) => {
    expect(sentences(outlooks, all)).toEqual(said)
  })
})
