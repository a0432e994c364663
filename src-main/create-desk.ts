import type { App } from './app.ts'
import type { ServerStatus } from './contract/settings.ts'
import { accessHandlers } from './desk/access.ts'
import { arrivalsHandlers } from './desk/arrivals.ts'
import { boxesHandlers } from './desk/boxes.ts'
import { Desk } from './desk/desk.ts'
import { hostHandlers, type Host } from './desk/host.ts'
import { Hub } from './desk/hub.ts'
import { libraryHandlers } from './desk/library.ts'
import { settingsHandlers } from './desk/settings.ts'
import { storageHandlers } from './desk/storage.ts'
import { Problem } from './domain/problem.ts'

/** What the interface needs besides the product's services. */
export interface DeskParts {
  readonly host: Host
  readonly owner: string
  readonly server: () => ServerStatus
}

/** The interface's side of the product over its services: one for all windows and pages. */
export function createDesk(app: App, { host, owner, server }: DeskParts): Desk {
  const { dataDir, log } = app
  const hub = new Hub(log)
  return new Desk({
    hub,
    log,
    handlers: {
      ...settingsHandlers({ host, owner, dataDir, server, freeBytes: () => app.blobs.freeBytes() }),
      ...libraryHandlers(),
      ...boxesHandlers(app),
      ...arrivalsHandlers(),
      ...storageHandlers(),
      ...accessHandlers(),
      ...hostHandlers({
        host,
        dataDir,
        fileOf: () => {
          throw new Problem('unavailable', 'Not written yet.')
        }
      })
    }
  })
}
