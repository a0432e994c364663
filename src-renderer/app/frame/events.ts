import { onEvent } from '../../api.ts'
import { show } from '../overlays.svelte.ts'
import { go } from '../router.svelte.ts'
import { toast } from '../toasts.svelte.ts'
import { takeWishToSearch, wishToSearch } from '../search-wish.ts'
import { focusSearch } from './keyboard.ts'

/** Does what the product asks of the window: menus, deep links, notifications. Returns what ends it. */
export function followEvents(): () => void {
  const ends = [
    onEvent('go', ({ to }) => go(to)),
    onEvent('command', ({ name }) => {
      if (name === 'publish') go('/publish')
      else if (name === 'search') {
        if (!focusSearch()) {
          go('/library')
          wishToSearch()
          // The place takes the focus to its heading first. Its field may come later still, and then knows of the wish.
          setTimeout(() => focusSearch() && takeWishToSearch())
        }
      } else show(name)
    }),
    onEvent('notice', ({ kind, sentence, to }) => {
      toast(kind, sentence, to === undefined ? undefined : { label: 'Show', run: () => go(to) })
    })
  ]
  return () => ends.forEach((end) => end())
}
