import { refusalOf } from './live.svelte.ts'

/** A sentence that appears at the bottom; one with an action stays until it is used or closed. */
export interface Toast {
  readonly id: number
  readonly kind: 'info' | 'success' | 'warning' | 'error'
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void | Promise<void> }
}

let shown = $state.raw<readonly Toast[]>([])
let last = 0

export const toasts = {
  get shown() {
    return shown
  }
}

const most = 5
const shortest = { info: 4_000, success: 4_000, warning: 6_000, error: 8_000 }
const perCharacter = 50

/** How long one without an action is shown, in milliseconds. */
export const readingTime = ({ kind, text }: Toast): number => shortest[kind] + perCharacter * text.length

export function toast(kind: Toast['kind'], text: string, action?: Toast['action']): number {
  const id = (last += 1)
  // The same sentence twice is said once, and counts as new.
  const others = action ? shown : shown.filter((toast) => toast.text !== text || toast.action)
  shown = [...others, { id, kind, text, ...(action && { action }) }].slice(-most)
  return id
}

export function closeToast(id: number): void {
  shown = shown.filter((toast) => toast.id !== id)
}

/** For event handlers: what is refused becomes a toast, and the result is undefined. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    toast('error', refusalOf(error).sentences.join(' '))
    return undefined
  }
}
