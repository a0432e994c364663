import type { ArrivalPlan } from '../../../src-main/contract/arrivals.ts'

/** Whether publishing makes the box and the version, and so what can still be said of them. */
export interface Novelty {
  readonly box: boolean
  readonly version: boolean
}

/** While a field is wrong, a plan says nothing of what comes after it: what it said before stays, so that no form jumps. */
export function noveltyOf(plan: ArrivalPlan | undefined, before: Novelty): Novelty {
  const kinds = new Set(plan?.steps.map(({ kind }) => kind))
  const box = kinds.has('create-box')
  const version = kinds.has('create-version')
  const knowsVersion = version || kinds.has('create-image') || kinds.has('replace-image')
  const knowsBox = box || knowsVersion || kinds.has('nothing')
  return { box: knowsBox ? box : before.box, version: knowsVersion ? version : before.version }
}
