import type { SyncPlanView, SyncRequest } from '../../../src-main/contract/sync.ts'
import { ask } from '../../api.ts'
import { refusalOf } from '../../app/live.svelte.ts'

/** What is known of the plan for one of many. */
export type Outlook = { readonly plan: SyncPlanView } | { readonly problem: readonly string[] }

/** What would be done for many boxes at once. */
export interface BulkPlanning {
  outlook(index: number): Outlook | undefined
  /** How many were looked at, of how many that will be. */
  readonly looked: number
  readonly wanted: number
  readonly bytes: number
  readonly conflicts: number
}

/** More are not looked at one by one beforehand; each is planned when its turn comes anyway. */
const most = 100
const atOnce = 3

/** To be called while a component is made: asks for the plans of the first of them, a few at a time. */
export function followBulk(requests: () => readonly SyncRequest[]): BulkPlanning {
  let known = $state.raw<ReadonlyMap<number, Outlook>>(new Map())
  let wanted = $state(0)

  $effect(() => {
    const list = requests().slice(0, most)
    let next = 0
    let ended = false
    known = new Map()
    wanted = list.length
    async function work(): Promise<void> {
      for (let index = next++; !ended && index < list.length; index = next++) {
        const outlook = await ask('sync.plan', list[index]!).then(
          (plan): Outlook => ({ plan }),
          (error: unknown): Outlook => ({ problem: refusalOf(error).sentences })
        )
        if (!ended) known = new Map(known).set(index, outlook)
      }
    }
    for (let worker = 0; worker < atOnce; worker += 1) void work()
    return () => (ended = true)
  })

  const plans = $derived([...known.values()].flatMap((outlook) => ('plan' in outlook ? [outlook.plan] : [])))
  return {
    outlook: (index) => known.get(index),
    get looked() {
      return known.size
    },
    get wanted() {
      return wanted
    },
    get bytes() {
      return plans.reduce((sum, { bytes }) => sum + bytes, 0)
    },
    get conflicts() {
      return plans.filter(({ conflicts }) => conflicts.some(({ chosen }) => chosen === null)).length
    }
  }
}
