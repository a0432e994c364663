import { toast } from './toasts.svelte.ts'

/** Says so when the system does not allow it; resolves with whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toast('error', 'The clipboard cannot be used just now. Select the text and copy it by keyboard.')
    return false
  }
}
