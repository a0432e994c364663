/** A question before something that cannot easily be taken back. Cancel is the default. */
export interface Question {
  /** "Revoke 1.2.0?" */
  readonly title: string
  /** What will happen, a sentence each. */
  readonly sentences: readonly string[]
  /** The verb on the button: "Revoke 1.2.0". */
  readonly verb: string
  readonly danger?: boolean
  /** Has to be typed for what is very large. */
  readonly typed?: string
}

let open = $state.raw<{ question: Question; answer: (yes: boolean) => void } | null>(null)

export const confirmation = {
  get open() {
    return open
  }
}

/** Resolves with whether the person said yes. */
export function confirm(question: Question): Promise<boolean> {
  open?.answer(false)
  return new Promise((resolve) => {
    open = {
      question,
      answer(yes) {
        open = null
        resolve(yes)
      }
    }
  })
}
