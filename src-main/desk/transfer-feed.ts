import type { Arrivals } from '../catalog/arrivals/arrivals.ts'
import type { ClientUploads } from '../catalog/client-uploads.ts'
import type { Events } from '../catalog/events.ts'
import type { RemoteTransfers } from '../remotes/transfers/transfers.ts'
import type { Log } from '../log.ts'
import type { Hub } from './hub.ts'
import type { TransferSums } from './status.ts'

/** What changes within this time is told together, in milliseconds. */
const usualPace = 200

interface Parts {
  readonly hub: Hub
  readonly events: Events
  readonly arrivals: Arrivals
  readonly clientUploads: ClientUploads
  readonly remoteTransfers: RemoteTransfers
  readonly log: Log
  /** Called whenever something was told. */
  readonly onTold?: () => void
  readonly pace?: number
}

/** Tells windows and pages of files on their way in, or to and from remotes: what each is now, some times a second at most. */
export function feedTransfers(parts: Parts): void {
  const {
    hub,
    events,
    arrivals,
    clientUploads,
    remoteTransfers,
    log,
    onTold = () => {},
    pace = usualPace
  } = parts
  hub.whileListening(() => {
    const changed = {
      arrivals: new Set<string>(),
      clientUploads: new Set<string>(),
      remoteTransfers: new Set<string>()
    }
    let soon: NodeJS.Timeout | null = null
    let toldAt = 0

    const tell = (): void => {
      soon = null
      toldAt = performance.now()
      const gone: string[] = []
      const found = <T>(ids: Set<string>, find: (id: string) => T | null): T[] => {
        const all: T[] = []
        for (const id of ids) {
          const one = find(id)
          if (one === null) gone.push(id)
          else all.push(one)
        }
        ids.clear()
        return all
      }
      try {
        const data = {
          arrivals: found(changed.arrivals, (id) => arrivals.find(id)),
          clientUploads: found(changed.clientUploads, (id) => clientUploads.find(id)),
          remoteTransfers: found(changed.remoteTransfers, (id) => remoteTransfers.find(id)),
          gone,
          held: remoteTransfers.held()
        }
        hub.emit({ name: 'transfers', data })
        onTold()
      } catch (error) {
        log.error('what changed of the files on their way could not be told', error)
      }
    }
    /** The first change after a while is told at once. */
    const note = (): void => {
      soon ??= setTimeout(tell, Math.max(0, toldAt + pace - performance.now()))
    }
    const ends = [
      events.on('arrival-changed', ({ id }) => {
        changed.arrivals.add(id)
        note()
      }),
      events.on('client-upload-changed', ({ id }) => {
        changed.clientUploads.add(id)
        note()
      }),
      events.on('transfer-changed', ({ id }) => {
        changed.remoteTransfers.add(id)
        note()
      })
    ]
    return () => {
      for (const end of ends) end()
      if (soon) clearTimeout(soon)
    }
  })
}

/** Sums for the line at the bottom of the window. What waits for the person are files to be published. */
export function transferSums({
  arrivals,
  clientUploads,
  remoteTransfers
}: Pick<Parts, 'arrivals' | 'clientUploads' | 'remoteTransfers'>): TransferSums {
  const { waiting, ...running } = arrivals.activity()
  const remote = remoteTransfers.activity()
  let { count, done, total, bytesPerSecond } = running
  count += remote.count
  done += remote.done
  total += remote.total
  if (remote.bytesPerSecond !== null) bytesPerSecond = (bytesPerSecond ?? 0) + remote.bytesPerSecond
  for (const upload of clientUploads.list()) {
    count += 1
    done += upload.bytesRead
    total += upload.size ?? upload.bytesRead
    if (upload.bytesPerSecond !== null) bytesPerSecond = (bytesPerSecond ?? 0) + upload.bytesPerSecond
  }
  return { running: { count, done, total, bytesPerSecond }, waiting }
}
