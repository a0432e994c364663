import { preferences } from '../../app/preferences.svelte.ts'

const key = 'publish.habits'

/** What is the same for most files somebody publishes: it is what they chose last. */
export interface Habits {
  readonly release: boolean
  readonly private: boolean
  /** Ids of the remotes it goes to as well. */
  readonly remotes: readonly number[]
}

/** Who publishes a file mostly wants it used; whom it is for they have to say. */
const usual: Habits = { release: true, private: true, remotes: [] }

export function habits(): Habits {
  const kept = preferences.get(key)
  if (typeof kept !== 'object' || kept === null) return usual
  const { release, private: hidden, remotes } = kept as Record<string, unknown>
  return {
    release: typeof release === 'boolean' ? release : usual.release,
    private: typeof hidden === 'boolean' ? hidden : usual.private,
    remotes: Array.isArray(remotes)
      ? remotes.filter((id) => Number.isInteger(id) && id > 0).slice(0, 100)
      : []
  }
}

export function setHabits(changes: Partial<Habits>): void {
  const { remotes, ...others } = { ...habits(), ...changes }
  preferences.set(key, { ...others, remotes: [...remotes] })
}
