import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import type { App } from '../app.ts'
import { sizeText } from '../contract/size-text.ts'
import type { RemoteTransfer, TransferStep, TransferWithSteps } from '../contract/transfers.ts'
import { Problem } from '../domain/problem.ts'
import { carry, shortId } from './carry.ts'
import { dataCommand, print, withApp, withExamples } from './command.ts'
import { printable, shortTime, table } from './table.ts'
import { nextStopSignal } from './stop-signal.ts'

interface ListOptions {
  readonly data?: string
  readonly watch?: boolean
  readonly json?: boolean
}

interface ChangeOptions {
  readonly data?: string
  readonly wait?: boolean
  readonly json?: boolean
}

/** How often is looked while somebody watches. */
const watchEvery = 1000
const shortestPrefix = 4
const idHelp = 'its id, or the beginning of it, as `boxyard transfers` shows it'
const idsHelp = 'their ids, or the beginnings of them, as `boxyard transfers` shows them'

export function transfersCommands(program: Command): void {
  const transfers = program
    .command('transfers')
    .description('show what is on its way to and from remotes, and hold, go on with or end it')
  withExamples(
    transfers,
    'transfers',
    'transfers --watch',
    'transfers show 3f2a91c0',
    'transfers pause 3f2a91c0'
  ).addHelpText('after', '\nAlone it is the list, and takes its options: --watch, --json, --data.')

  withExamples(
    dataCommand(transfers, 'list', 'show what is on its way, the newest first (also without "list")', {
      isDefault: true
    })
      .option('--watch', 'show it again as it changes, until told to stop (Ctrl-C)')
      .option('--json', 'print JSON: all of it, or with --watch one line each that changed')
      .action((options: ListOptions) => withApp(options, (app) => list(app, options))),
    'transfers list',
    'transfers --watch',
    'transfers --json'
  )

  withExamples(
    dataCommand(transfers, 'show', 'show one with its steps, how far each is, and why it waits or failed')
      .argument('<id>', idHelp)
      .option('--json', 'print JSON')
      .action((id: string, options: ListOptions) => withApp(options, (app) => show(app, id, options))),
    'transfers show 3f2a91c0',
    'transfers show 3f2a91c0 --json'
  )

  change(transfers, 'pause', 'stop some for now; what has arrived is kept', (app, ids) =>
    app.remoteTransfers.pause(ids)
  )
  change(
    transfers,
    'resume',
    'go on with some that were paused, or that wait',
    (app, ids) => {
      app.remoteTransfers.resume(ids)
      // Those that wait for their time go on at once.
      app.remoteTransfers.retry(ids.filter((id) => app.remoteTransfers.find(id)?.state === 'waiting'))
    },
    true
  )
  change(transfers, 'retry', 'try some again that failed', (app, ids) => app.remoteTransfers.retry(ids), true)
  change(transfers, 'cancel', 'end some; what was published stays', (app, ids) =>
    app.remoteTransfers.cancel(ids)
  )
  change(transfers, 'dismiss', 'forget some that have ended', (app, ids) => app.remoteTransfers.dismiss(ids))
}

function change(
  parent: Command,
  verb: string,
  description: string,
  act: (app: App, ids: readonly string[]) => void | Promise<void>,
  mayWait = false
): void {
  const command = dataCommand(parent, verb, description).argument('<id...>', idsHelp)
  if (mayWait)
    command
      .option('--wait', 'carry them out now, here if no server does, and wait for their end')
      .option('--json', 'print one JSON object for each that ended')
  command.action((given: readonly string[], options: ChangeOptions) =>
    withApp(options, async (app) => {
      const ids = [...new Set(given.map((id) => found(app, id).id))]
      await act(app, ids)
      if (options.wait) await carry(app, ids, { wait: true, json: options.json === true })
      else if (verb !== 'dismiss') print(rows(ids.flatMap((id) => app.remoteTransfers.find(id) ?? [])))
    })
  )
  withExamples(command, `transfers ${verb} 3f2a91c0${mayWait ? ' --wait' : ''}`)
}

function found(app: App, text: string): RemoteTransfer {
  const exact = app.remoteTransfers.find(text)
  if (exact) return exact
  const likely =
    text.length < shortestPrefix
      ? []
      : app.remoteTransfers.list().filter(({ id }) => id.startsWith(text.toLowerCase()))
  const [only, ...others] = likely
  if (only && others.length === 0) return only
  throw new Problem(
    'missing',
    likely.length > 1
      ? `${likely.length} transfers have ids that begin with "${text}"; write more of it.`
      : `There is no transfer "${text}"; \`boxyard transfers\` shows those there are.`
  )
}

function show(app: App, text: string, { json }: ListOptions): void {
  const transfer = found(app, text)
  const steps = app.remoteTransfers.steps(transfer.id)
  if (json) return print(JSON.stringify({ ...transfer, steps } satisfies TransferWithSteps))
  print(rows([transfer]))
  const sentences = [...(transfer.problem ?? []), ...transfer.conflicts.map(({ sentence }) => sentence)]
  if (sentences.length > 0) print(`\n${printable(sentences.join(' '))}`)
  if (steps.length > 0) print(`\n${stepRows(steps)}`)
}

async function list(app: App, { watch, json }: ListOptions): Promise<void> {
  if (!watch) {
    const all = app.remoteTransfers.list()
    return print(json ? JSON.stringify(all) : rows(all))
  }
  const stop = nextStopSignal()
  const stopping = new AbortController()
  void stop.signal.then(() => stopping.abort())
  const told = new Map<string, string>()
  let shown = ''
  let revision = ''
  while (!stopping.signal.aborted) {
    const now = app.revision()
    if (now !== revision) {
      revision = now
      const all = app.remoteTransfers.list()
      if (json)
        for (const transfer of [...all].reverse()) {
          const line = JSON.stringify(transfer)
          if (told.get(transfer.id) !== line) print(line)
          told.set(transfer.id, line)
        }
      else {
        const text = rows(all)
        if (text !== shown) print(process.stdout.isTTY ? `\x1b[H\x1b[2J${text}` : `${text}\n`)
        shown = text
      }
    }
    await pause(watchEvery, undefined, { signal: stopping.signal }).catch(() => {})
  }
  stop.forget()
}

const rows = (transfers: readonly RemoteTransfer[]): string =>
  table(
    ['ID', 'BOX', 'WHAT', 'REMOTE', 'STATE', 'BYTES', 'NOTE'],
    transfers.map((transfer) => [
      shortId(transfer.id),
      `${transfer.organization}/${transfer.box}`,
      transfer.what,
      `${transfer.direction === 'publish' ? 'to' : 'from'} ${transfer.remoteName}`,
      transfer.state,
      bytesText(transfer),
      noteOf(transfer)
    ])
  )

const stepRows = (steps: readonly TransferStep[]): string =>
  table(
    ['STEP', 'BYTES', 'WHAT'],
    steps.map(({ state, bytes, bytesDone, sentence }) => [
      state,
      bytes === 0
        ? ''
        : state === 'running'
          ? `${sizeText(bytesDone)} of ${sizeText(bytes)}`
          : sizeText(bytes),
      sentence
    ])
  )

const bytesText = ({ bytesDone, bytesTotal }: RemoteTransfer): string =>
  bytesTotal === null ? '' : bytesTotal === 0 ? '-' : `${sizeText(bytesDone)} of ${sizeText(bytesTotal)}`

function noteOf({ problem, conflicts, step, nextAttemptAt, finishedAt }: RemoteTransfer): string {
  if (conflicts.length > 0) return conflicts[0]?.sentence ?? ''
  if (problem)
    return `${problem[0] ?? ''}${nextAttemptAt === null ? '' : ` Next: ${shortTime(nextAttemptAt)}.`}`
  return step?.sentence ?? (finishedAt === null ? '' : shortTime(finishedAt))
}
