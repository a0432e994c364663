import type { SyncPlanView, SyncRequest } from '../contract/sync.ts'
import { leftOutOf } from '../domain/sync/left-out.ts'
import { planSync } from '../domain/sync/plan.ts'
import type { EndTraits, SyncPlan, SyncScope } from '../domain/sync/plan-types.ts'
import { everyImage, selectImages } from '../domain/sync/selection.ts'
import type { AgreedBox, BoxSnapshot } from '../domain/sync/snapshot.ts'
import type { Tag } from './end.ts'

/** Both sides of one request, and what both last agreed on. */
export interface Sides {
  readonly here: BoxSnapshot | null
  readonly there: BoxSnapshot | null
  readonly base: AgreedBox | null
}

/** How the sides of a request are called. */
export interface Names {
  readonly remoteName: string
  readonly tagHere: Tag
  readonly tagThere: Tag
}

/** What a request comes to between two sides. */
export function planOf(
  request: SyncRequest,
  { here, there, base }: Sides,
  { remoteName, tagHere, tagThere }: Names,
  traits: EndTraits
): SyncPlan {
  const isPublish = request.direction === 'publish'
  const source = isPublish ? here : there
  const target = isPublish ? there : here
  const { organization, name } = isPublish ? tagThere : tagHere
  return planSync({
    ...{ source, target, base, remoteName, traits },
    direction: request.direction,
    tag: `${organization}/${name}`,
    scope: scopeOf(request, source),
    choices: request.choices ?? {}
  })
}

/** A box that a rule found listed is not taken for deleted because it is not given out a moment later. */
export const mayRemoveBox = ({ withRemovals = false, filter, gone = false }: SyncRequest): boolean =>
  withRemovals && (filter === undefined || gone)

function scopeOf(request: SyncRequest, source: BoxSnapshot | null): SyncScope {
  const { version, image, images, filter, release, withRemovals } = request
  return {
    ...(version === undefined ? {} : { version }),
    ...(image === undefined ? {} : { image }),
    release: release ?? true,
    withRemovals: source === null ? mayRemoveBox(request) : (withRemovals ?? false),
    versions: () => true,
    fetches:
      images === 'none' ? () => false : source ? selectImages(filter ?? everyImage, source) : () => true
  }
}

/** The plan as a person sees it. */
export function viewOf(
  { remoteId, direction, organization, box, leftOut: unticked = [] }: SyncRequest,
  { steps, conflicts, notes, removable }: SyncPlan,
  seen: Pick<SyncPlanView, 'asSeenAt' | 'unreachable'>
): SyncPlanView {
  const leftOut = leftOutOf(steps, unticked)
  return {
    ...{ remoteId, direction, organization, box, conflicts, notes, removable },
    steps: steps.map(({ key, kind, sentence, bytes, optional }) => ({
      ...{ key, kind, sentence, bytes, optional },
      leftOut: leftOut.has(key)
    })),
    bytes: steps.reduce((sum, { key, bytes }) => sum + (leftOut.has(key) ? 0 : bytes), 0),
    ...seen
  }
}
