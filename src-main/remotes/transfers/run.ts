import type { SyncRequest } from '../../contract/sync.ts'
import { stepsChosen } from '../../domain/sync/chosen.ts'
import type { StoredTransfer } from '../../store/transfers.ts'
import type { BytesToPut } from '../end.ts'
import { RemoteFailure } from '../failure.ts'
import { breathe } from '../in-turns.ts'
import { mayRemoveBox } from '../plan-of-request.ts'
import type { Planning, Prepared } from '../planning.ts'
import type { Connections } from '../connections.ts'
import { Undecided } from './outcome.ts'
import type { Placed, Recorder } from './recorder.ts'
import type { Throttle } from './throttle.ts'

/** What carrying out a transfer needs. */
export interface RunParts {
  readonly connections: Pick<Connections, 'open' | 'answered'>
  readonly planning: Pick<Planning, 'prepare'>
  readonly throttles: Readonly<Record<StoredTransfer['direction'], Throttle>>
  readonly dropStaged: (id: string) => Promise<void>
  /** The remote has answered, whatever comes of the rest. */
  readonly onReached: (remoteId: number) => void
  /** Throws when nothing may be changed now. */
  readonly checkMayGo: () => void
}

/** Both sides may go on changing while one is brought in line with the other, but not for ever. */
const mostRounds = 10

/**
 * Carries out a transfer once, from whatever both sides are now: plans afresh, does what is to be done step by step, and
 * plans again until nothing is left, which is also how is checked that all of it is there. Throws what keeps it from that.
 */
export async function runTransfer(
  { connections, planning, throttles, dropStaged, onReached, checkMayGo }: RunParts,
  transfer: StoredTransfer,
  request: SyncRequest,
  recorder: Recorder,
  signal: AbortSignal
): Promise<void> {
  const remote = await connections.open(request.remoteId, signal)
  try {
    const doneBefore = new Set<string>()
    for (let round = 0; ; round++) {
      const prepared = await planning.prepare(request, remote, { byMirror: transfer.byMirror, signal })
      signal.throwIfAborted()
      onReached(remote.id)
      checkCanBeDone(request, prepared, remote.name)
      const { conflicts } = prepared.plan
      const steps = request.choicesAlone
        ? stepsChosen(prepared.plan.steps, Object.keys(request.choices ?? {}))
        : prepared.plan.steps
      const undecided = conflicts.filter(({ key, chosen }) => chosen === null && concerns(request, key))
      if (undecided.length > 0) throw new Undecided(undecided)
      const { places, dropped } = recorder.plan(steps, prepared.leftOut)
      for (const id of dropped) await dropStaged(id)
      const again = places.filter(({ step }) => doneBefore.has(step.key))
      if (places.length === 0) {
        await prepared.agree(signal)
        connections.answered(remote.id)
        return
      }
      if (again.length === places.length || round === mostRounds)
        throw notTaken(again[0] ?? places[0], remote.name)
      for (const place of places) {
        // Steps between rows of this catalogue alone would go on without ever letting anything else happen.
        await breathe(signal)
        await carryOut(place, prepared)
        doneBefore.add(place.step.key)
        connections.answered(remote.id)
      }
    }
  } finally {
    await remote.end.close()
  }

  async function carryOut({ step, ordinal }: Placed, prepared: Prepared): Promise<void> {
    signal.throwIfAborted()
    checkMayGo()
    const { source, target, sourceTag, targetTag } = prepared
    recorder.begin(ordinal, step.bytes)
    if (step.kind !== 'put-bytes') {
      await target.carryOut(targetTag, step, signal)
    } else {
      const { version, provider, architecture, size, checksums, replaces } = step
      const image = { version, provider, architecture }
      const atSource = step.from ?? image
      const bytes: BytesToPut = {
        ...{ size, checksums, replaces },
        async open(from, opening) {
          const opened = await source.open(sourceTag, atSource, from, opening)
          return { ...opened, body: throttles[transfer.direction].over(opened.body) }
        }
      }
      await target.put(targetTag, image, bytes, {
        signal,
        memo: recorder.memo(ordinal),
        onProgress: (over) => recorder.bytes(over),
        onVerifying: () => recorder.verifying(ordinal, step.bytes)
      })
    }
    prepared.carriedOut(step)
    recorder.done(ordinal, step.bytes)
  }
}

/** Other conflicts are none of the business of who only carries out choices. */
const concerns = ({ choicesAlone, choices = {} }: SyncRequest, key: string): boolean =>
  !choicesAlone || Object.hasOwn(choices, key)

/** A plan has no steps also where there is nothing to bring, or nobody who takes it; neither is done by doing nothing. */
function checkCanBeDone(request: SyncRequest, { target, sides }: Prepared, remoteName: string): void {
  const { direction, organization, box } = request
  const isPublish = direction === 'publish'
  if (isPublish && !target.traits.writable)
    throw new RemoteFailure('forbidden', [
      `Nothing can be published to ${remoteName}: it can only be read, as there is no token for it or its folder may not be written to.`,
      'Enter a token, or make the folder writable, then try again.'
    ])
  if (sides.source === null && !mayRemoveBox(request))
    throw new RemoteFailure('missing', [
      `There is no box ${organization}/${box} ${isPublish ? 'here' : `at ${remoteName}`} any more, so there is nothing to ${isPublish ? 'publish' : 'fetch'}.`
    ])
}

/** What was done is still to be done, or more and more is: somebody does not keep what they were given. */
function notTaken(place: Placed | undefined, remoteName: string): RemoteFailure {
  return new RemoteFailure('odd', [
    `Everything was carried out, and between here and ${remoteName} there is still a difference.`,
    ...(place ? [`What is still to be done: ${place.step.sentence}`] : []),
    'Somebody may be changing it at the same time, or the other side does not keep what it is given. Look at both, then try again.'
  ])
}
