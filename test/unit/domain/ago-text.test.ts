import { expect, it } from 'vitest'
import { agoText } from '../../../src-main/domain/ago-text.ts'

const hour = 3_600_000

it.each([
  [-hour, 'less than an hour ago'],
  [0, 'less than an hour ago'],
  [hour - 1, 'less than an hour ago'],
  [hour, '1 hour ago'],
  [2 * hour - 1, '1 hour ago'],
  [47 * hour, '47 hours ago'],
  [48 * hour, '2 days ago'],
  [24 * 400 * hour, '400 days ago']
])('%i milliseconds are %s', (age, text) => {
  expect(agoText(age)).toBe(text)
})
