import { describe, expect, it } from 'vitest'
import type { Step } from '../../../../../src-renderer/features/transfers/merge.ts'
import { announcementOf, worthAToast } from '../../../../../src-renderer/features/transfers/words.ts'
import { arrival } from '../arrival.ts'

const step = (state: Step['arrival']['state'], said: Parameters<typeof arrival>[0] = {}): Step => ({
  arrival: arrival({ state, ...said }),
  from: 'reading'
})

describe('what is announced', () => {
  it.each([
    { steps: [step('ready')], text: 'base.box was read and is ready to be published.' },
    { steps: [step('published')], text: 'base.box was published.' },
    {
      steps: [step('failed', { problem: ['The disk is full.'] })],
      text: 'base.box failed. The disk is full.'
    },
    { steps: [step('reading'), step('waiting'), step('cancelled')], text: '' },
    { steps: [step('ready', { confirmed: true })], text: '' }
  ])('"$text"', ({ steps, text }) => {
    expect(announcementOf(steps)).toBe(text)
  })

  it('is a sum when many come together', () => {
    const steps = [
      ...Array.from({ length: 12 }, () => step('published')),
      step('failed', { problem: ['Why.'] })
    ]
    expect(announcementOf(steps)).toBe('12 files were published. base.box failed. Why.')
  })
})

it('ends are worth a note to somebody who is elsewhere; what was known before the page was is not', () => {
  const steps = [step('published'), step('failed'), step('ready'), { ...step('published'), from: null }]
  expect(worthAToast(steps)).toEqual(steps.slice(0, 2))
})
