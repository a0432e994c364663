import { expect, test } from 'vitest'
import { matches } from '../../../../../src-renderer/features/palette/matches.ts'

test.each<[string, readonly string[], boolean]>([
  ['', ['Storage'], true],
  ['stor', ['Storage'], true],
  ['up clean', ['Clean up storage'], true],
  ['disk', ['Clean up storage', 'free', 'disk'], true],
  ['clean boxes', ['Clean up storage'], false]
])('"%s" finds %o: %s', (typed, texts, expected) => expect(matches(typed, ...texts)).toBe(expected))
