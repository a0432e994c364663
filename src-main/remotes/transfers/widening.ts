import type { SyncRequest } from '../../contract/sync.ts'

/**
 * One request that asks for what two of the same box, remote and direction ask for, the second of them made later; null
 * when no single one does without asking for more. Of the same part of a box, the later one is what the person wants.
 */
export function widened(before: SyncRequest, later: SyncRequest): SyncRequest | null {
  if (Boolean(before.choicesAlone) !== Boolean(later.choicesAlone)) return null
  const choices = { ...before.choices, ...later.choices }
  const withChoices = Object.keys(choices).length > 0 ? { choices } : {}
  if (covering(before, later) && covering(later, before)) {
    const { images: _, ...rest } = later
    const none = before.images === 'none' && later.images === 'none'
    return { ...rest, ...withChoices, ...(none && { images: 'none' as const }) }
  }
  const [wide, narrow] = covering(before, later) ? [before, later] : [later, before]
  if (!covering(wide, narrow) || !grants(wide, narrow)) return null
  const leftOutByBoth = new Set(narrow.leftOut)
  const { leftOut: _, ...rest } = wide
  const leftOut = (wide.leftOut ?? []).filter((key) => leftOutByBoth.has(key))
  return { ...rest, ...withChoices, ...(leftOut.length > 0 && { leftOut }) }
}

/** Whether the part of the box the first is about has that of the second in it. */
function covering(first: SyncRequest, second: SyncRequest): boolean {
  if (first.version === undefined) return true
  if (first.version !== second.version) return false
  if (!first.image) return true
  const { image } = second
  return image?.provider === first.image.provider && image.architecture === first.image.architecture
}

/** Whether all that the second wants done with its part is done with it by the first as well. */
const grants = (first: SyncRequest, second: SyncRequest): boolean =>
  ((first.release ?? true) || !(second.release ?? true)) &&
  ((first.withRemovals ?? false) || !(second.withRemovals ?? false)) &&
  ((first.gone ?? false) || !(second.gone ?? false)) &&
  // One with a filter may leave out just the file that the other is about.
  ((first.images !== 'none' && !first.filter) || second.images === 'none')
