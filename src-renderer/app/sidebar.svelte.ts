import { MediaQuery } from 'svelte/reactivity'
import { preferences } from './preferences.svelte.ts'

const key = 'frame.sidebar'
const narrow = new MediaQuery('max-width: 899.98px')

/** Opened by hand in a narrow window; that is not what the person wants in a wide one. */
let openedNarrow = $state(false)

/** Whether the sidebar shows icons alone. */
export const sidebar = {
  get small() {
    return narrow.current ? !openedNarrow : preferences.get(key) === 'small'
  },
  toggle() {
    if (narrow.current) openedNarrow = !openedNarrow
    else preferences.set(key, sidebar.small ? 'wide' : 'small')
  }
}
