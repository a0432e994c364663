import type { SyncPlanView, SyncRequest } from '../contract/sync.ts'
import { Problem } from '../domain/problem.ts'
import { agreeOn, withSent } from '../domain/sync/agreement.ts'
import { leftOutOf } from '../domain/sync/left-out.ts'
import type { Step, SyncPlan } from '../domain/sync/plan-types.ts'
import type { AgreedBox, BoxSnapshot } from '../domain/sync/snapshot.ts'
import { asAgreed } from '../domain/sync/standing.ts'
import { mirroredTable, type MirroredTable } from '../store/mirrored.ts'
import { boxTable, type BoxTable } from '../store/boxes.ts'
import type { Db } from '../store/open.ts'
import { remoteBoxTable, type RemoteBoxTable } from '../store/remote-boxes.ts'
import { remoteTable, type RemoteTable } from '../store/remotes.ts'
import { write } from '../store/write.ts'
import { withCommonChecksums } from './common-checksums.ts'
import type { Connections, OpenRemote } from './connections.ts'
import { likelyTraits, type End, type Tag } from './end.ts'
import type { LocalEnd } from './ends/local/local-end.ts'
import { RemoteFailure } from './failure.ts'
import { organizationThere } from './naming.ts'
import { planOf, viewOf, type Names, type Sides } from './plan-of-request.ts'

/** A request with both sides as they are now, and what follows from them. */
export interface Prepared {
  readonly plan: SyncPlan
  /** Keys of the steps of the plan that are left out: those that were unticked, and what makes no sense without them. */
  readonly leftOut: ReadonlySet<string>
  readonly source: End
  readonly target: End
  readonly sourceTag: Tag
  readonly targetTag: Tag
  /** As both were when the plan was made. */
  readonly sides: { readonly source: BoxSnapshot | null; readonly target: BoxSnapshot | null }
  /**
   * To be told of each step right after it was carried out. Bytes that went over are then known to be the same on both
   * sides, though the remote may tell no checksum that would show it.
   */
  carriedOut(step: Step): void
  /** Notes what both agree on now: reads both again, and keeps what is the same on both as the base of later plans. */
  agree(signal: AbortSignal): Promise<void>
}

/** Of a box that is not here. */
const nothingHere: BoxSnapshot = { shortDescription: '', description: '', private: true, versions: [] }

const leavesFiles = ({ steps }: SyncPlan): boolean =>
  steps.some((step) => (step.kind === 'create-image' || step.kind === 'change-image') && step.known)

/** Makes plans between here and remotes: reads both sides and the base, computes checksums that have to be compared. */
export class Planning {
  readonly #db: Db
  readonly #connections: Pick<Connections, 'open'>
  readonly #rows: RemoteTable
  readonly #local: LocalEnd
  readonly #now: () => number
  readonly #bases: RemoteBoxTable
  readonly #boxes: BoxTable
  readonly #mirrored: MirroredTable

  constructor(parts: {
    db: Db
    connections: Pick<Connections, 'open'>
    local: LocalEnd
    now?: () => number
  }) {
    this.#db = parts.db
    this.#connections = parts.connections
    this.#rows = remoteTable(parts.db)
    this.#local = parts.local
    this.#now = parts.now ?? Date.now
    this.#bases = remoteBoxTable(parts.db)
    this.#boxes = boxTable(parts.db)
    this.#mirrored = mirroredTable(parts.db)
  }

  /** For the person; of a remote that does not answer, by what was seen last. */
  async view(request: SyncRequest, signal: AbortSignal): Promise<SyncPlanView> {
    try {
      const remote = await this.#connections.open(request.remoteId, signal)
      try {
        const { names, sides } = await this.#read(request, remote, signal)
        const plan = this.#planned(request, sides, names, remote)
        return viewOf(request, plan, { asSeenAt: null, unreachable: null })
      } finally {
        await remote.end.close()
      }
    } catch (error) {
      if (!(error instanceof RemoteFailure)) throw error
      return this.#viewAsSeen(request, error)
    }
  }

  /** For a run on a remote that is open. `byMirror` makes what is pulled a mirror of it. */
  async prepare(
    request: SyncRequest,
    remote: OpenRemote,
    { byMirror, signal }: { readonly byMirror: boolean; readonly signal: AbortSignal }
  ): Promise<Prepared> {
    const { names, sides } = await this.#read(request, remote, signal)
    const { tagHere, tagThere } = names
    const isPublish = request.direction === 'publish'
    const plan = byMirror
      ? planOf(request, sides, names, remote.end.traits)
      : this.#planned(request, sides, names, remote)
    const here = await this.#endHere(request, remote, sides, byMirror || leavesFiles(plan))
    if ((isPublish ? sides.there : sides.here) === null && sides.base !== null && (sides.here ?? sides.there))
      // What is made now is another box: see planSync.
      this.#putBase(remote.id, tagHere, null)
    return {
      plan,
      leftOut: leftOutOf(plan.steps, request.leftOut ?? []),
      ...(isPublish
        ? { source: here, target: remote.end, sourceTag: tagHere, targetTag: tagThere }
        : { source: remote.end, target: here, sourceTag: tagThere, targetTag: tagHere }),
      sides: isPublish
        ? { source: sides.here, target: sides.there }
        : { source: sides.there, target: sides.here },
      carriedOut: (step) => {
        if (step.kind === 'put-bytes') this.#noteSent(request, remote, tagHere, sides, step)
      },
      agree: (again) => this.#agree(request, remote, plan, again)
    }
  }

  async #read(
    request: SyncRequest,
    remote: OpenRemote,
    signal: AbortSignal
  ): Promise<{ names: Names; sides: Sides }> {
    const tagHere = { organization: request.organization, name: request.box }
    const tagThere = remote.there(tagHere)
    const [here, there] = await Promise.all([this.#local.read(tagHere), remote.end.read(tagThere, signal)])
    signal.throwIfAborted()
    const base = this.#bases.baseOf(remote.id, tagHere)?.base ?? null
    const sides = { here: here?.snapshot ?? null, there: there?.snapshot ?? null, base }
    return {
      names: { remoteName: remote.name, tagHere, tagThere },
      sides: await withCommonChecksums(sides, remote.end.traits, request, (image, type) => {
        signal.throwIfAborted()
        return this.#local.checksum(tagHere, image, type)
      })
    }
  }

  /** What a person asks for. Only a mirror has files that stay at its remote: an own box is what is here. */
  #planned(request: SyncRequest, sides: Sides, names: Names, { id, end }: OpenRemote): SyncPlan {
    const plan = planOf(request, sides, names, end.traits)
    const { remoteName, tagHere } = names
    if (request.direction === 'publish' || !leavesFiles(plan) || this.#isMirror(tagHere, id)) return plan
    const tag = `${tagHere.organization}/${tagHere.name}`
    if (sides.here)
      throw new Problem(
        'conflict',
        `${tag} is a box of its own here, so none of its files can stay at ${remoteName}.`,
        'Pull it with its files.'
      )
    const note = `${tag} is a mirror of the box at ${remoteName} then: it cannot be changed here until it is forked.`
    return { ...plan, notes: [note, ...plan.notes] }
  }

  #isMirror({ organization, name }: Tag, remoteId: number): boolean {
    const found = this.#boxes.find(organization, name)
    return found !== null && this.#mirrored.of(found.id)?.remoteId === remoteId
  }

  /** A mirror is changed as what it is, also when somebody pulls more of it than its rule does. */
  async #endHere(
    { direction, organization, box }: SyncRequest,
    remote: OpenRemote,
    sides: Sides,
    becomesMirror: boolean
  ): Promise<End> {
    if (direction === 'publish') return this.#local
    const tag = { organization, name: box }
    if (!becomesMirror && !this.#isMirror(tag, remote.id)) return this.#local
    const isOwn = sides.here !== null && !this.#isMirror(tag, remote.id)
    if (isOwn)
      // It may have been forked since this was queued: then it is not to be made a mirror again.
      throw new Problem(
        'conflict',
        `${organization}/${box} is a box of its own here, and does not follow the one at ${remote.name}.`,
        'Pull it to take over what is new there, or rename or delete it here to have the other one mirrored.'
      )
    const mirror = this.#local.asMirrorOf(remote.id)
    if (sides.there) await mirror.claim(tag, sides.there)
    return mirror
  }

  #noteSent(
    { direction }: SyncRequest,
    { id, end }: OpenRemote,
    tagHere: Tag,
    { here, there }: Sides,
    step: Extract<Step, { kind: 'put-bytes' }>
  ): void {
    const from = step.from ?? step
    const source = direction === 'publish' ? here : there
    const content = source?.versions
      .find(({ number }) => number === from.version)
      ?.images.find(
        (image) => image.provider === from.provider && image.architecture === from.architecture
      )?.content
    if (content?.kind !== 'bytes') return
    const base = this.#bases.baseOf(id, tagHere)?.base ?? null
    this.#putBase(id, tagHere, withSent(base, step, content, end.traits))
  }

  async #agree(request: SyncRequest, remote: OpenRemote, plan: SyncPlan, signal: AbortSignal): Promise<void> {
    const whole = { ...request, version: undefined, image: undefined, choices: {} }
    const { names, sides } = await this.#read(whole, remote, signal)
    const agreed = agreeOn({ ...sides, traits: remote.end.traits })
    if (!agreed) return this.#putBase(remote.id, names.tagHere, null)
    const chosen = plan.conflicts.filter((one) => one.chosen === 'keep-both' || one.chosen === 'new-version')
    const wanted = new Set([...(sides.base?.kept ?? []), ...chosen.map(({ key }) => key)])
    // Only those that are still of what both sides have.
    const { conflicts } = planOf(whole, sides, names, remote.end.traits)
    const kept = conflicts.map(({ key }) => key).filter((key) => wanted.has(key))
    this.#putBase(remote.id, names.tagHere, { ...agreed, kept })
  }

  #putBase(remoteId: number, tagHere: Tag, base: AgreedBox | null): void {
    write(this.#db, () => this.#bases.putBase(remoteId, tagHere, base, this.#now()))
  }

  /** What both last agreed on stands for the remote. */
  async #viewAsSeen(request: SyncRequest, failure: RemoteFailure): Promise<SyncPlanView> {
    const remote = this.#rows.find(request.remoteId)
    if (!remote) throw failure
    const tagHere = { organization: request.organization, name: request.box }
    const tagThere = {
      organization: organizationThere(remote.organizationMap, request.organization),
      name: request.box
    }
    const here = (await this.#local.read(tagHere))?.snapshot ?? null
    const row = this.#bases.baseOf(request.remoteId, tagHere)
    const base = row?.base ?? null
    const sides = { here, base, there: base && asAgreed(base, here ?? nothingHere) }
    const plan = planOf(request, sides, { remoteName: remote.name, tagHere, tagThere }, likelyTraits(remote))
    return viewOf(request, plan, {
      asSeenAt: base && row ? row.seenAt : 0,
      unreachable: failure.sentences
    })
  }
}
