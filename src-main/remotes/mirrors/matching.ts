import type { MirrorRule } from '../../contract/mirrors.ts'
import { nameFault, tagKey } from '../../domain/names.ts'
import { tagPattern } from '../../domain/sync/tag-pattern.ts'
import type { Mirrorable, MirrorRuleTable } from '../../store/mirror-rules.ts'
import type { OpenRemote } from '../connections.ts'
import { breathe, portions } from '../in-turns.ts'
import type { KeySet } from '../key-set.ts'

const portion = 500

/** Some of the boxes a rule is about; `seen` gets all that were listed, by their names here. */
export async function* matching(
  table: MirrorRuleTable,
  remote: OpenRemote,
  rule: MirrorRule,
  seen: KeySet,
  signal: AbortSignal
): AsyncGenerator<readonly Mirrorable[]> {
  const pattern = tagPattern(rule.boxes)
  const listing = await remote.end.list(pattern.organization, null, signal)
  for await (const boxes of listing.boxes)
    for (const some of portions(boxes, portion)) {
      const named = some
        .filter(
          ({ organization, name }) =>
            pattern.matches(organization, name) &&
            nameFault('', name) === null &&
            nameFault('', organization) === null
        )
        .map((box) => ({ ...remote.here(box), stamp: box.stamp }))
        // A remote may list a box twice while boxes come and go.
        .filter(({ organization, name }) => !seen.has(tagKey(organization, name)))
      for (const { organization, name } of named) seen.add(tagKey(organization, name))
      if (named.length > 0) yield table.mirrorable(remote.id, named)
      await breathe(signal)
    }
}

/** Mirrors here that the rule is about and the remote did not list, and how many it is about at all. */
export async function gone(
  table: MirrorRuleTable,
  remote: OpenRemote,
  rule: MirrorRule,
  seen: KeySet,
  signal: AbortSignal
): Promise<{ readonly boxes: readonly { organization: string; name: string }[]; readonly of: number }> {
  const pattern = tagPattern(rule.boxes)
  const boxes: { organization: string; name: string }[] = []
  let of = 0
  for (let after = 0; ;) {
    const some = table.mirrored(remote.id, after, portion)
    for (const { organization, name } of some) {
      const there = remote.there({ organization, name })
      if (!pattern.matches(there.organization, there.name)) continue
      of += 1
      if (!seen.has(tagKey(organization, name)) && boxes.length < mostGone) boxes.push({ organization, name })
    }
    const last = some.at(-1)
    if (!last) return { boxes, of }
    after = last.id
    await breathe(signal)
  }
}

/** The rest goes with the next run. */
const mostGone = 10_000
