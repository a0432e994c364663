import { expect, test } from 'vitest'
import { pressed, shortcuts, type ShortcutId } from '../../../../src-renderer/app/shortcuts.ts'

const none = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
const key = (name: string, more: Partial<typeof none> = {}): KeyboardEvent =>
  ({ ...none, key: name, ...more }) as KeyboardEvent
// Tests run where Mod may be either key.
const mod = /mac/i.test(navigator.platform) ? { metaKey: true } : { ctrlKey: true }

test.each<[ShortcutId, KeyboardEvent, boolean]>([
  ['palette', key('k', mod), true],
  ['palette', key('K', mod), true],
  ['palette', key('k'), false],
  ['palette', key('k', { ...mod, altKey: true }), false],
  ['search', key('/'), true],
  ['search', key('/', mod), false],
  ['shortcuts', key('?', { shiftKey: true }), true],
  ['place3', key('3', mod), true],
  ['place3', key('3'), false]
])('%s is told from other keys', (id, event, expected) => expect(pressed(event, id)).toBe(expected))

test('no two shortcuts of the whole window share their keys', () => {
  const keys = Object.values(shortcuts)
    .filter(({ where }) => where === 'Everywhere')
    .flatMap(({ keys }) => keys as readonly string[])
  expect(new Set(keys).size).toBe(keys.length)
})
