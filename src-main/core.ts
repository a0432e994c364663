import { userInfo } from 'node:os'
import { createApp, type App } from './app.ts'
import { createDesk } from './create-desk.ts'
import type { Desk } from './desk/desk.ts'
import { browserHost, type Host } from './desk/host.ts'
import type { Log } from './log.ts'
import { Listener, type Fixed } from './registry/listener.ts'
import { carryOut } from './remotes/transfers/carry-out.ts'
import { takeServeLock, type Lock } from './store/locks.ts'
import { untilChanged } from './store/revision.ts'
import type { StartHelper } from './vault/keychain-process.ts'

/** How a core is started. */
export interface CoreOptions {
  readonly dataDir: string
  readonly log: Log
  /** What the program around it can do; nothing unless said. */
  readonly host?: Host
  /** Who owns a new folder: an account and its organization; a name like the user's unless said. */
  readonly owner?: string | undefined
  readonly uploadWait?: number | undefined
  /** How a process beside this one is started, where that is not Node's own way. */
  readonly startHelper?: StartHelper | undefined
  /** What the command line says of the server. */
  readonly fixed?: Fixed
  /** Whether a server that cannot listen is the end, as for a command, or a state the person can mend in a window. */
  readonly mustServe?: boolean
}

/** The product at work on a folder that is its own: services, the registry's server, and the interface's side. */
export interface Core {
  readonly app: App
  readonly desk: Desk
  readonly listener: Listener
  readonly owner: string
  /**
   * Ends everything in order, giving what still runs a few seconds. `endCarrier` ends what carries the desk: what it was
   * still bringing in has been told of the end by then.
   */
  stop(endCarrier?: () => Promise<void>): Promise<void>
}

/**
 * What every face starts, and all that it has to start. `boxyard serve` does so with `mustServe`, and carries the desk
 * over HTTP if asked; a desktop gives its own `host`, carries the desk over its windows' messages, and calls `stop()`
 * when it quits. A folder that another process serves is refused with a Problem of kind "conflict".
 */
export async function startCore(options: CoreOptions): Promise<Core> {
  const { dataDir, log } = options
  const lock = takeServeLock(dataDir)
  let app: App | null = null
  try {
    app = await createApp({
      ...{ dataDir, log, repair: true },
      uploadWait: options.uploadWait,
      startHelper: options.startHelper
    })
    return await start(app, lock, options)
  } catch (error) {
    await app?.close()
    lock.release()
    throw error
  }
}

async function start(app: App, lock: Lock, options: CoreOptions): Promise<Core> {
  const { log } = app
  const { name: owner } = app.accounts.ensureOwner(options.owner ?? usualOwner())
  await app.upkeep.finishRecovery()
  const listener = new Listener({
    services: app,
    settings: app.personSettings,
    maintenance: untilChanged(app.revision, () => app.settings.get('maintenance') === true),
    log,
    ...(options.fixed && { fixed: options.fixed })
  })
  listener.onChange(() => lock.describe({ url: listener.status().url }))
  let sweeping: NodeJS.Timeout | undefined
  let endTransfers = (): Promise<void> => Promise.resolve()
  const end = async (): Promise<void> => {
    clearInterval(sweeping)
    await endTransfers()
    await listener.close()
  }
  try {
    await listener.apply().catch((error: unknown) => {
      if (options.mustServe) throw error
    })
    const desk = createDesk(app, { host: options.host ?? browserHost, owner, listener })
    app.automaticBackups.start()
    await app.arrivals.start()
    endTransfers = carryOut(app)
    app.watching.start()
    app.mirrors.start()
    sweeping = sweepRegularly(app)
    // Those that nobody had the time to write before the last end.
    app.sidecars.kick()
    const stop = async (endCarrier: () => Promise<void> = () => Promise.resolve()): Promise<void> => {
      try {
        await app.arrivals.close()
        await endCarrier()
        await end()
        await app.close()
      } finally {
        lock.release()
      }
    }
    return { app, desk, listener, owner, stop }
  } catch (error) {
    await end()
    throw error
  }
}

const hour = 60 * 60_000

/** What uploads left behind that nobody came back to, in this run or before it. */
function sweepRegularly({ uploads, log }: App): NodeJS.Timeout {
  const sweep = (): void =>
    void uploads.sweep().catch((error) => log.error('abandoned uploads could not be removed', error))
  sweep()
  return setInterval(sweep, hour)
}

/** A name for the person who runs this, as near to their user name as a name may be. */
function usualOwner(): string {
  const name = userInfo().username.replaceAll(/[^A-Za-z0-9._-]/g, '-')
  return /^[A-Za-z0-9]/.test(name) ? name : 'boxyard'
}
