import type { SyncPlan, SyncPlanInput } from './plan-types.ts'

/** What has to be done so that the target has what the source has, and nothing either side added is lost. */
export function planSync(_input: SyncPlanInput): SyncPlan {
  throw new Error('not written yet')
}
