import type { App } from './app.ts'
import { accessHandlers } from './desk/access.ts'
import { arrivalsHandlers } from './desk/arrivals.ts'
import { boxesHandlers } from './desk/boxes.ts'
import { Desk } from './desk/desk.ts'
import { hostHandlers, type Host } from './desk/host.ts'
import { Hub } from './desk/hub.ts'
import { libraryHandlers } from './desk/library.ts'
import { remotesHandlers } from './desk/remotes.ts'
import { settingsHandlers } from './desk/settings.ts'
import { feedTransfers, transferSums } from './desk/transfer-feed.ts'
import { StatusLine, type RegistryServer } from './desk/status.ts'
import { storageHandlers } from './desk/storage.ts'
import { syncHandlers } from './desk/sync.ts'
import { watch } from './desk/watch.ts'

/** What the interface needs besides the product's services. */
export interface DeskParts {
  readonly host: Host
  readonly owner: string
  /** The registry's server, as the interface sees and moves it. */
  readonly listener: RegistryServer
}

/** The interface's side of the product over its services: one for all windows and pages. */
export function createDesk(app: App, { host, owner, listener }: DeskParts): Desk {
  const { dataDir, log } = app
  const hub = new Hub(log)
  app.search.prepare()
  const status = new StatusLine({
    server: listener,
    freeBytes: () => app.blobs.freeBytes(),
    transfers: () => transferSums(app),
    log
  })
  const quietly = watch({
    hub,
    events: app.events,
    revision: app.revision,
    settings: app.personSettings,
    status,
    log
  })
  feedTransfers({ ...app, hub, onTold: () => status.refresh() })
  return new Desk({
    hub,
    log,
    handlers: {
      ...settingsHandlers({
        host,
        owner,
        dataDir,
        server: listener,
        status,
        settings: app.personSettings,
        preferences: app.preferences,
        quietly
      }),
      ...libraryHandlers(app),
      ...boxesHandlers(app),
      ...arrivalsHandlers(app),
      ...remotesHandlers(app),
      ...syncHandlers({
        planning: app.planning,
        connections: app.connections,
        transfers: app.remoteTransfers
      }),
      ...storageHandlers({ ...app, hub }),
      ...accessHandlers({ ...app, hub }),
      ...hostHandlers({
        host,
        dataDir,
        images: app.images,
        lending: app.lending
      })
    }
  })
}
