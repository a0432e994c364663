import { expect, it } from 'vitest'
import type { TransferStep } from '../../../../../src-main/contract/transfers.ts'
import { withProgress } from '../../../../../src-renderer/features/sync/progress-of-steps.ts'

const step = (key: string, said: Partial<TransferStep> = {}): TransferStep => ({
  ...{ key, kind: 'put-bytes', sentence: key, state: 'pending', bytes: 100, bytesDone: 0 },
  ...said
})

it('steps that were read show how far the one under way is by now', () => {
  const read = [
    step('one', { state: 'done', bytesDone: 100 }),
    step('two', { state: 'running' }),
    step('three')
  ]
  const now = step('two', { state: 'running', bytesDone: 60 })
  expect(withProgress(read, { step: now })).toEqual([read[0], now, read[2]])
  expect(withProgress(read, { step: null })).toEqual(read)
})
