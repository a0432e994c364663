import type { MirrorRule } from '../../contract/mirrors.ts'
import type { ImageFilter, SyncRequest } from '../../contract/sync.ts'
import { counted } from '../../contract/counted.ts'
import { lacksSome } from '../../domain/sync/selection.ts'
import type { Mirrorable, MirrorRuleTable } from '../../store/mirror-rules.ts'
import type { End } from '../end.ts'
import type { OpenRemote } from '../connections.ts'
import type { RemoteTransfers } from '../transfers/transfers.ts'
import { breathe, portions, severally } from '../in-turns.ts'
import { KeySet } from '../key-set.ts'
import { gone, matching } from './matching.ts'

const readAtOnce = 4
const queuedAtOnce = 200

/** What running a rule needs. */
export interface RunningParts {
  readonly table: MirrorRuleTable
  readonly local: Pick<End, 'read'>
  readonly transfers: Pick<RemoteTransfers, 'add' | 'dismiss'>
}

/** Looks which boxes a rule is about and queues those that are to be brought here. Returns what it came to, in a sentence or two. */
export async function runRule(
  { table, local, transfers }: RunningParts,
  remote: OpenRemote,
  rule: MirrorRule,
  signal: AbortSignal
): Promise<string> {
  const seen = new KeySet()
  const sums = { queued: 0, own: 0 }
  for await (const boxes of matching(table, remote, rule, seen, signal)) {
    const wanted: Mirrorable[] = []
    for (const box of boxes) {
      if (box.here === 'own') sums.own += 1
      else if (box.here !== 'unchanged' || (box.hasKnown && (await lacks(box)))) wanted.push(box)
    }
    for (const some of portions(wanted, queuedAtOnce)) {
      queue(some)
      await breathe(signal)
    }
    sums.queued += wanted.length
  }
  const notes = [
    seen.size === 0
      ? `${remote.name} lists no box that "${rule.boxes}" names.`
      : `${counted(seen.size, 'box', 'boxes')}: ` +
        (sums.queued === 0 ? 'nothing is to be brought here.' : `${sums.queued.toLocaleString('en')} queued.`)
  ]
  if (sums.own > 0)
    notes.push(`${counted(sums.own, 'box', 'boxes')} of your own of the same name left alone.`)
  if (rule.removeGone) notes.push(...(await removeGone()))
  return notes.join(' ')

  /** Files the rule wants and earlier runs did not bring: it was narrower, or their transfer was cancelled. */
  async function lacks({ organization, name }: Mirrorable): Promise<boolean> {
    await breathe(signal)
    const here = await local.read({ organization, name }, signal)
    return here !== null && lacksSome(filterOf(rule), here.snapshot)
  }

  /** One that failed before makes room for the new attempt, so that failures do not pile up. */
  function queue(
    boxes: readonly { organization: string; name: string }[],
    more: Pick<SyncRequest, 'gone'> = {}
  ): void {
    if (boxes.length === 0) return
    const failed = table.failedTransfers(remote.id, boxes)
    if (failed.length > 0) transfers.dismiss(failed)
    transfers.add(
      boxes.map((box) => ({ ...requestOf(rule, box), ...more })),
      { byMirror: true }
    )
  }

  /** Each that is not listed is asked for once more: a listing may leave out what is there. */
  async function removeGone(): Promise<string[]> {
    const { boxes, of } = await gone(table, remote, rule, seen, signal)
    if (boxes.length === 0) return []
    if (seen.size === 0 || boxes.length * 2 > of)
      return [
        `${boxes.length} of ${counted(of, 'mirrored box', 'mirrored boxes')} are not listed there any more. ` +
          'That is too many at once to take them for deleted, so they stay.'
      ]
    const missing: { organization: string; name: string }[] = []
    await severally(boxes, readAtOnce, async (box) => {
      if ((await remote.end.read(remote.there(box), signal)) === null) missing.push(box)
    })
    for (const some of portions(missing, queuedAtOnce)) {
      queue(some, { gone: true })
      await breathe(signal)
    }
    return missing.length === 0
      ? []
      : [`${counted(missing.length, 'box', 'boxes')} deleted there will go to the trash here.`]
  }
}

/** What is asked of the queue for one box. */
const requestOf = (
  rule: MirrorRule,
  { organization, name }: { readonly organization: string; readonly name: string }
): SyncRequest => ({
  direction: 'pull',
  remoteId: rule.remoteId,
  organization,
  box: name,
  filter: filterOf(rule),
  ...(rule.removeGone && { withRemovals: true })
})

/** The part of a rule that is about images. */
export const filterOf = ({
  newest,
  prereleases,
  providers,
  architectures,
  largestBytes
}: MirrorRule): ImageFilter => ({ newest, prereleases, providers, architectures, largestBytes })
