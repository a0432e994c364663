import ArrowDown from '@lucide/svelte/icons/arrow-down'
import ArrowUp from '@lucide/svelte/icons/arrow-up'
import Circle from '@lucide/svelte/icons/circle'
import CircleCheck from '@lucide/svelte/icons/circle-check'
import CircleDot from '@lucide/svelte/icons/circle-dot'
import GitFork from '@lucide/svelte/icons/git-fork'
import Trash2 from '@lucide/svelte/icons/trash-2'
import Unlink from '@lucide/svelte/icons/unlink'
import type { Component } from 'svelte'
import type { Standing } from '../../../src-main/contract/remotes.ts'

/** How a standing looks and what it is called. Its colour stands for it wherever it is, beside its word or its shape. */
export interface StandingLook {
  readonly word: string
  /** What it means, in a sentence. */
  readonly means: (remoteName: string) => string
  readonly icon: Component<{ size?: number }>
  /** Of the mark, and of its part of a picture. */
  readonly colour: string
  readonly area: string
}

/** In the order they are shown: what waits for somebody first, what is in step last. */
export const standingLooks: Readonly<Record<Standing, StandingLook>> = {
  apart: {
    word: 'Apart',
    means: (name) => `Both here and ${name} have changed, or the same version has other bytes.`,
    icon: GitFork,
    colour: 'text-amber',
    area: 'bg-amber'
  },
  ahead: {
    word: 'Newer here',
    means: (name) => `Something here is not at ${name} yet.`,
    icon: ArrowUp,
    colour: 'text-chart-1',
    area: 'bg-chart-1'
  },
  behind: {
    word: 'Newer there',
    means: (name) => `Something at ${name} is not here yet.`,
    icon: ArrowDown,
    colour: 'text-chart-4',
    area: 'bg-chart-4'
  },
  'deleted-here': {
    word: 'Deleted here',
    means: (name) => `It was deleted here and is still at ${name}.`,
    icon: Trash2,
    colour: 'text-red',
    area: 'bg-red'
  },
  'deleted-there': {
    word: 'Deleted there',
    means: (name) => `It is here, and no longer at ${name}.`,
    icon: Unlink,
    colour: 'text-chart-5',
    area: 'bg-chart-5'
  },
  'only-here': {
    word: 'Only here',
    means: (name) => `It was never at ${name}.`,
    icon: CircleDot,
    colour: 'text-chart-2',
    area: 'bg-chart-2'
  },
  'only-there': {
    word: 'Only there',
    means: (name) => `It is at ${name}, and was never here.`,
    icon: Circle,
    colour: 'text-ink-faint',
    area: 'bg-line-strong'
  },
  'in-step': {
    word: 'In step',
    means: (name) => `Here and ${name} have the same.`,
    icon: CircleCheck,
    colour: 'text-green',
    area: 'bg-green'
  }
}

export const standingOrder = Object.keys(standingLooks) as readonly Standing[]
