import type { Arrival } from '../../../src-main/contract/arrivals.ts'
import type { Sending } from '../drop/sending.svelte.ts'

/** What Publish lists: what is still to be published, and what was just now. */
export type Entry =
  | { readonly kind: 'arrival'; readonly id: string; readonly arrival: Arrival }
  | { readonly kind: 'published'; readonly id: string; readonly arrival: Arrival }
  | { readonly kind: 'sending'; readonly id: string; readonly sending: Sending }

const isOpen = ({ state }: Arrival): boolean => !['published', 'cancelled'].includes(state)

/** In the order they are read, so that what was dropped together stays together. */
const byTurn = (a: Arrival, b: Arrival): number => a.position - b.position

export function entriesOf(
  arrivals: readonly Arrival[],
  sendings: readonly Sending[],
  published: readonly Arrival[]
): Entry[] {
  const ids = new Set(arrivals.map(({ id }) => id))
  return [
    ...published.map((arrival) => ({ kind: 'published', id: arrival.id, arrival }) as const),
    ...arrivals
      .filter(isOpen)
      .sort(byTurn)
      .map((arrival) => ({ kind: 'arrival', id: arrival.id, arrival }) as const),
    ...sendings
      .filter(({ id }) => !ids.has(id))
      .map((sending) => ({ kind: 'sending', id: sending.id, sending }) as const)
  ]
}
