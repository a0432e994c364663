import { hierarchy, treemap } from 'd3-hierarchy'

/** Something that takes its share of the picture. */
export interface TreemapItem {
  readonly name: string
  readonly bytes: number
}

/** Where it is drawn, in pixels. */
export interface Tile<T extends TreemapItem> {
  readonly item: T
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Divides a rectangle among the items by their bytes, the largest first; those without any are left out. */
export function tilesOf<T extends TreemapItem>(
  items: readonly T[],
  width: number,
  height: number
): readonly Tile<T>[] {
  interface Node {
    readonly item?: T
    readonly children?: readonly Node[]
  }
  const root: Node = { children: items.filter(({ bytes }) => bytes > 0).map((item) => ({ item })) }
  const tree = hierarchy<Node>(root, ({ children }) => children)
    .sum(({ item }) => item?.bytes ?? 0)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const laid = treemap<Node>().size([width, height]).paddingInner(2).round(true)(tree)
  return laid
    .leaves()
    .flatMap(({ data, x0, y0, x1, y1 }) =>
      data.item
        ? [{ item: data.item, x: x0, y: y0, width: Math.max(1, x1 - x0), height: Math.max(1, y1 - y0) }]
        : []
    )
}

/** The text as it fits, shortened if at least a few letters of it do; null when it is better left out. */
export function fitted(text: string, width: number, measure: (text: string) => number): string | null {
  if (measure(text) <= width) return text
  let [fits, not] = [0, text.length]
  while (not - fits > 1) {
    const middle = (fits + not) >> 1
    if (measure(`${text.slice(0, middle)}…`) <= width) fits = middle
    else not = middle
  }
  return fits < 3 ? null : `${text.slice(0, fits)}…`
}

const hues = 5

/** Which of the colours each name has: they take turns in the order of the alphabet, so that a size changes none. */
export function huesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...names].sort().map((name, place) => [name, (place % hues) + 1]))
}
