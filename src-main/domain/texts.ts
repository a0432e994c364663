import { Problem } from './problem.ts'

const longestShortDescription = 255
const longestDescription = 262_144

/** Says what is wrong with a short description, or nothing. */
export function shortDescriptionFault(text: string): string | null {
  const length = [...text].length
  return length > longestShortDescription
    ? `The short description is ${length} characters long; ${longestShortDescription} is the most.`
    : null
}

/** Says what is wrong with a description, or nothing. */
export function descriptionFault(text: string): string | null {
  return text.length > longestDescription
    ? `The description is ${text.length} characters long; ${longestDescription} is the most.`
    : null
}

/** Refuses an input for everything that is wrong with it at once. */
export function refuseFaults(faults: readonly (string | null)[]): void {
  const sentences = faults.filter((fault) => fault !== null)
  if (sentences.length > 0) throw new Problem('invalid', ...sentences)
}
