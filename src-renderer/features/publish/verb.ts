import type { Arrival, ArrivalPlan } from '../../../src-main/contract/arrivals.ts'

/** What the button says: exactly what pressing it will do. */
export function verbOf(
  { state, draft }: Pick<Arrival, 'state' | 'draft'>,
  plan: ArrivalPlan | undefined
): string {
  const kinds = new Set(plan?.steps.map(({ kind }) => kind))
  const number = draft.version
  const verb = kinds.has('release')
    ? kinds.has('create-version') || kinds.has('create-image')
      ? `Publish and release ${number}`
      : `Release ${number}`
    : kinds.has('replace-image')
      ? `Replace the file in ${number}`
      : kinds.has('create-version')
        ? `Publish ${number} unreleased`
        : kinds.has('create-image')
          ? `Add to ${number}`
          : 'Publish'
  return state === 'ready' ? verb : `${verb} when read`
}
