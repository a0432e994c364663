import { join } from 'node:path'
import { startCore } from './core.ts'
import { loadBundle } from './desk/bundle.ts'
import { createLog } from './log.ts'
import { Desktop } from './shell/desktop.ts'
import { endOnSignals, endOnFault, userFolder } from './shell/endings.ts'
import { startHelper } from './shell/helper-process.ts'
import type { Launch } from './shell/launch-arguments.ts'
import { logFile } from './shell/log-file.ts'

/** The desktop over a core of its own, which is started when the desktop runs. */
export function createDesktop({ launch, dataDir }: { launch: Launch; dataDir: string }): Desktop {
  const logPath = join(userFolder(), 'logs', 'boxyard.log')
  const toFile = logFile(logPath)
  const log = createLog((line) => {
    process.stderr.write(line)
    toFile(line)
  })
  const desktop = new Desktop({
    bundle: loadBundle(),
    log,
    logFile: logPath,
    stateFile: join(userFolder(), 'window.json'),
    dataDir,
    async start(folder, host) {
      const { host: address, port, owner } = launch
      const core = await startCore({
        ...{ dataDir: folder, log, host, owner, startHelper },
        fixed: { host: address, port }
      })
      // What another program was given in the last run, it has had the time to copy.
      await core.app.lending.clear()
      return {
        dataDir: folder,
        desk: core.desk,
        settings: core.app.personSettings,
        stop: () => core.stop()
      }
    }
  })
  endOnSignals(desktop)
  endOnFault(log, logPath)
  return desktop
}
