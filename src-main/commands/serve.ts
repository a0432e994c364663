import { networkInterfaces, hostname, userInfo } from 'node:os'
import { Option, type Command } from 'commander'
import type { App } from '../app.ts'
import type { ServerStatus } from '../contract/settings.ts'
import { createDesk } from '../create-desk.ts'
import { loadBundle } from '../desk/bundle.ts'
import { browserHost } from '../desk/host.ts'
import { Problem } from '../domain/problem.ts'
import { createLog } from '../log.ts'
import { createServer } from '../registry/server.ts'
import { takeServeLock } from '../store/locks.ts'
import { untilChanged } from '../store/revision.ts'
import { WebServer } from '../web/server.ts'
import {
  dataCommand,
  defaultDataDir,
  duration,
  print,
  withApp,
  withExamples,
  wholeNumber
} from './command.ts'
import { nextStopSignal } from './stop-signal.ts'
import { howToUse } from './welcome.ts'

interface ServeOptions {
  readonly data?: string
  readonly host: string
  readonly port: number
  readonly owner?: string
  readonly allowHost: readonly string[]
  readonly rateLimit?: number
  readonly uploadWait: number
  readonly json?: boolean
  readonly ui?: boolean
}

/** What a script gets to know of a server that is ready. */
export interface ServeReport {
  readonly url: string
  readonly owner: string
  readonly data: string
  readonly pid: number
  /** Where the interface is, with the token of this launch. */
  readonly ui?: string
}

export function serveCommand(program: Command): void {
  const command = dataCommand(program, 'serve', 'serve the registry until told to stop (Ctrl-C)')
    .option('--host <address>', 'the address to listen on; anything but loopback shares it', '127.0.0.1')
    .addOption(
      new Option('--port <number>', 'the port to listen on; 0 takes a free one')
        .argParser(wholeNumber(0, 65_535))
        .default(7575)
    )
    .option(
      '--owner <name>',
      'who owns a new folder: an account and its organization (default: your user name)'
    )
    .option('--allow-host <name>', 'one more name this server is reached by (repeatable)', append, [])
    .addOption(
      new Option(
        '--rate-limit <number>',
        'requests each client may make in a minute, those on this machine too (default: 6000 for others)'
      ).argParser(wholeNumber(1, 1_000_000_000))
    )
    .addOption(
      new Option(
        '--upload-wait <time>',
        'how long an upload address waits for its first byte, as 90s, 30m or 1h'
      )
        .argParser(duration)
        .default(15 * 60_000, '15m')
    )
    .option('--ui', 'also serve the interface, to a browser on this machine')
    .option('--json', 'print one line of JSON when ready, and nothing else')
    .action(serve)
  withExamples(
    command,
    'serve',
    'serve --owner acme --data ./lab --port 8080',
    'serve --host 0.0.0.0 --allow-host lab'
  )
}

async function serve(options: ServeOptions): Promise<void> {
  const dataDir = options.data ?? defaultDataDir()
  const log = createLog()
  const lock = takeServeLock(dataDir)
  try {
    await withApp(
      { data: dataDir, repair: true, uploadWait: options.uploadWait },
      async (app) => {
        const { name: owner } = app.accounts.ensureOwner(options.owner ?? usualOwner())
        await app.upkeep.finishRecovery()
        let web: WebServer | null = null
        await serveUntilAsked(app, options, async (url) => {
          lock.describe({ url })
          if (options.ui) web = interfaceOf(app, owner, url)
          const ui = await web?.start()
          const report = { url, owner, data: dataDir, pid: process.pid, ...(ui !== undefined && { ui }) }
          print(options.json ? JSON.stringify(report) : howToUse(report))
        })
        await (web as WebServer | null)?.close()
      },
      log
    )
  } finally {
    lock.release()
  }
}

async function serveUntilAsked(
  app: App,
  options: ServeOptions,
  onReady: (url: string) => Promise<void>
): Promise<void> {
  const server = createServer(app, {
    log: app.log,
    allowedHosts: [...namesOf(options.host), ...options.allowHost],
    maintenance: untilChanged(app.revision, () => app.settings.get('maintenance') === true),
    ...(options.rateLimit !== undefined && {
      rateLimit: { perMinute: options.rateLimit, loopbackToo: true }
    })
  })
  const stop = nextStopSignal()
  let sweeping: NodeJS.Timeout | undefined
  try {
    const { host, port } = options
    await server.listen({ host, port }).catch((error: unknown) => {
      throw explain(error, options)
    })
    await onReady(addressOf(host, boundPort(server, port)))
    app.automaticBackups.start()
    sweeping = sweepRegularly(app)
    // Those that nobody had the time to write before the last end.
    app.sidecars.kick()
    app.log.info(`stopping on ${await stop.signal}`)
  } finally {
    clearInterval(sweeping)
    await server.close()
    stop.forget()
  }
}

function interfaceOf(app: App, owner: string, url: string): WebServer {
  const server = (): ServerStatus => ({
    state: 'running',
    url,
    lanUrls: [],
    problem: null,
    maintenance: false,
    fixedByCommandLine: false
  })
  return new WebServer({
    desk: createDesk(app, { host: browserHost, owner, server }),
    bundle: loadBundle(),
    receive: async () => ({ ok: false, refusal: { kind: 'unavailable', sentences: ['Not written yet.'] } }),
    log: app.log
  })
}

const hour = 60 * 60_000

/** What uploads left behind that nobody came back to, in this run or before it. */
function sweepRegularly({ uploads, log }: App): NodeJS.Timeout {
  const sweep = (): void =>
    void uploads.sweep().catch((error) => log.error('abandoned uploads could not be removed', error))
  sweep()
  return setInterval(sweep, hour)
}

/** The one that was asked for, or what the system chose instead of 0. */
function boundPort(server: ReturnType<typeof createServer>, asked: number): number {
  const address = server.server.address()
  return typeof address === 'object' && address ? address.port : asked
}

/** A name for the person who runs this, as near to their user name as a name may be. */
function usualOwner(): string {
  const name = userInfo().username.replaceAll(/[^A-Za-z0-9._-]/g, '-')
  return /^[A-Za-z0-9]/.test(name) ? name : 'boxyard'
}

const anyAddress = ['0.0.0.0', '::']
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** The names a Host header may hold because of where the server listens. An address cannot be rebound by a hostile page. */
function namesOf(host: string): string[] {
  if (!anyAddress.includes(host)) return [inUrl(host)]
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return [hostname(), ...addresses.map(({ address }) => inUrl(address))]
}

/** For people and clients on this machine, whatever else the server may be reached by. */
const addressOf = (host: string, port: number): string =>
  `http://${anyAddress.includes(host) ? '127.0.0.1' : inUrl(host)}:${port}`

function explain(error: unknown, { host, port }: ServeOptions): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Problem(
        'conflict',
        `Port ${port} on ${host} is taken by another program; choose another with --port, or 0 for any free one.`
      )
    case 'EACCES':
      return new Problem(
        'forbidden',
        `Port ${port} needs more rights than this account has; choose one above 1023.`
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Problem(
        'invalid',
        `This machine has no address "${host}"; leave --host out, or give one it has.`
      )
    default:
      return error
  }
}

const append = (value: string, all: readonly string[]): string[] => [...all, value]
