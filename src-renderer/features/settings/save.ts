import type { SettingsChanges } from '../../../src-main/contract/settings.ts'
import { ask } from '../../api.ts'
import { refusalOf } from '../../app/live.svelte.ts'
import { attempt } from '../../app/toasts.svelte.ts'

/** Saves for a field that shows what is wrong itself: null once it is saved. */
export async function save(changes: SettingsChanges): Promise<string | null> {
  try {
    await ask('settings.change', changes)
    return null
  } catch (error) {
    return refusalOf(error).sentences.join(' ')
  }
}

/** Saves for a switch or a choice, which has no room for a sentence; false when it stays as it was. */
export async function saveChoice(changes: SettingsChanges): Promise<boolean> {
  return (await attempt(() => ask('settings.change', changes))) !== undefined
}
