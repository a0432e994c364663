import ArrowDownToLine from '@lucide/svelte/icons/arrow-down-to-line'
import ArrowUpFromLine from '@lucide/svelte/icons/arrow-up-from-line'
import Ban from '@lucide/svelte/icons/ban'
import CircleAlert from '@lucide/svelte/icons/circle-alert'
import CircleCheck from '@lucide/svelte/icons/circle-check'
import CircleDot from '@lucide/svelte/icons/circle-dot'
import CirclePause from '@lucide/svelte/icons/circle-pause'
import Clock from '@lucide/svelte/icons/clock'
import Hourglass from '@lucide/svelte/icons/hourglass'
import PackageCheck from '@lucide/svelte/icons/package-check'
import ScanLine from '@lucide/svelte/icons/scan-line'
import ShieldCheck from '@lucide/svelte/icons/shield-check'
import Split from '@lucide/svelte/icons/split'
import type { Component } from 'svelte'
import type { RowState } from './rows.ts'

/** How a state looks; beside it stands its word, so that none is a colour alone. */
export const looks: Record<RowState, { icon: Component<{ size?: number }>; colour: string }> = {
  waiting: { icon: Clock, colour: 'text-ink-faint' },
  sending: { icon: ArrowDownToLine, colour: 'text-accent' },
  receiving: { icon: ArrowDownToLine, colour: 'text-accent' },
  reading: { icon: ScanLine, colour: 'text-accent' },
  ready: { icon: CircleDot, colour: 'text-amber' },
  publishing: { icon: PackageCheck, colour: 'text-accent' },
  published: { icon: CircleCheck, colour: 'text-green' },
  failed: { icon: CircleAlert, colour: 'text-red' },
  cancelled: { icon: Ban, colour: 'text-ink-faint' },
  uploading: { icon: ArrowUpFromLine, colour: 'text-accent' },
  downloading: { icon: ArrowDownToLine, colour: 'text-accent' },
  verifying: { icon: ShieldCheck, colour: 'text-accent' },
  paused: { icon: CirclePause, colour: 'text-ink-faint' },
  held: { icon: CirclePause, colour: 'text-ink-faint' },
  retrying: { icon: Hourglass, colour: 'text-amber' },
  undecided: { icon: Split, colour: 'text-amber' },
  done: { icon: CircleCheck, colour: 'text-green' }
}
