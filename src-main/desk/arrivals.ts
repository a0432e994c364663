import type { Arrivals } from '../catalog/arrivals/arrivals.ts'
import type { ClientUploads } from '../catalog/client-uploads.ts'
import type { RemoteTransfers } from '../remotes/transfers/transfers.ts'
import type { HandlersOf } from './handlers.ts'

/** What the interface asks of files on their way in. */
export const arrivalsHandlers = ({
  arrivals,
  clientUploads,
  remoteTransfers
}: {
  arrivals: Arrivals
  clientUploads: ClientUploads
  remoteTransfers: RemoteTransfers
}): HandlersOf<'arrivals' | 'transfers' | 'clientUpload'> => ({
  transfers: () => ({
    arrivals: arrivals.list(),
    clientUploads: clientUploads.list(),
    remoteTransfers: remoteTransfers.list(),
    held: remoteTransfers.held()
  }),
  'arrivals.addPaths': ({ paths, draft }) => arrivals.addPaths(paths, draft),
  'arrivals.addUrl': ({ url, draft }) => arrivals.addUrl(url, draft),
  'arrivals.change': ({ id, draft }) => arrivals.change(id, draft),
  'arrivals.plan': ({ id }) => arrivals.plan(id),
  'arrivals.publish': ({ ids }) => arrivals.publish(ids),
  'arrivals.cancel': ({ id }) => arrivals.cancel(id),
  'arrivals.retry': ({ id }) => arrivals.retry(id),
  'arrivals.move': ({ id, direction }) => arrivals.move(id, direction),
  'arrivals.dismiss': ({ ids }) => arrivals.dismiss(ids),
  'clientUpload.cancel': ({ id }) => clientUploads.cancel(id)
})
