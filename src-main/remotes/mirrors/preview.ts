import type { MirrorPreview, MirrorRule } from '../../contract/mirrors.ts'
import { counted } from '../../contract/counted.ts'
import { selected, type Selected } from '../../domain/sync/selection.ts'
import type { Mirrorable, MirrorRuleTable } from '../../store/mirror-rules.ts'
import type { End } from '../end.ts'
import type { OpenRemote } from '../connections.ts'
import { severally } from '../in-turns.ts'
import { KeySet } from '../key-set.ts'
import { matching } from './matching.ts'
import { filterOf } from './running.ts'

const readAtOnce = 4
const mostItems = 100

/** Says what running a rule would do, as far as there is time to look before `until`. Writes nothing. */
export async function previewRule(
  { table, local }: { readonly table: MirrorRuleTable; readonly local: Pick<End, 'read'> },
  remote: OpenRemote,
  rule: MirrorRule,
  { signal, isOver }: { readonly signal: AbortSignal; readonly isOver: () => boolean }
): Promise<MirrorPreview> {
  const filter = filterOf(rule)
  const seen = new KeySet()
  const items: { tag: string; sentence: string; bytes: number }[] = []
  const sums = { images: 0, bytes: 0, notFetched: 0, own: 0, unknownSizes: 0, notRead: 0 }
  for await (const boxes of matching(table, remote, rule, seen, signal)) {
    const toRead = boxes.filter((box) => isToBeRead(box))
    await severally(toRead, readAtOnce, async (box) => {
      if (isOver()) sums.notRead += 1
      else await look(box)
    })
  }
  const notes: string[] = []
  if (seen.size === 0) notes.push(`${remote.name} lists no box that "${rule.boxes}" names.`)
  if (sums.own > 0)
    notes.push(
      `${counted(sums.own, 'box', 'boxes')} of your own with the same name ${sums.own === 1 ? 'is' : 'are'} left alone.`
    )
  if (sums.unknownSizes > 0)
    notes.push(
      `${remote.name} does not tell the size of all files, so more bytes may come than are counted here.`
    )
  if (sums.notRead > 0)
    notes.push(`There was not the time to look at ${counted(sums.notRead, 'more box', 'more boxes')}.`)
  return {
    boxes: seen.size,
    images: sums.images,
    bytes: sums.bytes,
    notFetched: sums.notFetched,
    items,
    notes,
    partial: sums.notRead > 0
  }

  function isToBeRead({ here, hasKnown }: Mirrorable): boolean {
    if (here === 'own') sums.own += 1
    return here !== 'own' && (here !== 'unchanged' || hasKnown)
  }

  async function look({ organization, name, here }: Mirrorable): Promise<void> {
    const tag = { organization, name }
    const mine = here === 'nothing' ? null : await local.read(tag, signal)
    const theirs = here === 'unchanged' ? mine : await remote.end.read(remote.there(tag), signal)
    if (!theirs) return
    const found = selected(filter, theirs.snapshot, mine?.snapshot ?? null)
    sums.images += found.images
    sums.bytes += found.bytes
    sums.notFetched += found.notFetched
    if (found.unknownSize) sums.unknownSizes += 1
    if (here === 'unchanged' && found.images === 0) return
    if (items.length < mostItems)
      items.push({ tag: `${organization}/${name}`, sentence: sentenceOf(found, here), bytes: found.bytes })
  }
}

function sentenceOf({ images, notFetched }: Selected, here: Mirrorable['here']): string {
  const what = here === 'nothing' ? 'New here' : here === 'changed' ? 'Changed there' : 'More of it is wanted'
  const fetched = images === 0 ? 'no file to fetch' : `${counted(images, 'file')} to fetch`
  const known = notFetched === 0 ? '' : `, ${counted(notFetched, 'file')} known and not fetched`
  return `${what}: ${fetched}${known}.`
}
