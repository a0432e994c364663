import ArrowDown from '@lucide/svelte/icons/arrow-down'
import ArrowUp from '@lucide/svelte/icons/arrow-up'
import Circle from '@lucide/svelte/icons/circle'
import CircleCheck from '@lucide/svelte/icons/circle-check'
import CircleDot from '@lucide/svelte/icons/circle-dot'
import GitFork from '@lucide/svelte/icons/git-fork'
import Trash2 from '@lucide/svelte/icons/trash-2'
import Unlink from '@lucide/svelte/icons/unlink'
import type { Component } from 'svelte'
import type { Standing } from '../../../src-main/contract/standings.ts'

/** How a standing looks. Its colour stands for it wherever it is, beside its word or its shape. */
export interface StandingLook {
  readonly icon: Component<{ size?: number }>
  /** Of the mark, and of its part of a picture. */
  readonly colour: string
  readonly area: string
}

export const standingLooks: Readonly<Record<Standing, StandingLook>> = {
  apart: { icon: GitFork, colour: 'text-amber', area: 'bg-amber' },
  ahead: { icon: ArrowUp, colour: 'text-chart-1', area: 'bg-chart-1' },
  behind: { icon: ArrowDown, colour: 'text-chart-4', area: 'bg-chart-4' },
  'deleted-here': { icon: Trash2, colour: 'text-red', area: 'bg-red' },
  'deleted-there': { icon: Unlink, colour: 'text-chart-5', area: 'bg-chart-5' },
  'only-here': { icon: CircleDot, colour: 'text-chart-2', area: 'bg-chart-2' },
  'only-there': { icon: Circle, colour: 'text-ink-faint', area: 'bg-line-strong' },
  'in-step': { icon: CircleCheck, colour: 'text-green', area: 'bg-green' }
}
