import type { Conflicts } from './conflicts.ts'
import type { SyncPlanInput } from './plan-types.ts'
import type { Notes } from './steps.ts'
import type { Words } from './words.ts'

/** What a plan is made of, and what is found out besides its steps. */
export interface Findings {
  readonly input: SyncPlanInput
  readonly words: Words
  readonly notes: Notes
  readonly conflicts: Conflicts
}
