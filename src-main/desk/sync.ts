import type { Connections } from '../remotes/connections.ts'
import type { Planning } from '../remotes/planning.ts'
import type { RemoteTransfers } from '../remotes/transfers/transfers.ts'
import type { HandlersOf } from './handlers.ts'

/** A person waits for a plan. */
const planPatience = 20_000

/** What the interface asks of bringing boxes to and from remotes. */
export const syncHandlers = ({
  planning,
  connections,
  transfers
}: {
  readonly planning: Planning
  readonly connections: Pick<Connections, 'urge'>
  readonly transfers: RemoteTransfers
}): HandlersOf<'sync'> => ({
  'sync.plan': (request) => planning.view(request, AbortSignal.timeout(planPatience)),
  'sync.start': ({ requests }) => transfers.add(requests),
  'sync.steps': ({ id }) => transfers.steps(id),
  'sync.fetch': (image) => transfers.fetch(image),
  'sync.pause': ({ ids }) => transfers.pause(ids),
  'sync.resume': ({ ids }) => transfers.resume(ids),
  'sync.cancel': ({ ids }) => transfers.cancel(ids),
  'sync.retry': ({ ids }) => {
    const wanted = new Set(ids.map((id) => transfers.find(id)?.remoteId ?? null))
    for (const id of wanted) if (id !== null) connections.urge(id)
    transfers.retry(ids)
  },
  'sync.dismiss': ({ ids }) => transfers.dismiss(ids),
  'sync.move': ({ id, direction }) => transfers.move(id, direction),
  'sync.decide': ({ id, choices }) => transfers.decide(id, choices),
  'sync.hold': ({ held }) => transfers.hold(held)
})
