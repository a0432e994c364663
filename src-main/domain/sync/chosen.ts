import type { Step } from './plan-types.ts'
import { imageText } from './words.ts'

/** How the keys of conflicts begin that a step is the answer to; see conflicts.ts. */
function conflictOf(step: Step): string | null {
  switch (step.kind) {
    case 'change-box':
      return 'box '
    case 'change-version':
      return `version ${step.version} `
    case 'create-image':
    case 'change-image':
    case 'put-bytes':
      return `image ${step.version} ${imageText(step)} `
    default:
      return null
  }
}

/** Those of a plan's steps that follow from the answers to conflicts, by their keys. */
export function stepsChosen(steps: readonly Step[], conflictKeys: readonly string[]): Step[] {
  return steps.filter((step) => {
    const beginning = conflictOf(step)
    return beginning !== null && conflictKeys.some((key) => key.startsWith(beginning))
  })
}
