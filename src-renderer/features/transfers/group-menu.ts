import Pause from '@lucide/svelte/icons/pause'
import Play from '@lucide/svelte/icons/play'
import RotateCw from '@lucide/svelte/icons/rotate-cw'
import Trash from '@lucide/svelte/icons/trash-2'
import X from '@lucide/svelte/icons/x'
import { confirm } from '../../app/confirm.svelte.ts'
import { count, counted } from '../../app/format.ts'
import { attempt } from '../../app/toasts.svelte.ts'
import type { MenuEntry } from '../../ui/menu.ts'
import { canCancel, canDismiss, canRetry, cancelAll, dismiss, retryAll } from './actions.ts'
import { canPause, canResume, inBulk } from './remote-actions.ts'
import type { Row } from './rows.ts'

/** What can be done with many rows at once. */
interface Deed {
  readonly verb: string
  readonly icon: NonNullable<MenuEntry>['icon']
  readonly danger?: boolean
  readonly applies: (row: Row) => boolean
  readonly run: (rows: readonly Row[]) => Promise<unknown>
}

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id)
const some = (rows: readonly Row[]): string => counted(rows.length, 'transfer')

const deeds: readonly Deed[] = [
  { verb: 'Retry', icon: RotateCw, applies: canRetry, run: retryAll },
  {
    verb: 'Resume',
    icon: Play,
    applies: canResume,
    run: (rows) => attempt(() => inBulk('sync.resume', idsOf(rows)))
  },
  {
    verb: 'Pause',
    icon: Pause,
    applies: canPause,
    run: (rows) => attempt(() => inBulk('sync.pause', idsOf(rows)))
  },
  {
    verb: 'Cancel',
    icon: X,
    danger: true,
    applies: canCancel,
    run: async (rows) => {
      const sentences = ['They stop where they are, and are listed as finished until they are cleared.']
      const verb = `Cancel ${some(rows)}`
      if (await confirm({ title: `${verb}?`, sentences, verb, danger: true })) await cancelAll(rows)
    }
  },
  {
    verb: 'Dismiss',
    icon: Trash,
    danger: true,
    // What has finished is cleared by the group's own button.
    applies: (row) => row.group !== 'finished' && canDismiss(row),
    run: async (rows) => {
      const sentences = ['They leave this list. What they were to bring does not come.']
      const verb = `Dismiss ${some(rows)}`
      if (await confirm({ title: `${verb}?`, sentences, verb, danger: true })) await dismiss(rows)
    }
  }
]

/** With more places than these nobody finds theirs in a menu. */
const mostPlaces = 4

const entriesFor = (rows: readonly Row[], of: string): MenuEntry[] =>
  deeds.flatMap(({ verb, icon, danger = false, applies, run }) => {
    const able = rows.filter(applies)
    return able.length > 1
      ? [{ label: `${verb} all ${count(able.length)}${of}`, icon, danger, run: () => void run(able) }]
      : []
  })

/** What can be done with all rows of a group that it applies to and, where they go to several remotes, with those of each. */
export function groupMenu(rows: readonly Row[]): MenuEntry[] {
  const all = entriesFor(rows, '')
  const places = [...new Set(rows.flatMap(({ of, where }) => (of.kind === 'remote' && where ? [where] : [])))]
  if (places.length > mostPlaces || places.length === 0) return all
  const ofEach = places.flatMap((place) => {
    const there = rows.filter(({ of, where }) => of.kind === 'remote' && where === place)
    if (there.length === rows.length) return []
    const entries = entriesFor(there, ` ${place.replace(/^[TF]/, (first) => first.toLowerCase())}`)
    return entries.length > 0 ? [null, ...entries] : []
  })
  return [...all, ...ofEach]
}
