import { preferences } from './preferences.svelte.ts'
import { go, route } from './router.svelte.ts'

const key = 'frame.place'

/** To be called before the window is made: where the person was last, unless the address names a place. */
export function restorePlace(): void {
  const last = preferences.get(key)
  if (!location.hash.startsWith('#/') && typeof last === 'string' && last.startsWith('/'))
    go(last, { replace: true })
}

/** To be called while the window's component is made. */
export function rememberPlace(): void {
  $effect(() => {
    void route.current
    preferences.set(key, location.hash.slice(1) || '/library')
  })
}
