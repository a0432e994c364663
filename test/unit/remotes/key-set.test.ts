import { expect, it } from 'vitest'
import { KeySet } from '../../../src-main/remotes/key-set.ts'

it('remembers every text it was given, and no other', () => {
  const set = new KeySet()
  for (let i = 0; i < 50_000; i++) set.add(`acme/box-${i}`)
  for (let i = 0; i < 50_000; i += 7) set.add(`acme/box-${i}`)
  expect(set.size).toBe(50_000)
  let known = 0
  let strangers = 0
  for (let i = 0; i < 50_000; i++) {
    if (set.has(`acme/box-${i}`)) known += 1
    if (set.has(`acme/box-${i}x`)) strangers += 1
  }
  expect([known, strangers]).toEqual([50_000, 0])
  expect(set.has('')).toBe(false)
})
