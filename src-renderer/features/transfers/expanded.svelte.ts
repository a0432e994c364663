import { SvelteSet } from 'svelte/reactivity'

/** The rows whose steps are shown, by id. It outlives the page. */
export const expanded = new SvelteSet<string>()

/** Shows the steps of a row, or hides them. */
export const toggleExpanded = (id: string): void => void (expanded.delete(id) || expanded.add(id))
