import { MediaQuery } from 'svelte/reactivity'
import { ask } from '../api.ts'
import { attempt } from './toasts.svelte.ts'
import { product } from './product.svelte.ts'

const systemIsDark = new MediaQuery('prefers-color-scheme: dark')
/** Read by public/first-paint.js, before the product was asked. */
const mirror = 'appearance'

const theme = (): 'light' | 'dark' => {
  const chosen = product.settings?.appearance ?? 'system'
  if (chosen !== 'system') return chosen
  return systemIsDark.current ? 'dark' : 'light'
}

/** To be called while the window's component is made: keeps the document in the theme of settings and system. */
export function followTheme(): void {
  $effect(() => {
    // Until the settings were read, what the first paint chose is the best guess.
    if (!product.settings) return
    document.documentElement.dataset['theme'] = theme()
    try {
      localStorage.setItem(mirror, product.settings.appearance)
    } catch {
      // A browser that keeps nothing: the next start paints in the theme of the system first.
    }
  })
}

/** From what is seen now to the other. */
export async function toggleTheme(): Promise<void> {
  const appearance = theme() === 'dark' ? 'light' : 'dark'
  await attempt(() => ask('settings.change', { appearance }))
}
