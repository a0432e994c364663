import type { ArrivalDraft } from '../../contract/arrivals.ts'
import type { SyncRequest } from '../../contract/sync.ts'
import { architectureOf } from '../../domain/arrival-plan.ts'

/** What is asked for when an arrival is published to remotes as well: its image, with all that it takes to be there. */
export function requestsOf(draft: ArrivalDraft): SyncRequest[] {
  const { organization, name: box, version, provider, release, remotes } = draft
  const image = { provider, architecture: architectureOf(draft) }
  return [...new Set(remotes)].map((remoteId) => ({
    ...{ direction: 'publish', remoteId, organization, box, version, image, release }
  }))
}
