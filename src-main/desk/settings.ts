import type { About, ServerStatus, Settings } from '../contract/settings.ts'
import { programVersion } from '../version.ts'
import type { HandlersOf } from './handlers.ts'
import type { Host } from './host.ts'

interface Needs {
  readonly host: Host
  readonly owner: string
  readonly dataDir: string
  readonly server: () => ServerStatus
  readonly freeBytes: () => Promise<number>
}

export const settingsHandlers = ({
  host,
  owner,
  dataDir,
  server,
  freeBytes
}: Needs): HandlersOf<'about' | 'status' | 'settings' | 'preferences'> => ({
  about: (): About => ({
    face: host.face,
    version: programVersion,
    platform: process.platform,
    owner,
    dataFolder: dataDir,
    capabilities: host.capabilities
  }),
  status: async () => ({
    server: server(),
    diskFree: await freeBytes(),
    running: { count: 0, done: 0, total: 0, bytesPerSecond: null },
    waiting: 0
  }),
  'settings.read': (): Settings => ({
    appearance: 'system',
    port: 7575,
    shareOnLan: false,
    allowedHosts: [],
    requestsPerMinute: 6000,
    parallelReads: 2,
    graceHours: 24,
    keepInTray: false,
    startAtLogin: false
  }),
  'settings.change': () => notWritten(),
  'preferences.read': () => ({}),
  'preferences.write': () => {}
})

function notWritten(): never {
  throw new Error('not written yet')
}
