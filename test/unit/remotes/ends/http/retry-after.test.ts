import { expect, it } from 'vitest'
import { retryAfterOf } from '../../../../../src-main/remotes/ends/http/retry-after.ts'

const now = Date.UTC(2026, 10, 21, 12, 0, 0)

it.each<[string | undefined, number | null]>([
  [undefined, null],
  ['', null],
  ['0', 0],
  ['7', 7000],
  [' 120 ', 120_000],
  ['1.5', 1500],
  ['999999999', 999_999_999_000],
  ['99999999999999999999', null],
  ['-5', null],
  ['soon', null],
  ['7 minutes', null],
  ['0x10', null],
  ['1e3', null],
  ['Sat, 21 Nov 2026 12:01:30 GMT', 90_000],
  ['Saturday, 21-Nov-26 12:01:30 GMT', 90_000],
  ['Sat Nov 21 12:01:30 2026 GMT', 90_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['Sun, 22 Nov 2026 12:00:00 GMT', 86_400_000],
  ['Sat, 99 Nov 2026 12:00:00 GMT', null],
  ['2026', 2_026_000],
  ['2026-11-21T12:01:30Z', null]
])('Retry-After: %j asks to wait for %j ms', (header, expected) => {
  expect(retryAfterOf(header, now)).toBe(expected)
})
