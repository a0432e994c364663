const moves: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowRight: (place) => place + 1,
  ArrowUp: (place) => place + 1,
  ArrowLeft: (place) => place - 1,
  ArrowDown: (place) => place - 1,
  Home: () => 0,
  End: (_, last) => last
}

/** Where a key takes somebody among so many places of a picture that is a slider; null for a key that does not. */
export function slidTo(key: string, place: number, count: number): number | null {
  if (!Object.hasOwn(moves, key) || count === 0) return null
  const to = moves[key]?.(place, count - 1) ?? place
  return Math.min(count - 1, Math.max(0, to))
}
