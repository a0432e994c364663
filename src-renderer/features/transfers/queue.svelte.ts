import { sending } from '../drop/sending.svelte.ts'
import { rowsOf, byTurn, type Group, type Row } from './rows.ts'
import { transfers } from './transfers.svelte.ts'

const rows = $derived(rowsOf(transfers.all, sending.list))
const grouped = $derived.by(() => {
  const groups: Record<Group, Row[]> = { running: [], attention: [], waiting: [], finished: [] }
  for (const row of rows) groups[row.group].push(row)
  for (const group of [groups.running, groups.attention, groups.waiting]) group.sort(byTurn)
  return groups
})

/** Everything on its way as lines of one list, whoever sends it. */
export const queue = {
  get rows(): readonly Row[] {
    return rows
  },
  of: (group: Group): readonly Row[] => grouped[group]
}
