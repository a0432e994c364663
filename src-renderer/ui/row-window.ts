/** The height of a row of a grid, and of its head, in pixels. */
export const rowHeight = 28
/** Rows drawn beyond the edges, so that slow scrolling never meets an empty place. */
const overscan = 8
/** Browsers cannot scroll much farther than this; nobody finds anything there either. */
const mostRows = 1_100_000

/** How a grid lies before the person: how far it is scrolled, and how high it is with its head. */
export interface Sight {
  readonly top: number
  readonly height: number
  readonly total: number
}

/** Which rows of a grid are drawn. */
export interface RowWindow {
  /** As many as can be scrolled to. */
  readonly total: number
  readonly first: number
  /** Before `first` when there is nothing to draw. */
  readonly last: number
  /** Whole rows that can be seen at once. */
  readonly inSight: number
}

export function rowWindow({ top, height, total }: Sight): RowWindow {
  const reachable = Math.min(total, mostRows)
  const inSight = Math.max(1, Math.floor((height - rowHeight) / rowHeight))
  const upmost = Math.floor(top / rowHeight)
  return {
    total: reachable,
    first: Math.max(0, upmost - overscan),
    last: Math.min(reachable - 1, upmost + inSight + overscan),
    inSight
  }
}

/** How far a grid has to be scrolled for a row to be seen whole; no farther than that. */
export function scrolledTo(index: number, { top, height }: Pick<Sight, 'top' | 'height'>): number {
  const at = index * rowHeight
  const lowest = at - (height - 2 * rowHeight)
  if (at < top) return at
  return lowest > top ? lowest : top
}
