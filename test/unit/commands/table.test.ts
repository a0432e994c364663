import { describe, expect, it } from 'vitest'
import { shortTime, table } from '../../../src-main/commands/table.ts'

describe('a table', () => {
  it('has aligned columns under their headings and no spaces at the ends of lines', () => {
    const rows = [
      ['1', 'a long one', ''],
      ['200', 'b', 'x']
    ]
    expect(table(['ID', 'TEXT', 'LAST'], rows)).toBe(
      ['ID   TEXT        LAST', '1    a long one', '200  b           x'].join('\n')
    )
  })

  it('shows its headings when there are no rows', () => {
    expect(table(['ID', 'TEXT'], [])).toBe('ID  TEXT')
  })

  it.each([
    ['colours', '\x1b[31mred', '?[31mred'],
    ['line breaks', 'a\r\nb', 'a??b'],
    ['eight-bit controls', 'a\x9b2J', 'a?2J'],
    ['text turned around', 'a\u202eb', 'a?b'],
    ['letters of any language', 'zoë 日本', 'zoë 日本']
  ])('lets no text steer the terminal: %s', (_what, text, shown) => {
    expect(table(['T'], [[text]])).toBe(`T\n${shown}`)
  })

  it('shows times to the second', () => {
    expect(shortTime(Date.UTC(2026, 0, 31, 12, 5, 9, 999))).toBe('2026-01-31 12:05:09 UTC')
  })
})
