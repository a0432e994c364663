import { scaleTime } from 'd3-scale'

/** A dot: which point it stands for (its place in what was given), and where it is. */
export interface TimelineDot {
  readonly index: number
  readonly x: number
  /** From the axis upwards, the lowest is 0. */
  readonly row: number
}

/** Points of about the same time, the oldest first. */
export interface TimelineColumn {
  readonly x: number
  readonly indexes: readonly number[]
}

export interface TimelineLayout {
  /** One for each point; null where they are too many, so that columns are drawn as bars. */
  readonly dots: readonly TimelineDot[] | null
  readonly columns: readonly TimelineColumn[]
  /** Points in the fullest column. */
  readonly most: number
  /** Times that are named below the axis. */
  readonly ticks: readonly { readonly x: number; readonly label: string }[]
}

interface Room {
  readonly width: number
  /** Width of a column, and so the least distance of two dots. */
  readonly column: number
  /** Dots on one another. */
  readonly mostRows: number
}

const day = 86_400_000
const tickDistance = 96
/** No name may reach beyond the picture. */
const halfLabel = 28

/**
 * Puts points of about the same time above one another. However many points there are, there are at most as many marks
 * as columns times rows.
 */
export function layOut(
  times: readonly number[],
  { width, column: columnWidth, mostRows }: Room
): TimelineLayout {
  const count = Math.max(1, Math.floor(width / columnWidth))
  const from = times.reduce((least, time) => Math.min(least, time), Infinity)
  const until = times.reduce((most, time) => Math.max(most, time), -Infinity)
  const margin = until - from < day ? day : 0
  const scale = scaleTime()
    .domain([from - margin, until + margin])
    .range([0, width])
  const filled = new Map<number, number[]>()
  for (const index of orderOfAge(times)) {
    const place = Math.min(count - 1, Math.floor((scale(times[index] as number) / width) * count))
    const there = filled.get(place)
    if (there) there.push(index)
    else filled.set(place, [index])
  }
  const columns = [...filled].map(([place, indexes]) => ({ x: (place + 0.5) * (width / count), indexes }))
  const most = Math.max(0, ...columns.map(({ indexes }) => indexes.length))
  const label = scale.tickFormat()
  return {
    dots:
      most > mostRows
        ? null
        : columns.flatMap(({ x, indexes }) => indexes.map((index, row) => ({ index, x, row }))),
    columns,
    most,
    ticks: scale
      .ticks(Math.max(2, Math.floor(width / tickDistance)))
      .map((tick) => ({ x: scale(tick), label: label(tick) }))
      .filter(({ x }) => x >= halfLabel && x <= width - halfLabel)
  }
}

/** Places in `times`, the oldest first; of those of the same time, the one given last. */
export const orderOfAge = (times: readonly number[]): number[] =>
  times.map((_, index) => index).sort((a, b) => (times[a] as number) - (times[b] as number) || b - a)
