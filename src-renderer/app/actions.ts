import type { Component } from 'svelte'
import type { ShortcutId } from './shortcuts.ts'

/** Something the palette offers to do. */
export interface Action {
  readonly id: string
  /** A verb and what it is done to: "Copy VAGRANT_SERVER_URL". */
  readonly label: string
  readonly icon?: Component<{ size?: number }>
  /** Other words people may look for. */
  readonly words?: readonly string[]
  readonly shortcut?: ShortcutId
  /** Left out while this is false. */
  readonly available?: () => boolean
  readonly run: () => void | Promise<void>
}

const offered = new Map<string, Action>()

/** Puts actions into the palette; returns what takes them out again. One of the same id is replaced. */
export function offer(...actions: readonly Action[]): () => void {
  for (const action of actions) offered.set(action.id, action)
  return () => {
    for (const action of actions) if (offered.get(action.id) === action) offered.delete(action.id)
  }
}

/** What can be done now, in the order it was offered. */
export const actionsNow = (): Action[] =>
  [...offered.values()].filter(({ available }) => available?.() ?? true)
