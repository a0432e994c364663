import { scaleTime } from 'd3-scale'

/** Something that happened once, to be shown as a dot on an axis of time. */
export interface TimelinePoint {
  readonly name: string
  readonly at: number
}

/** A dot: which point it stands for (its place in what was given), and where it is. */
export interface TimelineDot {
  readonly index: number
  readonly x: number
  /** From the axis upwards, the lowest is 0. */
  readonly row: number
}

/** Points for which a column had no room left. */
export interface TimelineRest {
  readonly indexes: readonly number[]
  readonly x: number
  readonly row: number
}

export interface TimelineLayout {
  readonly dots: readonly TimelineDot[]
  readonly rests: readonly TimelineRest[]
  readonly rows: number
  readonly ticks: readonly { readonly x: number; readonly label: string }[]
}

interface Room {
  readonly width: number
  /** Width of a column, and so the least distance of two dots. */
  readonly column: number
  readonly mostRows: number
  /** A point that has a dot whatever the crowd. */
  readonly selected: number
}

const day = 86_400_000

/**
 * Stacks points of about the same time on one another, the oldest lowest; what does not fit is counted. However many
 * points there are, the dots are at most columns times rows.
 */
export function layOut(points: readonly TimelinePoint[], room: Room): TimelineLayout {
  const columns = Math.max(1, Math.floor(room.width / room.column))
  const times = points.map(({ at }) => at)
  const from = Math.min(...times)
  const until = Math.max(...times)
  const margin = Math.max((until - from) * 0.02, until - from < day ? day : 0)
  const scale = scaleTime()
    .domain([from - margin, until + margin])
    .range([0, columns])
  const crowd = new Map<number, number[]>()
  for (const index of orderOfAge(points)) {
    const column = Math.min(columns - 1, Math.max(0, Math.floor(scale(times[index] as number))))
    crowd.set(column, [...(crowd.get(column) ?? []), index])
  }
  const dots: TimelineDot[] = []
  const rests: TimelineRest[] = []
  for (const [column, indexes] of crowd) {
    const x = (column + 0.5) * (room.width / columns)
    const shown = choose(indexes, room)
    shown.forEach((index, row) => dots.push({ index, x, row }))
    const hidden = indexes.filter((index) => !shown.includes(index))
    if (hidden.length > 0) rests.push({ indexes: hidden, x, row: shown.length })
  }
  const label = scale.tickFormat()
  return {
    dots,
    rests,
    rows: Math.max(1, ...dots.map(({ row }) => row + 1), ...rests.map(({ row }) => row + 1)),
    ticks: scale
      .ticks(Math.max(2, Math.floor(room.width / 96)))
      .map((tick) => ({ x: (scale(tick) / columns) * room.width, label: label(tick) }))
  }
}

function choose(indexes: readonly number[], { mostRows, selected }: Room): readonly number[] {
  if (indexes.length <= mostRows) return indexes
  const shown = indexes.slice(0, mostRows - 1)
  return indexes.includes(selected) && !shown.includes(selected) ? [...shown.slice(0, -1), selected] : shown
}

const orderOfAge = (points: readonly TimelinePoint[]): number[] =>
  points
    .map((_, index) => index)
    .sort((a, b) => (points[a] as TimelinePoint).at - (points[b] as TimelinePoint).at || b - a)
