import type { Deed, Step } from './plan-types.ts'
import { sentenceOf, type Words } from './words.ts'

/** The same for the same deed in any plan. */
function keyOf(deed: Deed): string {
  switch (deed.kind) {
    case 'create-box':
    case 'change-box':
    case 'remove-box':
      return deed.kind
    case 'create-version':
    case 'change-version':
    case 'release':
    case 'revoke':
    case 'remove-version':
      return `${deed.kind} ${deed.version}`
    case 'create-image':
    case 'change-image':
    case 'put-bytes':
    case 'remove-image':
      return `${deed.kind} ${deed.version} ${deed.provider}/${deed.architecture}`
  }
}

/** A deed as a step of a plan. */
export const stepOf = (deed: Deed, words: Words, optional: boolean): Step => ({
  ...deed,
  key: keyOf(deed),
  sentence: sentenceOf(deed, words),
  bytes: deed.kind === 'put-bytes' ? (deed.size ?? 0) : 0,
  optional
})

const mostNotes = 100

/** What the person should know, so much of it that it can still be read. */
export class Notes {
  readonly #sentences: string[] = []
  #more = 0
  #anyStaying = false

  add(sentence: string): void {
    if (this.#sentences.length < mostNotes) this.#sentences.push(sentence)
    else this.#more += 1
  }

  /** Of something that would go too if that were asked for. */
  addStaying(sentence: string): void {
    this.#anyStaying = true
    this.add(sentence)
  }

  get anyStaying(): boolean {
    return this.#anyStaying
  }

  list(): string[] {
    return this.#more === 0
      ? [...this.#sentences]
      : [...this.#sentences, `There are ${this.#more} more of these.`]
  }
}
