import { preferences } from '../../app/preferences.svelte.ts'

const key = 'publish.habits'

/** What is the same for most files somebody publishes: it is what they chose last. */
export interface Habits {
  readonly release: boolean
  readonly private: boolean
}

/** Who publishes a file mostly wants it used; whom it is for they have to say. */
const usual: Habits = { release: true, private: true }

export function habits(): Habits {
  const kept = preferences.get(key)
  if (typeof kept !== 'object' || kept === null) return usual
  const { release, private: hidden } = kept as Record<string, unknown>
  return {
    release: typeof release === 'boolean' ? release : usual.release,
    private: typeof hidden === 'boolean' ? hidden : usual.private
  }
}

export const setHabits = (changes: Partial<Habits>): void => preferences.set(key, { ...habits(), ...changes })
