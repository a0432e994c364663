import { untrack } from 'svelte'
import type { Arrival, ArrivalPlan } from '../../../src-main/contract/arrivals.ts'
import { ask, onEvent, onLost } from '../../api.ts'

interface Entry {
  readonly key: string
  readonly plan: ArrivalPlan | undefined
}

/** Plans of all that can still be corrected, read again when a draft or anything in the database changed. */
export interface Plans {
  of(id: string): ArrivalPlan | undefined
}

const isOpen = ({ state }: Arrival): boolean =>
  state === 'waiting' || state === 'reading' || state === 'ready'

/** What a plan depends on besides the database. Kept, as everything that is listed is looked at for each that is read. */
const keys = new WeakMap<Arrival, string>()
function keyOf(arrival: Arrival): string {
  const key = keys.get(arrival) ?? JSON.stringify([arrival.draft, arrival.found])
  keys.set(arrival, key)
  return key
}

/** More would only wait for one another. */
const atOnce = 4

/**
 * To be called while a component is made. They are read a few at a time, the one that `first` names before all others,
 * so that a thousand files cost the product no more at any moment than four.
 */
export function followPlans(arrivals: () => readonly Arrival[], first: () => string | null): Plans {
  let plans = $state.raw<ReadonlyMap<string, Entry>>(new Map())
  /** Read before that, a plan may be wrong by now, whatever its key. */
  let generation = 0
  const readIn = new Map<string, number>()
  const reading = new Set<string>()
  let ended = false

  const isDue = (arrival: Arrival): boolean =>
    isOpen(arrival) &&
    !reading.has(arrival.id) &&
    (readIn.get(arrival.id) !== generation || plans.get(arrival.id)?.key !== keyOf(arrival))
  const due = (): Arrival | undefined => {
    if (ended) return undefined
    const id = first()
    return arrivals().find((arrival) => arrival.id === id && isDue(arrival)) ?? arrivals().find(isDue)
  }

  function pump(): void {
    while (reading.size < atOnce) {
      const next = due()
      if (!next) return
      reading.add(next.id)
      void readOne(next)
    }
  }
  async function readOne(arrival: Arrival): Promise<void> {
    const now = generation
    // Without an answer what was known stays; it is asked for again once something changes.
    const plan = await ask('arrivals.plan', { id: arrival.id }).catch(() => plans.get(arrival.id)?.plan)
    reading.delete(arrival.id)
    readIn.set(arrival.id, now)
    plans = new Map(plans).set(arrival.id, { key: keyOf(arrival), plan })
    pump()
  }

  $effect(() => {
    void arrivals()
    void first()
    untrack(pump)
  })
  $effect(() => {
    const again = (): void => {
      generation += 1
      pump()
    }
    const ends = [onEvent('changed', again), onLost(again)]
    return () => {
      ended = true
      ends.forEach((end) => end())
    }
  })
  return { of: (id) => plans.get(id)?.plan }
}
