import type { Component } from 'svelte'

/** An entry of a menu; null is a line between groups. */
export type MenuEntry = MenuItem | null

/** Something a menu offers to do. */
export interface MenuItem {
  readonly label: string
  readonly icon?: Component<{ size?: number }> | undefined
  readonly keys?: string | undefined
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly run: () => void | Promise<void>
}

/** How menus look, whether they hang from a button or open under the pointer. */
export const menuLook =
  'z-60 max-h-[min(480px,calc(100vh-32px))] min-w-48 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-lift outline-none'
export const menuItemLook = (danger = false): string =>
  `flex h-7 items-center gap-2 rounded-sm px-2 outline-none data-highlighted:bg-hover data-disabled:opacity-50 ${danger ? 'text-red' : 'text-ink'}`
