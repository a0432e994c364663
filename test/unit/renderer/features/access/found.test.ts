import { describe, expect, it } from 'vitest'
import { found } from '../../../../../src-renderer/features/access/found.ts'

const rows = ['Alice alice@example.org', 'bob', 'alice-bot'].map((text) => text.split(' '))
const names = (typed: string) => found(rows, typed, (texts) => texts).shown.map(([name]) => name)

describe('finding a row', () => {
  it.each([
    ['', ['Alice', 'bob', 'alice-bot']],
    ['ALICE', ['Alice', 'alice-bot']],
    [' bot  ali ', ['alice-bot']],
    ['example.org', ['Alice']],
    ['.*', []]
  ])('by %j', (typed, expected) => {
    expect(names(typed)).toEqual(expected)
  })

  it('shows as many as people read, and says how many more there are', () => {
    const many = Array.from({ length: 1234 }, (_, n) => `row ${n}`)
    const { shown, more } = found(many, 'row', (text) => [text])
    expect([shown.length, more]).toEqual([200, 1034])
  })
})
