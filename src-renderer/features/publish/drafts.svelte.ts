import type { ArrivalDraft } from '../../../src-main/contract/arrivals.ts'
import { ask } from '../../api.ts'
import { refusalOf } from '../../app/live.svelte.ts'
import { onSteps, takeIn, transfers } from '../transfers/transfers.svelte.ts'

type Field = keyof ArrivalDraft
type Said = Partial<ArrivalDraft>

const settleMs = 250

/**
 * What somebody types about an arrival. It is saved as they type, one save after the other; what was typed is shown
 * until it has been saved and the field was left, so that no answer changes a text under the cursor.
 */
export class DraftEditor {
  readonly id: string
  #mine = $state.raw<Said>({})
  #unsaved: Said = {}
  #focused: Field | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> | null = null
  #problem = $state.raw<readonly string[] | null>(null)

  constructor(id: string) {
    this.id = id
  }

  /** Why the last save did not work; what was typed is kept, and saved with the next change. */
  get problem(): readonly string[] | null {
    return this.#problem
  }

  value<F extends Field>(field: F, saved: ArrivalDraft): ArrivalDraft[F] {
    return (this.#mine as Partial<Pick<ArrivalDraft, F>>)[field] ?? saved[field]
  }

  set<F extends Field>(field: F, value: ArrivalDraft[F]): void {
    this.#mine = { ...this.#mine, [field]: value }
    this.#unsaved = { ...this.#unsaved, [field]: value }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), settleMs)
  }

  focus(field: Field): void {
    this.#focused = field
  }

  blur(field: Field): void {
    if (this.#focused === field) this.#focused = null
    void this.flush()
  }

  /** Resolves once everything typed so far is saved, with whether it is. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    this.#saving ??= this.#save().finally(() => (this.#saving = null))
    await this.#saving
    this.#letGo()
    return this.#isSaved()
  }

  async #save(): Promise<void> {
    while (!this.#isSaved()) {
      const sent = this.#unsaved
      this.#unsaved = {}
      try {
        takeIn([await ask('arrivals.change', { id: this.id, draft: sent })])
        this.#problem = null
      } catch (error) {
        this.#unsaved = { ...sent, ...this.#unsaved }
        this.#problem = refusalOf(error).sentences
        return
      }
    }
  }

  #isSaved(): boolean {
    return Object.keys(this.#unsaved).length === 0
  }

  /** From here on the product's word is shown, except where somebody may be typing. */
  #letGo(): void {
    const kept = Object.entries(this.#mine).filter(
      ([field]) => field in this.#unsaved || field === this.#focused
    )
    if (kept.length !== Object.keys(this.#mine).length) this.#mine = Object.fromEntries(kept)
  }
}

const editors = new Map<string, DraftEditor>()

/** The one editor of an arrival, which outlives the form: what could not be saved is still there. */
export function editorOf(id: string): DraftEditor {
  const editor = editors.get(id) ?? new DraftEditor(id)
  editors.set(id, editor)
  return editor
}

const flushAll = (): void => editors.forEach((editor) => void editor.flush())
addEventListener('pagehide', flushAll)
addEventListener('visibilitychange', flushAll)

onSteps((steps) => {
  for (const { arrival } of steps)
    if (arrival.state === 'published' || arrival.state === 'cancelled') editors.delete(arrival.id)
  for (const id of editors.keys()) if (!transfers.arrival(id)) editors.delete(id)
})
