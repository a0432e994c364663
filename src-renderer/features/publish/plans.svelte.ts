import { untrack } from 'svelte'
import type { Arrival, ArrivalPlan } from '../../../src-main/contract/arrivals.ts'
import { ask, onEvent, onLost } from '../../api.ts'

interface Entry {
  readonly key: string
  readonly plan: ArrivalPlan
}

/** Plans of all that can still be corrected, read again when a draft or anything in the database changed. */
export interface Plans {
  of(id: string): ArrivalPlan | undefined
}

const isOpen = ({ state }: Arrival): boolean =>
  state === 'waiting' || state === 'reading' || state === 'ready'

/** What a plan depends on besides the database. */
const keyOf = ({ draft, found }: Arrival): string => JSON.stringify([draft, found])

/**
 * To be called while a component is made. One is read after the other, the one that `first` names before all others, so
 * that a thousand files cost the product no more at any moment than one.
 */
export function followPlans(arrivals: () => readonly Arrival[], first: () => string | null): Plans {
  let plans = $state.raw<ReadonlyMap<string, Entry>>(new Map())
  /** Read before that, a plan may be wrong by now, whatever its key. */
  let generation = 0
  const readIn = new Map<string, number>()
  let running = false
  let ended = false

  const due = (): Arrival | undefined => {
    if (ended) return undefined
    const open = arrivals().filter(isOpen)
    const isDue = (arrival: Arrival): boolean =>
      plans.get(arrival.id)?.key !== keyOf(arrival) || readIn.get(arrival.id) !== generation
    return open.find((arrival) => arrival.id === first() && isDue(arrival)) ?? open.find(isDue)
  }

  async function pump(): Promise<void> {
    if (running) return
    running = true
    for (let next = due(); next; next = due()) {
      const { id } = next
      const now = generation
      const plan = await ask('arrivals.plan', { id }).catch(() => undefined)
      readIn.set(id, now)
      plans = new Map(plans).set(id, { key: keyOf(next), plan: plan ?? { steps: [], problems: [] } })
    }
    running = false
  }

  $effect(() => {
    void arrivals()
    void first()
    untrack(() => void pump())
  })
  $effect(() => {
    const again = (): void => {
      generation += 1
      void pump()
    }
    const ends = [onEvent('changed', again), onLost(again)]
    return () => {
      ended = true
      ends.forEach((end) => end())
    }
  })
  return { of: (id) => plans.get(id)?.plan }
}
