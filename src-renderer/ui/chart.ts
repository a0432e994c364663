import { scaleLinear } from 'd3-scale'

/** What happened on one day, "2026-01-31" (UTC). */
export interface DayCount {
  readonly day: string
  readonly count: number
}

/** What happened from one day to another, both within it. */
export interface Span {
  readonly from: string
  readonly to: string
  readonly count: number
}

/** Puts days together so that there are at most `most` of them; the last one, which ends today, is always whole. */
export function spansOf(days: readonly DayCount[], most: number): Span[] {
  const steps = [1, 7, 14, 28]
  const step = steps.find((length) => days.length / length <= most) ?? 56
  const spans: Span[] = []
  for (let end = days.length; end > 0; end -= step) {
    const part = days.slice(Math.max(0, end - step), end)
    const [first, last] = [part[0], part.at(-1)]
    if (first && last)
      spans.unshift({ from: first.day, to: last.day, count: part.reduce((sum, { count }) => sum + count, 0) })
  }
  return spans
}

/** The top of the axis, and whole numbers to write beside it. */
export function axisOf(highest: number): { top: number; ticks: number[] } {
  const scale = scaleLinear()
    .domain([0, Math.max(highest, 4)])
    .nice(4)
  return { top: scale.domain()[1] ?? highest, ticks: scale.ticks(4).filter(Number.isInteger) }
}

const long = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC'
})
const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** "January 31, 2026", or "January 25 – 31, 2026" */
export const spanText = ({ from, to }: Span): string =>
  from === to ? long.format(timeOf(from)) : long.formatRange(timeOf(from), timeOf(to))

/** "Jan 31" */
export const dayText = (day: string): string => short.format(timeOf(day))

/** Places of the spans that are named below the axis: about every `distance` pixels, the last one among them. */
export function namedPlaces(spans: number, width: number, distance: number): number[] {
  const step = Math.max(1, Math.ceil((spans * distance) / Math.max(width, 1)))
  const places: number[] = []
  for (let place = spans - 1 - Math.floor(step / 2); place >= 0; place -= step) places.unshift(place)
  return places
}
