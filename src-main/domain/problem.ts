/** Why a request cannot be carried out; each kind is answered in one way everywhere (HTTP status, exit code). */
export type ProblemKind =
  | 'invalid' // the input breaks a rule
  | 'unauthorized' // nobody we know, where somebody is needed
  | 'forbidden' // known, may see it, may not do it
  | 'missing' // not there, or not for these eyes
  | 'conflict' // another process holds what is needed
  | 'no-room' // the disk would be full
  | 'unavailable' // maintenance, or shutting down

/**
 * A refusal the person asking can understand: whole sentences, saying what is wrong and what would be right.
 * Anything else that is thrown is a fault of the program, and is never shown to a client.
 */
export class Problem extends Error {
  readonly kind: ProblemKind
  readonly sentences: readonly string[]

  constructor(kind: ProblemKind, ...sentences: string[]) {
    super(sentences.join(' '))
    this.name = 'Problem'
    this.kind = kind
    this.sentences = sentences
  }
}

/** The one answer for what does not exist and for what may not be seen: nobody can tell the two apart. */
export const missing = (): Problem => new Problem('missing', 'Resource not found!')
