import { Option, type Command } from 'commander'
import { startCore, type Core } from '../core.ts'
import { defaultDataDir } from '../data-folder.ts'
import { loadBundle, type Bundle } from '../desk/bundle.ts'
import { createLog } from '../log.ts'
import { WebServer } from '../web/server.ts'
import { dataCommand, duration, print, withExamples, wholeNumber } from './command.ts'
import { openInterface } from './open-interface.ts'
import { nextStopSignal } from './stop-signal.ts'
import { howToUse } from './welcome.ts'

interface ServeOptions {
  readonly data?: string
  readonly host?: string
  readonly port?: number
  readonly owner?: string
  readonly allowHost: readonly string[]
  readonly rateLimit?: number
  readonly uploadWait: number
  readonly ui?: boolean
  readonly open?: boolean
  readonly json?: boolean
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
    .option(
      '--host <address>',
      'the address to listen on; anything but loopback shares it (default: as set, else 127.0.0.1)'
    )
    .addOption(
      new Option(
        '--port <number>',
        'the port to listen on; 0 takes a free one (default: as set, else 7575)'
      ).argParser(wholeNumber(0, 65_535))
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
    .option('--ui', 'serve the interface too, for a browser on this machine alone')
    .option('--open', 'open the interface in a window of its own, or in the browser (implies --ui)')
    .option('--json', 'print one line of JSON when ready, and nothing else')
    .action(serve)
  withExamples(
    command,
    'serve',
    'serve --open',
    'serve --owner acme --data ./lab --port 8080',
    'serve --host 0.0.0.0 --allow-host lab'
  )
}

async function serve(options: ServeOptions): Promise<void> {
  const log = createLog()
  const { host, port, rateLimit } = options
  const bundle = options.ui || options.open ? loadBundle() : null
  const core = await startCore({
    dataDir: options.data ?? defaultDataDir(),
    log,
    owner: options.owner,
    uploadWait: options.uploadWait,
    fixed: {
      host,
      port,
      allowedHosts: options.allowHost,
      ...(rateLimit !== undefined && { rateLimit: { perMinute: rateLimit, loopbackToo: true } })
    },
    mustServe: true
  })
  const stop = nextStopSignal()
  let web: WebServer | null = null
  try {
    if (bundle) web = webServer(core, bundle)
    const ui = (await web?.start()) ?? null
    const { app, owner, listener } = core
    const report = {
      url: listener.status().url,
      owner,
      data: app.dataDir,
      pid: process.pid,
      ...(ui !== null && { ui })
    }
    print(options.json ? JSON.stringify(report) : howToUse(report))
    if (options.open && web && ui !== null) void open(web, ui)
    log.info(`stopping on ${await stop.signal}`)
  } finally {
    await core.stop(async () => web?.close())
    stop.forget()
  }
}

const webServer = ({ app, desk }: Core, bundle: Bundle): WebServer =>
  new WebServer({
    desk,
    bundle,
    receive: (...file) => app.arrivals.receive(...file),
    log: app.log
  })

/** Not through the log, which may be shared: the address holds the token. */
async function open(web: WebServer, address: string): Promise<void> {
  const say = (sentence: string): void => void process.stderr.write(`boxyard: ${sentence}\n`)
  if (await openInterface(web.addressForOnce(), say)) return
  say(`The interface could not be opened here. Open this address in a browser on this machine: ${address}`)
}

const append = (value: string, all: readonly string[]): string[] => [...all, value]
