import { describe, expect, it } from 'vitest'
import { axisOf, dayText, namedPlaces, spansOf, spanText } from '../../../../src-renderer/ui/chart.ts'

const days = (count: number): { day: string; count: number }[] =>
  Array.from({ length: count }, (_, i) => ({
    day: new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
    count: i
  }))

describe('days put together', () => {
  it.each([
    { given: 30, most: 90, step: 1, spans: 30 },
    { given: 90, most: 90, step: 1, spans: 90 },
    { given: 90, most: 89, step: 7, spans: 13 },
    { given: 365, most: 90, step: 7, spans: 53 },
    { given: 730, most: 60, step: 14, spans: 53 },
    { given: 0, most: 60, step: 1, spans: 0 }
  ])('$given days in room for $most become $spans', ({ given, most, step, spans }) => {
    const made = spansOf(days(given), most)
    expect(made).toHaveLength(spans)
    const last = days(given).slice(-step)
    if (spans > 0) expect(made.at(-1)).toMatchObject({ from: last[0]?.day, to: last.at(-1)?.day })
  })

  it('loses no download', () => {
    const all = days(365)
    const sum = (list: readonly { count: number }[]): number =>
      list.reduce((total, { count }) => total + count, 0)
    expect(sum(spansOf(all, 60))).toBe(sum(all))
  })
})

describe('the axis', () => {
  it.each([
    { highest: 0, top: 4 },
    { highest: 1, top: 4 },
    { highest: 7, top: 8 },
    { highest: 237, top: 250 }
  ])('reaches $top for $highest', ({ highest, top }) => {
    const axis = axisOf(highest)
    expect(axis.top).toBe(top)
    expect(axis.ticks.every(Number.isInteger)).toBe(true)
    expect(axis.ticks[0]).toBe(0)
  })
})

describe('words of the axis of time', () => {
  it('names a day, and a span by both its ends', () => {
    expect(spanText({ from: '2026-01-31', to: '2026-01-31', count: 0 })).toBe('January 31, 2026')
    expect(spanText({ from: '2026-01-25', to: '2026-01-31', count: 0 })).toMatch(
      /^January 25\s?–\s?31, 2026$/
    )
    expect(dayText('2026-01-31')).toBe('Jan 31')
  })

  it.each([1, 12, 53, 90])('are far enough from one another with %i bars', (bars) => {
    const width = 480
    const places = namedPlaces(bars, width, 64)
    expect(places.length).toBeGreaterThan(0)
    for (const [i, place] of places.entries()) {
      expect(place).toBeLessThan(bars)
      if (i > 0) expect(((place - (places[i - 1] ?? 0)) * width) / bars).toBeGreaterThanOrEqual(64)
    }
  })
})
