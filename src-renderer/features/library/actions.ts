import CloudUpload from '@lucide/svelte/icons/cloud-upload'
import Copy from '@lucide/svelte/icons/copy'
import Globe from '@lucide/svelte/icons/globe'
import Lock from '@lucide/svelte/icons/lock'
import SquareArrowOutUpRight from '@lucide/svelte/icons/square-arrow-out-up-right'
import Trash from '@lucide/svelte/icons/trash-2'
import type { BoxRow } from '../../../src-main/contract/library.ts'
import { ask } from '../../api.ts'
import { copyText } from '../../app/clipboard.ts'
import { confirm } from '../../app/confirm.svelte.ts'
import { bytes, counted } from '../../app/format.ts'
import { boxPath, go } from '../../app/router.svelte.ts'
import { attempt, toast } from '../../app/toasts.svelte.ts'
import type { MenuEntry } from '../../ui/menu.ts'
import { publishTo } from './publish-to.svelte.ts'
import { view } from './view.svelte.ts'

/** The boxes something is done to. */
export interface Target {
  readonly ids: readonly number[]
  readonly bytes: number
  /** "acme/base" or "12 boxes" */
  readonly what: string
}

const tagOf = ({ organization, name }: BoxRow): string => `${organization}/${name}`

/** What is selected, or else the row alone. */
export function targetOf(row: BoxRow | undefined): Target | null {
  const count = view.selectedCount
  if (count === 1 && row && view.isSelected(row)) return { ids: [row.id], bytes: row.size, what: tagOf(row) }
  if (count > 0)
    return { ids: view.selectedKeys, bytes: view.selectedBytes, what: counted(count, 'box', 'boxes') }
  return row ? { ids: [row.id], bytes: row.size, what: tagOf(row) } : null
}

/** Asks first, and offers to have them back. */
export async function removeBoxes(target: Target | null): Promise<void> {
  if (!target) return
  const { ids, what } = target
  const yes = await confirm({
    title: `Delete ${what}?`,
    sentences: [
      `Every version and image of ${ids.length === 1 ? 'it' : 'them'} goes, and clients are told that ${ids.length === 1 ? 'the box does' : 'the boxes do'} not exist.`,
      ...(target.bytes > 0 ? [`Their files take ${bytes(target.bytes)} of this disk.`] : []),
      'This can be undone until a clean-up removes the files.'
    ],
    verb: `Delete ${what}`,
    danger: true
  })
  if (!yes) return
  const removed = await attempt(() => ask('library.remove', { ids: [...ids] }))
  if (!removed) return
  view.clearSelection()
  toast('success', `Deleted ${removed.what}.`, {
    label: 'Undo',
    run: async () => {
      const back = await attempt(() => ask('trash.restore', { id: removed.trashId }))
      if (back) toast('success', `Restored ${back.what}.`)
    }
  })
}

export async function setPrivate(target: Target | null, isPrivate: boolean): Promise<void> {
  if (!target) return
  const done = await attempt(() => ask('library.setPrivate', { ids: [...target.ids], private: isPrivate }))
  if (done)
    toast(
      'success',
      `${counted(done.changed, 'box is', 'boxes are')} now ${isPrivate ? 'private' : 'public'}.`
    )
}

/** More than that nobody pastes, or waits for. */
const mostCopied = 10_000
const pageSize = 500

/** One tag a line, of what is selected or of the row, in the order of the table. */
export async function copyTags(row: BoxRow | undefined): Promise<void> {
  const tags = view.hasSelection
    ? await attempt(async () => (await selectedRows()).map(tagOf))
    : row && [tagOf(row)]
  if (!tags) return
  if (await copyText(tags.join('\n')))
    toast('success', tags.length === 1 ? `Copied ${tags[0]}.` : `Copied ${counted(tags.length, 'tag')}.`)
}

/** What is selected, in the order of the table; of very much the beginning. */
async function selectedRows(): Promise<BoxRow[]> {
  const { found } = view
  const selected: BoxRow[] = []
  const wanted = Math.min(view.selectedCount, mostCopied)
  for (let offset = 0; selected.length < wanted && found.query; offset += pageSize) {
    const { rows } = await ask('library.find', { query: found.query, offset, limit: pageSize })
    selected.push(...rows.filter((row) => view.isSelected(row)))
    if (rows.length < pageSize) break
  }
  return selected.slice(0, wanted)
}

/** Asks which remotes what is selected, or else the row, goes to. */
export async function publishBoxes(row: BoxRow | undefined): Promise<void> {
  const target = targetOf(row)
  if (!target) return
  const boxes = view.hasSelection ? await attempt(() => selectedRows()) : row && [row]
  const [first] = boxes ?? []
  if (!boxes || !first) return
  const what = boxes.length === 1 ? tagOf(first) : counted(boxes.length, 'box', 'boxes')
  publishTo.open({ boxes, bytes: target.bytes, what })
}

/** The menu of a row, which is of everything selected if it is selected. */
export function actionsOn(row: BoxRow | undefined): MenuEntry[] {
  const target = targetOf(row)
  if (!target) return []
  const many = target.ids.length > 1
  return [
    ...(row && !many
      ? [
          {
            label: 'Open',
            icon: SquareArrowOutUpRight,
            keys: 'Enter',
            run: () => go(boxPath(row.organization, row.name))
          }
        ]
      : []),
    { label: many ? 'Copy tags' : 'Copy tag', icon: Copy, run: () => copyTags(row) },
    { label: 'Publish to…', icon: CloudUpload, run: () => publishBoxes(row) },
    null,
    ...(many || !row?.private
      ? [{ label: 'Make private', icon: Lock, run: () => setPrivate(target, true) }]
      : []),
    ...(many || row?.private
      ? [{ label: 'Make public', icon: Globe, run: () => setPrivate(target, false) }]
      : []),
    null,
    {
      label: `Delete ${many ? target.what : 'box'}`,
      icon: Trash,
      keys: 'Delete',
      danger: true,
      run: () => removeBoxes(target)
    }
  ]
}
