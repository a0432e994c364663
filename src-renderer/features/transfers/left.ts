/** Speeds of the first moments say nothing of the hours to come. */
const settled = 3000

const since = new Map<string, number>()

/**
 * Seconds until something is done at its speed; null until it has had a speed for a while, and where nobody knows how
 * much there is.
 */
export function secondsLeft(
  {
    id,
    done,
    total,
    bytesPerSecond
  }: { id: string; done: number; total: number | null; bytesPerSecond: number | null },
  now = Date.now()
): number | null {
  if (!bytesPerSecond) {
    since.delete(id)
    return null
  }
  const start = since.get(id) ?? now
  since.set(id, start)
  return total === null || now - start < settled ? null : Math.max(0, total - done) / bytesPerSecond
}
