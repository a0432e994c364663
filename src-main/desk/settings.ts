import type { About } from '../contract/settings.ts'
import type { Preferences } from '../settings/preferences.ts'
import type { PersonSettings } from '../settings/settings.ts'
import { programVersion } from '../version.ts'
import type { HandlersOf } from './handlers.ts'
import type { Host } from './host.ts'
import type { RegistryServer, StatusLine } from './status.ts'
import type { Quietly } from './watch.ts'

interface Needs {
  readonly host: Host
  readonly owner: string
  readonly dataDir: string
  readonly server: RegistryServer
  readonly status: StatusLine
  readonly settings: PersonSettings
  readonly preferences: Preferences
  readonly quietly: Quietly
}

/** What the interface is talking to, how it is set, and how it does. */
export const settingsHandlers = (
  needs: Needs
): HandlersOf<'about' | 'status' | 'settings' | 'preferences'> => {
  const { host, owner, dataDir, server, status, settings, preferences, quietly } = needs
  return {
    about: (): About => ({
      face: host.face,
      version: programVersion,
      platform: process.platform,
      owner,
      dataFolder: dataDir,
      capabilities: host.capabilities
    }),
    status: () => status.read(),
    'settings.read': () => settings.look(),
    'settings.change': async (changes) => {
      const moves = changes.port !== undefined || changes.shareOnLan !== undefined
      if (moves) await server.check({ ...settings.read(), ...changes })
      const now = settings.change(changes)
      if (moves) await server.apply()
      return now
    },
    'preferences.read': () => preferences.read(),
    // Whoever writes one knows it; every view would read everything again for the width of a column.
    'preferences.write': ({ key, value }) => quietly(() => preferences.write(key, value))
  }
}
