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

const shortest = 4_000
const perCharacter = 50

export function toast(kind: Toast['kind'], text: string, action?: Toast['action']): number {
  const id = (last += 1)
  shown = [...shown, { id, kind, text, ...(action && { action }) }].slice(-5)
  if (!action) setTimeout(() => closeToast(id), shortest + perCharacter * text.length)
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
