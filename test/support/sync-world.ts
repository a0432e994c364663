import type { SyncRequest } from '../../src-main/contract/sync.ts'
import { fsDriver } from '../../src-main/blobs/fs-driver.ts'
import type { Step } from '../../src-main/domain/sync/plan-types.ts'
import type { End, Memo } from '../../src-main/remotes/end.ts'
import { openFolder } from '../../src-main/remotes/ends/folder/open-folder.ts'
import { LocalEnd } from '../../src-main/remotes/ends/local/local-end.ts'
import { RemoteFailure } from '../../src-main/remotes/failure.ts'
import { Planning, type Prepared } from '../../src-main/remotes/planning.ts'
import type { OpenRemote } from '../../src-main/remotes/connections.ts'
import { catalogWorld } from './catalog.ts'
import { addRemoteRow } from './transfers.ts'

const { signal } = new AbortController()

/** A step's memo that nothing outlives. */
const passingMemo = (): Memo => ({ read: () => null, write: () => {} })

/** A catalogue with one remote, which may be changed for another end, or fail to answer. */
export async function syncWorld(end: End) {
  const catalog = await catalogWorld(fsDriver)
  const local = new LocalEnd(catalog)
  const remoteId = addRemoteRow(catalog.db, 'Lab', 'folder')
  const remote: OpenRemote = {
    ...{ id: remoteId, name: 'Lab', there: (tag) => tag, here: (tag) => tag },
    end: { ...bound(end), close: async () => {} }
  }
  let failure: RemoteFailure | null = null
  const planning = new Planning({
    ...{ db: catalog.db, local, now: () => 1000 },
    connections: {
      open: async () => {
        if (failure) throw failure
        return remote
      }
    }
  })
  const request = (over: Partial<SyncRequest> = {}): SyncRequest => ({
    ...{ direction: 'publish', remoteId, organization: 'acme', box: 'tiny' },
    ...over
  })
  const prepare = (over: Partial<SyncRequest> = {}, byMirror = false): Promise<Prepared> =>
    planning.prepare(request(over), remote, { byMirror, signal })
  /** Carries a request out to its end, as the queue does; stops after so many steps. */
  const run = async (over: Partial<SyncRequest> = {}, { byMirror = false, most = Infinity } = {}) => {
    const done: string[] = []
    for (let round = 0; round < 4; round++) {
      const prepared = await prepare(over, byMirror)
      const steps = prepared.plan.steps.filter(({ key }) => !prepared.leftOut.has(key))
      if (steps.length === 0) {
        await prepared.agree(signal)
        return done
      }
      for (const step of steps) {
        if (done.length === most) return done
        await carryOut(prepared, step)
        done.push(step.key)
      }
    }
    throw new Error(`there is always more to do: ${done.join(', ')}`)
  }
  return {
    ...{ ...catalog, local, remote, remoteId, planning, request, prepare, run },
    disconnect: () => (failure = new RemoteFailure('offline', ['Lab does not answer.'])),
    view: (over: Partial<SyncRequest> = {}) => planning.view(request(over), signal),
    here: async (box = 'tiny') => (await local.read({ organization: 'acme', name: box }))?.snapshot ?? null,
    there: async (box = 'tiny') =>
      (await remote.end.read({ organization: 'acme', name: box }, signal))?.snapshot ?? null
  }
}

/** An end as an object of its own, so that a test can change what it does. */
function bound(end: End): End {
  return {
    traits: end.traits,
    read: (...all) => end.read(...all),
    carryOut: (...all) => end.carryOut(...all),
    put: (...all) => end.put(...all),
    open: (...all) => end.open(...all),
    list: (...all) => end.list(...all),
    close: () => end.close()
  }
}

async function carryOut(prepared: Prepared, step: Step): Promise<void> {
  const { source, target, sourceTag, targetTag } = prepared
  if (step.kind !== 'put-bytes') await target.carryOut(targetTag, step, signal)
  else
    await target.put(
      targetTag,
      step,
      { ...step, open: (from, stop) => source.open(sourceTag, step.from ?? step, from, stop) },
      { signal, memo: passingMemo(), onProgress: () => {}, onVerifying: () => {} }
    )
  prepared.carriedOut(step)
}

export const folderAt = async (location: string): Promise<End> =>
  (await openFolder({ location, setUp: true }, signal)).end
