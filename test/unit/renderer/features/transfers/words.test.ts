import { describe, expect, it } from 'vitest'
import type { RemoteStep, Step } from '../../../../../src-renderer/features/transfers/merge.ts'
import {
  announcementOf,
  remoteAnnouncementOf,
  remoteWorthAToast,
  worthAToast
} from '../../../../../src-renderer/features/transfers/words.ts'
import { arrival } from '../arrival.ts'
import { remoteTransfer } from '../remote-transfer.ts'

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

const remoteStep = (
  said: Parameters<typeof remoteTransfer>[0],
  from: RemoteStep['from'] = 'running'
): RemoteStep => ({ transfer: remoteTransfer(said), from })

describe('what is announced of remotes', () => {
  it.each([
    { steps: [remoteStep({ state: 'done' })], text: 'acme/base 1.2.0 was published to Lab.' },
    {
      steps: [remoteStep({ state: 'done', direction: 'pull' })],
      text: 'acme/base 1.2.0 was fetched from Lab.'
    },
    {
      steps: [remoteStep({ state: 'waiting', problem: ['Lab does not answer.'] })],
      text: 'acme/base 1.2.0 to Lab waits. Lab does not answer.'
    },
    {
      steps: [remoteStep({ state: 'failed', problem: ['The token is not taken.'] })],
      text: 'acme/base 1.2.0 to Lab needs you. The token is not taken.'
    },
    { steps: [remoteStep({ state: 'running' }, 'queued'), remoteStep({ state: 'done' }, null)], text: '' },
    {
      steps: [1, 2, 3].map(() => remoteStep({ state: 'done' })),
      text: '3 transfers are done.'
    }
  ])('"$text"', ({ steps, text }) => {
    expect(remoteAnnouncementOf(steps)).toBe(text)
  })

  it('of a mirror, only what goes wrong is worth a note to somebody elsewhere', () => {
    const steps = [
      remoteStep({ state: 'done' }),
      remoteStep({ state: 'failed', byMirror: true }),
      remoteStep({ state: 'done', byMirror: true }),
      remoteStep({ state: 'waiting' }),
      remoteStep({ state: 'failed' }, null)
    ]
    expect(remoteWorthAToast(steps)).toEqual(steps.slice(0, 2))
  })
})
